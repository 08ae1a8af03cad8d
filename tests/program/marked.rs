//! Texts as editors save them: a byte order mark makes no difference, and UTF-16 is named.

use crate::support::{Place, Run, command};
use arena_cluster::WorkerKey;

/// A byte order mark.
const MARK: &str = "\u{feff}";

/// A text that is written to a file, and a command that reads it.
#[track_caller]
fn check(place: &Place, file: &str, text: &str, args: &str) {
    let run = |bytes: &[u8]| {
        place.write(file, bytes);
        let Run { code, stdout, stderr, .. } = place.arena(args);
        (code, stdout, stderr)
    };
    let plain = run(text.as_bytes());
    assert!(!plain.2.contains("UTF"), "{}", plain.2);
    assert_eq!(run(format!("{MARK}{text}").as_bytes()), plain, "{file} with a mark");
    let utf_16: Vec<u8> = format!("{MARK}{text}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    let (code, _, stderr) = run(&utf_16);
    assert!(code == 2 && stderr.contains("is UTF-16; save it as UTF-8"), "{file}: {code}: {stderr}");
}

#[test]
fn each_text_that_people_write_or_download_may_begin_with_a_byte_order_mark() {
    let place = Place::with_specimens(&["sweeper", "repeats"]);
    let run = "run sweeper.wasm repeats.wasm --games 2 --seed 1 -q";
    place.arena(&format!("{run} --transcripts t")).expect_code(0);
    let transcript = std::fs::read_to_string(place.path("t/1-sweeper-vs-repeats.jsonl")).unwrap();
    check(&place, "game.jsonl", &transcript, "replay game.jsonl --headless");
    check(&place, "my.toml", "like = \"guide\"\nwidth = 7\n", &format!("{run} --rules my.toml"));
    std::fs::create_dir(place.path("bot")).unwrap();
    check(&place, "bot/arena.toml", "build = \"false\"\nbot = \"bot.wasm\"\n", "dev bot --once -q");
    // Nothing listens there: what is compared is the failure to connect.
    check(&place, "token", "abcdefgh\r\n", "mine --to http://127.0.0.1:1 --token-file token");
    let key = WorkerKey::fresh();
    check(&place, "my.key", &key.seed(), "worker nats://127.0.0.1:1 --key my.key");
    let register = format!("[[worker]]\nkey = \"{}\"\nname = \"north\"\nowner = \"ann\"\n", key.public());
    check(&place, "workers.toml", &register, "workers block north --why slow --admit workers.toml");
}

#[test]
fn a_token_in_a_variable_may_begin_with_a_byte_order_mark() {
    let place = Place::empty();
    let mine = |token: &str| {
        let mut command = command(place.folder(), &["mine", "--to", "http://127.0.0.1:1"]);
        Run::of(command.env("ARENA_TOKEN", token)).stderr
    };
    assert!(mine("a b").contains("the token is not one of a club"));
    assert_eq!(mine(&format!("{MARK}abcdefgh\r\n")), mine("abcdefgh"));
}
