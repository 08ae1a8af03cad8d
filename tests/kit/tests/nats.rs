//! The server of the tests: a real one, which keeps what it was given.

use arena_testkit::nats::server_or_skip;
use serde_json::json;
use std::panic::{AssertUnwindSafe, catch_unwind};

const STREAM: &str = "$JS.API.STREAM.CREATE.KEPT";

#[test]
fn a_server_keeps_its_messages_and_its_port_whether_it_is_stopped_or_killed() {
    let Some(mut server) = server_or_skip(&[]) else { return };
    let settings = json!({"name": "KEPT", "subjects": ["kept"], "storage": "file"});
    let made = server.request(STREAM, settings.to_string().as_bytes());
    assert!(made["error"].is_null(), "{made}");
    let address = server.address();
    for (messages, end) in [(1, "stop"), (2, "kill")] {
        server.publish("kept", b"a message");
        assert_eq!(server.messages("KEPT"), Some(messages));
        if end == "stop" {
            server.stop()
        } else {
            server.kill()
        }
        server.start();
        assert_eq!(server.address(), address);
        assert_eq!(server.messages("KEPT"), Some(messages), "after {end}");
    }
    assert_eq!(server.messages("NO_SUCH"), None);
    assert!(server.store().is_dir());
}

#[test]
fn a_listener_hears_what_is_published_until_the_server_ends() {
    let Some(mut server) = server_or_skip(&[]) else { return };
    let mut listener = server.listen(&["a.*", "b"]);
    for (subject, body) in [("a.b", &b"first\r\n"[..]), ("a.c", b""), ("b", b"another")] {
        server.publish(subject, body);
        assert_eq!(listener.hear(), Some((subject.to_owned(), body.to_vec())));
    }
    listener.publish("a.d", b"its own").expect("the server is there");
    assert_eq!(listener.hear(), Some(("a.d".to_owned(), b"its own".to_vec())));
    server.kill();
    assert_eq!(listener.hear(), None);
}

#[test]
fn a_server_with_a_token_lets_nobody_in_without_it() {
    let Some(server) = server_or_skip(&["--auth", "a-token"]) else { return };
    let asked = catch_unwind(AssertUnwindSafe(|| server.messages("NO_SUCH")));
    let refusal = asked.expect_err("it has no token");
    assert!(refusal.downcast_ref::<String>().is_some_and(|words| words.contains("Authorization")));
}
