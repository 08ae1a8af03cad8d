//! The site from which a browser's request comes, and whether it came over TLS.

use axum::http::header::{HOST, HeaderMap, HeaderName, ORIGIN};

/// The header in which a browser says from which site a request comes.
const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// The headers in which a proxy says how it was reached.
const FORWARDED_HOST: HeaderName = HeaderName::from_static("x-forwarded-host");
const FORWARDED_PROTO: HeaderName = HeaderName::from_static("x-forwarded-proto");

/// True unless a browser says that a page of another site has made a request. A program that is no browser says nothing.
pub fn is_own(headers: &HeaderMap) -> bool {
    if let Some(site) = text(headers, FETCH_SITE) {
        return site == "same-origin";
    }
    let Some(origin) = text(headers, ORIGIN) else { return true };
    let Some((_, origin)) = origin.split_once("://") else { return false };
    [HOST, FORWARDED_HOST].into_iter().filter_map(|name| text(headers, name)).any(|host| host == origin)
}

/// True if the browser has sent a request over TLS, to a proxy. A client that claims it wrongly gets a cookie that it does not send back.
pub fn is_tls(headers: &HeaderMap) -> bool {
    text(headers, FORWARDED_PROTO) == Some("https")
        || text(headers, ORIGIN).is_some_and(|origin| origin.starts_with("https://"))
}

fn text(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    headers.get(name)?.to_str().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        let pair = |&(name, value): &(&'static str, &str)| {
            (HeaderName::from_static(name), HeaderValue::from_str(value).expect("it is plain"))
        };
        pairs.iter().map(pair).collect()
    }

    #[test]
    fn a_request_of_another_site_is_known_by_what_its_browser_says() {
        for own in [
            headers(&[("host", "club:80")]),
            headers(&[("sec-fetch-site", "same-origin"), ("origin", "https://other")]),
            headers(&[("host", "club:80"), ("origin", "http://club:80")]),
            headers(&[("host", "127.0.0.1"), ("x-forwarded-host", "club"), ("origin", "https://club")]),
        ] {
            assert!(is_own(&own), "{own:?}");
        }
        for other in [
            headers(&[("sec-fetch-site", "same-site")]),
            headers(&[("sec-fetch-site", "cross-site"), ("host", "club"), ("origin", "https://club")]),
            headers(&[("host", "club"), ("origin", "http://club:81")]),
            headers(&[("host", "club"), ("origin", "null")]),
        ] {
            assert!(!is_own(&other), "{other:?}");
        }
    }
}
