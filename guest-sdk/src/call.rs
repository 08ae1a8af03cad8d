//! Recorded calls, as the arena writes them: JSON in which each name occurs once.

use arena_rules::{Coord, Size};

/// A file that is not a recorded call.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it is not a recorded call: `{0}` is missing or wrong")]
pub struct NotACall(pub(crate) &'static str);

/// The text of a recorded call. Each name occurs in it once.
pub(crate) struct Call<'a>(pub(crate) &'a str);

impl<'a> Call<'a> {
    /// The text of a value: up to the end of its list, or to the next comma or brace.
    pub(crate) fn value(&self, name: &'static str) -> Result<&'a str, NotACall> {
        let (_, value) = self.0.split_once(&format!("\"{name}\":")).ok_or(NotACall(name))?;
        let value = value.trim_start();
        let end = match value.strip_prefix('[') {
            Some(_) => value.find(']').map(|end| end + 1),
            None => value.find([',', '}', '\n']),
        };
        Ok(value[..end.unwrap_or(value.len())].trim_end())
    }

    pub(crate) fn number<T: std::str::FromStr>(&self, name: &'static str) -> Result<T, NotACall> {
        self.value(name)?.parse().map_err(|_| NotACall(name))
    }

    pub(crate) fn flag(&self, name: &'static str) -> Result<bool, NotACall> {
        self.number(name)
    }

    /// A list of numbers; `None` for `null`.
    pub(crate) fn list(&self, name: &'static str) -> Result<Option<Vec<u8>>, NotACall> {
        let value = self.value(name)?;
        if value == "null" {
            return Ok(None);
        }
        let inner =
            value.strip_prefix('[').and_then(|value| value.strip_suffix(']')).ok_or(NotACall(name))?;
        let numbers = inner.split(',').map(str::trim).filter(|number| !number.is_empty());
        let numbers: Result<Vec<u8>, _> = numbers.map(str::parse).collect();
        numbers.map(Some).map_err(|_| NotACall(name))
    }

    pub(crate) fn spot(&self, name: &'static str) -> Result<Option<Coord>, NotACall> {
        match self.list(name)?.as_deref() {
            None => Ok(None),
            Some(&[row, column]) => Ok(Some(Coord::new(row, column))),
            Some(_) => Err(NotACall(name)),
        }
    }

    pub(crate) fn cells<T: bytemuck::CheckedBitPattern>(
        &self,
        name: &'static str,
        size: Size,
    ) -> Result<Vec<T>, NotACall> {
        let bytes = self.list(name)?.filter(|bytes| bytes.len() == size.cells()).ok_or(NotACall(name))?;
        let cell =
            |byte: &u8| bytemuck::checked::try_pod_read_unaligned(&[*byte]).map_err(|_| NotACall(name));
        bytes.iter().map(cell).collect()
    }

    /// The whole text of a value, nested values included.
    pub(crate) fn whole(&self, name: &'static str) -> Result<&'a str, NotACall> {
        let (_, value) = self.0.split_once(&format!("\"{name}\":")).ok_or(NotACall(name))?;
        let value = value.trim_start();
        if !value.starts_with(['{', '[']) {
            return self.value(name);
        }
        let mut depth = 0_usize;
        for (at, c) in value.char_indices() {
            match c {
                '{' | '[' => depth += 1,
                '}' | ']' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return Ok(&value[..=at]);
            }
        }
        Err(NotACall(name))
    }

    /// The objects in a list. They contain no objects.
    pub(crate) fn objects(&self, name: &'static str) -> Result<impl Iterator<Item = Call<'a>>, NotACall> {
        Ok(self.whole(name)?.split('{').skip(1).map(Call))
    }
}
