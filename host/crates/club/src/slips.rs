//! The slips that an organiser prints and hands out: a page for each author, with the address, the token, and both as codes for a camera. They
//! are made on the organiser's machine and never served.

use crate::client::Address;
use askama::Template;
use qrcodegen::{QrCode, QrCodeEcc};
use std::fmt::Write;

/// The token of an author.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slip {
    /// The name of the author.
    pub author: String,
    /// The token.
    pub token: String,
}

/// The page for printing.
#[derive(Template)]
#[template(path = "slips.html")]
struct SlipsPage<'a> {
    address: &'a str,
    slips: &'a [Slip],
}

/// The slips of authors of the club at this address, as a page for printing. It needs no other file.
pub fn slips(club: &Address, slips: &[Slip]) -> String {
    let address = format!("{}/me/", club.base);
    SlipsPage { address: &address, slips }.render().unwrap_or_default()
}

impl SlipsPage<'_> {
    /// A text as a QR code, in SVG; empty if it is too long for one.
    fn code(&self, text: &str) -> String {
        let Ok(code) = QrCode::encode_text(text, QrCodeEcc::Medium) else { return String::new() };
        let mut path = String::new();
        for (x, y) in (0..code.size()).flat_map(|y| (0..code.size()).map(move |x| (x, y))) {
            if code.get_module(x, y) {
                let _ = write!(path, "M{x} {y}h1v1h-1z");
            }
        }
        // Four modules are left free around a code.
        let size = code.size() + 8;
        format!(
            "<svg viewBox=\"-4 -4 {size} {size}\" role=\"img\" aria-label=\"QR code\"><path d=\"{path}\"/></svg>"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_author_has_a_page_with_the_address_the_token_and_both_as_codes() {
        let all = ["<b>ann", "gül"].map(|author| Slip { author: author.into(), token: "x&y".repeat(14) });
        let address = "https://club.example.org/".parse().expect("it is an address");
        let page = slips(&address, &all);
        assert!(page.contains("&#60;b&#62;ann") && page.contains("gül") && !page.contains("<b>"), "{page}");
        assert_eq!(page.matches("<section>").count(), 2);
        assert_eq!(page.matches("<svg").count(), 4);
        assert_eq!(page.matches("<code>https://club.example.org/me/</code>").count(), 2);
        assert_eq!(page.matches("<code>x&#38;yx").count(), 2);
        // The finder pattern of a code is a square of seven modules, and begins at its corner.
        assert!(page.contains("<path d=\"M0 0h1v1h-1zM1 0h1v1h-1z"));
    }

    #[test]
    fn a_text_that_is_too_long_has_no_code() {
        let page = SlipsPage { address: "", slips: &[] };
        assert!(page.code(&"x".repeat(2_331)).starts_with("<svg"));
        assert_eq!(page.code(&"x".repeat(2_332)), "");
    }
}
