//! Compiled functions, cached for all components with the same skeleton.
//!
//! Wasmtime compiles function by function, and asks a store first. The name of a function in it is a SHA-256 over everything
//! that its code depends on. So functions of other components are not found, and a function that is found is the same code
//! as compiling would make. The store is filled by a child that compiles a [skeleton](crate::scan::skeleton) and has seen
//! nothing else. It is read by children that judge components with this skeleton. No other process adds to it.
//!
//! The form of kept functions is a list of: the name, 32 bytes; the length of the contents, 4 bytes, little-endian; the
//! contents, which are wasmtime's.

use crate::engine;
use crate::judge::{self, Unjudged};
use sha2::{Digest, Sha256};
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::mem;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use wasmtime::CacheStore;

/// The name of a function in wasmtime's store: a SHA-256.
type Name = [u8; 32];

/// The length of a function's contents.
type Length = u32;

/// Compiled functions to be found.
pub(super) struct Functions {
    bytes: Vec<u8>,
    places: HashMap<Name, Range<usize>>,
}

impl Functions {
    /// Reads kept functions. Returns none if they are not in their form.
    pub(super) fn open(bytes: Vec<u8>) -> Option<Self> {
        let mut places = HashMap::new();
        let mut rest = bytes.as_slice();
        while !rest.is_empty() {
            let (name, after) = rest.split_first_chunk()?;
            let (length, after) = after.split_first_chunk()?;
            let length = usize::try_from(Length::from_le_bytes(*length)).ok()?;
            let start = bytes.len() - after.len();
            rest = after.get(length..)?;
            places.insert(*name, start..start + length);
        }
        Some(Self { bytes, places })
    }

    pub(super) fn is_empty(&self) -> bool {
        self.places.is_empty()
    }
}

impl CacheStore for Functions {
    fn get(&self, name: &[u8]) -> Option<Cow<'_, [u8]>> {
        let place = self.places.get(name)?;
        Some(Cow::Borrowed(&self.bytes[place.clone()]))
    }

    fn insert(&self, _name: &[u8], _contents: Vec<u8>) -> bool {
        false
    }
}

impl fmt::Debug for Functions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} compiled functions", self.places.len())
    }
}

/// Compiles the functions of a skeleton, to be kept.
///
/// It compiles twice. The names of wasmtime 48 also depend on what the functions before have left behind in the compiler (its
/// tables of exceptions are not cleared), and compiling leaves behind something else than finding does. Without the
/// second time, in which every function is found, one of twenty was not found later, and that took a second. Both times
/// must make the same code.
pub(super) fn compile(skeleton: &[u8]) -> Result<Vec<u8>, Unjudged> {
    let digest_with = |store: Arc<dyn CacheStore>| {
        let engine = engine::compiler_with(store).map_err(|error| Unjudged::Machine(error.to_string()))?;
        let (_, code) = judge::compile(&engine, skeleton)?;
        Ok::<_, Unjudged>(Sha256::digest(code))
    };
    let compiled = Arc::new(Compiled::default());
    let first = digest_with(compiled.clone())?;
    let named = Arc::new(Named { compiled: mem::take(&mut lock(&compiled.0)), names: Mutex::default() });
    if digest_with(named.clone())? != first {
        return Err(Unjudged::Machine("compiling twice has made two different codes".into()));
    }
    // Functions that are alike have one name.
    let names = lock(&named.names);
    let functions: BTreeMap<&Name, &Vec<u8>> = names.iter().zip(&named.compiled).collect();
    let mut written = Vec::new();
    for (name, contents) in functions {
        let length =
            Length::try_from(contents.len()).expect("the address space of a child has no room for more");
        written.extend_from_slice(name);
        written.extend_from_slice(&length.to_le_bytes());
        written.extend_from_slice(contents);
    }
    Ok(written)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A store in which nothing is found. It keeps the functions in the order in which they were looked for.
#[derive(Debug, Default)]
struct Compiled(Mutex<Vec<Vec<u8>>>);

impl CacheStore for Compiled {
    fn get(&self, _name: &[u8]) -> Option<Cow<'_, [u8]>> {
        lock(&self.0).push(Vec::new());
        None
    }

    fn insert(&self, _name: &[u8], contents: Vec<u8>) -> bool {
        // It is inserted right after it was looked for, because a child compiles on one thread.
        lock(&self.0).last_mut().map(|last| *last = contents).is_some()
    }
}

/// A store that finds the functions in the order in which they were compiled, for any names. It keeps the names.
#[derive(Debug)]
struct Named {
    compiled: Vec<Vec<u8>>,
    names: Mutex<Vec<Name>>,
}

impl CacheStore for Named {
    fn get(&self, name: &[u8]) -> Option<Cow<'_, [u8]>> {
        let mut names = lock(&self.names);
        let compiled = self.compiled.get(names.len())?;
        names.push(name.try_into().ok()?);
        Some(Cow::Borrowed(compiled.as_slice())).filter(|compiled| !compiled.is_empty())
    }

    fn insert(&self, _name: &[u8], _contents: Vec<u8>) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan;

    /// A store that also keeps the number of functions that are not found.
    #[derive(Debug)]
    struct Counted(Functions, Mutex<usize>);

    impl CacheStore for Counted {
        fn get(&self, name: &[u8]) -> Option<Cow<'_, [u8]>> {
            let found = self.0.get(name);
            *lock(&self.1) += usize::from(found.is_none());
            found
        }

        fn insert(&self, name: &[u8], contents: Vec<u8>) -> bool {
            self.0.insert(name, contents)
        }
    }

    /// The code of a component, made with kept functions, and the number of those that were not found.
    fn compiled_with(kept: &[u8], component: &[u8]) -> (Vec<u8>, usize) {
        let functions = Functions::open(kept.to_vec()).expect("they are in their form");
        let store = Arc::new(Counted(functions, Mutex::default()));
        let engine = engine::compiler_with(store.clone()).expect("an engine can be made");
        let (_, code) = judge::compile(&engine, component).expect("it compiles");
        (code, mem::take(&mut lock(&store.1)))
    }

    fn kept_for(component: &[u8]) -> Vec<u8> {
        compile(&scan::skeleton(component).expect("it has a skeleton")).expect("it compiles")
    }

    #[test]
    fn kept_functions_are_found_and_make_the_same_code() {
        for name in ["sweeper", "remembers", "looks-around", "shoots-at-random"] {
            let component = arena_testkit::zoo(name);
            let (plain, all) = compiled_with(&[], &component);
            let own = compile(&component).expect("it compiles");
            assert!(compiled_with(&own, &component) == (plain.clone(), 0), "{name}");
            let (code, missing) = compiled_with(&kept_for(&component), &component);
            assert!(code == plain, "{name}");
            // A function that starts a module sets up its data, which a skeleton does not have.
            assert!(missing < all / 4, "{name}: {missing} of {all}");
        }
    }

    #[test]
    fn functions_of_another_component_change_no_code() {
        let [kept, component] = ["remembers", "sweeper"].map(arena_testkit::zoo);
        let (plain, _) = compiled_with(&[], &component);
        assert!(compiled_with(&kept_for(&kept), &component).0 == plain);
    }

    #[test]
    fn functions_that_are_cut_off_are_not_opened() {
        let kept = kept_for(&arena_testkit::zoo("sweeper"));
        for length in (1..kept.len()).step_by(97) {
            let is_open = Functions::open(kept[..length].to_vec()).is_some();
            let ends = Functions::open(kept.clone()).expect("they are in their form").places;
            assert_eq!(is_open, ends.values().any(|place| place.end == length), "{length} bytes");
        }
    }
}
