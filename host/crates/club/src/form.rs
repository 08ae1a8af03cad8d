//! Forms with a file, as browsers send them.

use crate::uploads::Refusal;
use futures_util::Stream;
use http::StatusCode;
use http::header::{CONTENT_TYPE, HeaderMap};
use multer::bytes::{Buf, Bytes};
use multer::{Constraints, Field, Multipart, SizeLimit};
use std::io::{self, Read};
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio::runtime::Runtime;

/// The longest token that is read, in bytes. Chosen: longer than any token.
const TOKEN_BYTES_MAX: u64 = 1 << 10;

/// The bytes of a form besides those of its file. Chosen: ten times what browsers send.
const FORM_BYTES_MAX: u64 = 64 << 10;

/// The bytes that are read at a time. Chosen: usual.
const BLOCK_BYTES: usize = 64 << 10;

/// True if a request has a form with files.
pub(crate) fn is_form(headers: &HeaderMap) -> bool {
    boundary(headers).is_some()
}

fn boundary(headers: &HeaderMap) -> Option<String> {
    multer::parse_boundary(headers.get(CONTENT_TYPE)?.to_str().ok()?).ok()
}

/// The blocks of a body. Reading waits, and so does everything that polls this. It is not ready after each block, because the parser
/// would otherwise take the whole body into memory before it looks at it.
struct Blocks<R> {
    body: R,
    is_read: bool,
}

impl<R: Read + Unpin> Stream for Blocks<R> {
    type Item = io::Result<Bytes>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.is_read = !self.is_read;
        if !self.is_read {
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        let mut block = vec![0; BLOCK_BYTES];
        Poll::Ready(match self.body.read(&mut block) {
            Ok(0) => None,
            Ok(read) => {
                block.truncate(read);
                Some(Ok(block.into()))
            }
            Err(error) => Some(Err(error)),
        })
    }
}

/// The file of a form, as it arrives.
struct FileOfForm<'a> {
    field: Field<'static>,
    block: Bytes,
    runtime: &'a Runtime,
}

impl Read for FileOfForm<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        while !self.block.has_remaining() {
            match self.runtime.block_on(self.field.chunk()).map_err(failure)? {
                Some(block) => self.block = block,
                None => return Ok(0),
            }
        }
        let read = bytes.len().min(self.block.remaining());
        self.block.copy_to_slice(&mut bytes[..read]);
        Ok(read)
    }
}

/// The failure to read a form: that of its connection, if it has failed.
fn failure(error: multer::Error) -> io::Error {
    match error {
        multer::Error::StreamReadFailed(error) => match error.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(error) => io::Error::other(error),
        },
        error => io::Error::other(error),
    }
}

/// Reads a form: first the field `token`, which `use_token` is called with, and then the field `bot`, which `receive` reads.
pub(crate) fn read<A, T>(
    headers: &HeaderMap,
    body: impl Read + Send + Unpin + 'static,
    bytes_max: u64,
    use_token: impl FnOnce(&str) -> Result<A, Refusal>,
    receive: impl FnOnce(A, &mut dyn Read) -> Result<T, Refusal>,
) -> Result<T, Refusal> {
    let wrong = || {
        Refusal::new(
            StatusCode::BAD_REQUEST,
            "the form has no token and no file after it",
            "use the page /submit",
        )
    };
    let boundary = boundary(headers).ok_or_else(wrong)?;
    // It only calls the parser again.
    let runtime = tokio::runtime::Builder::new_current_thread().build();
    let runtime = runtime
        .map_err(|error| Refusal::new(StatusCode::SERVICE_UNAVAILABLE, error.to_string(), "try again"))?;
    let limits =
        SizeLimit::new().whole_stream(bytes_max + FORM_BYTES_MAX).for_field("token", TOKEN_BYTES_MAX);
    let limits = Constraints::new().allowed_fields(vec!["token", "bot"]).size_limit(limits);
    let mut form = Multipart::with_constraints(Blocks { body, is_read: false }, boundary, limits);
    let field = |form: &mut Multipart<'static>, name: &str| {
        let field = runtime.block_on(form.next_field()).ok().flatten();
        field.filter(|field| field.name() == Some(name)).ok_or_else(wrong)
    };
    let token = field(&mut form, "token")?;
    let token = runtime.block_on(token.text()).map_err(|_| wrong())?;
    let known = use_token(token.trim())?;
    let bot = field(&mut form, "bot")?;
    receive(known, &mut FileOfForm { field: bot, block: Bytes::new(), runtime: &runtime })
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "--x\r\nContent-Disposition: form-data; name=\"token\"\r\n\r\nsecret\r\n--x\r\n\
                        Content-Disposition: form-data; name=\"bot\"; filename=\"a.wasm\"\r\n\r\n";

    fn form(body: impl Read + Send + Unpin + 'static) -> Result<(String, usize), Refusal> {
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, "multipart/form-data; boundary=x".parse().expect("it is a value"));
        read(
            &headers,
            body,
            1 << 20,
            |token| Ok(token.to_owned()),
            |token, file| {
                let mut bytes = Vec::new();
                let read = file.read_to_end(&mut bytes);
                read.map(|size| (token, size))
                    .map_err(|error| Refusal::new(StatusCode::BAD_REQUEST, error.to_string(), ""))
            },
        )
    }

    #[test]
    fn a_form_has_a_token_and_a_file_of_any_bytes() {
        let file = [b"\0asm\r\n--y\r\n".as_slice(), &[7; 200_000]].concat();
        let text = [HEAD.as_bytes(), &file, b"\r\n--x--\r\n"].concat();
        assert_eq!(form(io::Cursor::new(text)), Ok(("secret".into(), file.len())));
    }

    #[test]
    fn a_form_that_is_cut_off_too_large_or_without_a_token_is_refused() {
        let endless = Read::chain(HEAD.as_bytes(), io::repeat(7));
        assert!(form(endless).is_err());
        let (first, second) = HEAD.split_at(HEAD.rfind("--x").expect("it is there"));
        for text in [HEAD.to_owned(), String::new(), format!("{second}abc\r\n--x--"), first.to_owned()] {
            assert!(form(io::Cursor::new(text.clone())).is_err(), "{text}");
        }
    }
}
