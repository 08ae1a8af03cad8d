//! The access methods of NATS: with valid credentials a worker plays; without, it gets a clear error that does not contain the secret.

use crate::setting::Running;
use crate::support::{Place, Run, SEED, command};
use arena_testkit::nats::server_or_skip;
use arena_testkit::skip::program_or_skip;
use arena_testkit::wait_for;
use data_encoding::BASE64URL_NOPAD;
use nkeys::KeyPair;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::process::Command;

/// Environment variables with their values.
type Variables<'a> = &'a [(&'a str, &'a str)];

/// Plays a contest of two games with a worker. Both use this address and these variables.
fn play(place: &Place, url: &str, variables: Variables<'_>) {
    let _worker = Running::start(place, "worker", &format!("worker {url} --jobs 1"), variables);
    let args =
        format!("run hunter.wasm random.wasm --games 2 --seed {SEED} --workers {url} --journal arena.db");
    Running::start(place, "coordinator", &args, variables).expect_code(0);
    fs::remove_file(place.path("arena.db")).expect("the run has made a journal");
}

/// Checks that a worker is refused by the server and prints what to do next.
#[track_caller]
fn expect_refused(place: &Place, url: &str, variables: Variables<'_>, secret: &str) {
    let mut worker = command(place.folder(), &["worker", url]);
    let run = Run::of(worker.envs(variables.iter().copied()));
    let printed = format!("{}{}", run.stdout, run.stderr);
    assert!(
        run.code != 0 && printed.contains("next:") && !printed.contains(secret),
        "{}\n{printed}",
        run.code
    );
}

#[test]
fn an_address_can_contain_a_password_or_a_token() {
    let place = Place::with_house_bots();
    let Some(server) = server_or_skip(&["--user", "north", "--pass", "p4ssw%rd"]) else { return };
    play(&place, &server.url_with("north:p4ssw%25rd"), &[]);
    expect_refused(&place, &server.url_with("north:another"), &[], "another");
    expect_refused(&place, &server.url(), &[], "p4ssw");
    let server = server_or_skip(&["--auth", "t0ken"]).expect("there was one");
    play(&place, &server.url_with("t0ken"), &[]);
    expect_refused(&place, &server.url_with("t1ken"), &[], "t1ken");
}

#[test]
fn a_worker_refuses_a_contest_above_its_limits_with_a_sentence_on_both_sides() {
    let place = Place::with_house_bots();
    let Some(server) = server_or_skip(&[]) else { return };
    let url = server.url();
    let args = format!(
        "run hunter.wasm random.wasm --games 2 --memory 512 --seed {SEED} --workers {url} --journal arena.db"
    );
    let mut coordinator = Running::start(&place, "coordinator", &args, &[]);
    let why = "the contest needs 512 MiB of memory for a bot, and the worker allows 256 MiB: its owner can start it with \
               --bot-memory 512";
    let mut small = Running::start(&place, "small", &format!("worker {url} --jobs 1 --name small"), &[]);
    small.expect_code(1);
    assert!(small.printed().contains(why), "{}", small.printed());
    let told = format!("worker small is refused: {why}");
    wait_for(|| coordinator.printed().contains(&told).then_some(())).expect("the organiser is told");
    let limits = "--bot-memory 512 --memory 1023";
    let why =
        "needs 1024 MiB of memory for the bots of 1 game at the same time, and the worker allows 1023 MiB";
    let mut limited = Running::start(&place, "limited", &format!("worker {url} --jobs 1 {limits}"), &[]);
    limited.expect_code(1);
    assert!(limited.printed().contains(why), "{}", limited.printed());
    let limits = "--bot-memory 512 --memory 1024 --components 64";
    let _worker = Running::start(&place, "worker", &format!("worker {url} --jobs 1 {limits}"), &[]);
    coordinator.expect_code(0);
}

#[test]
fn the_environment_variable_of_nats_names_a_credentials_file() {
    let place = Place::with_house_bots();
    let [operator, system, account, user] =
        [KeyPair::new_operator(), KeyPair::new_account(), KeyPair::new_account(), KeyPair::new_user()];
    let limits = json!({
        "subs": -1, "data": -1, "payload": -1, "imports": -1, "exports": -1, "wildcards": true, "conn": -1, "leaf": -1,
        "mem_storage": -1, "disk_storage": -1, "streams": -1, "consumer": -1,
    });
    let account_claims =
        json!({"type": "account", "version": 2, "limits": limits, "default_permissions": {}});
    let system_claims = json!({"type": "account", "version": 2, "limits": {"subs": -1, "data": -1, "payload": -1, "conn": -1,
        "leaf": -1, "imports": -1, "exports": -1, "wildcards": true}, "default_permissions": {}});
    let user_claims = json!({"type": "user", "version": 2, "subs": -1, "data": -1, "payload": -1});
    let config = format!(
        "operator: {}\nsystem_account: {}\nresolver: MEMORY\nresolver_preload: {{\n  {}: {}\n  {}: {}\n}}\n",
        token(&operator, &operator, json!({"type": "operator", "version": 2})),
        system.public_key(),
        system.public_key(),
        token(&operator, &system, system_claims),
        account.public_key(),
        token(&operator, &account, account_claims),
    );
    place.write("server.conf", config);
    place.write("north.creds", credentials(&token(&account, &user, user_claims.clone()), &user));
    let stranger = KeyPair::new_account();
    place.write("stranger.creds", credentials(&token(&stranger, &user, user_claims), &user));
    let path = place.path("server.conf").display().to_string();
    let Some(server) = server_or_skip(&["--config", &path]) else { return };
    play(&place, &server.url(), &[("NATS_CREDS", "north.creds")]);
    // As some editors save it.
    let text = std::fs::read_to_string(place.path("north.creds")).unwrap();
    place.write("marked.creds", format!("\u{feff}{}", text.replace('\n', "\r\n")));
    play(&place, &server.url(), &[("NATS_CREDS", "marked.creds")]);
    let seed = user.seed().expect("it has one");
    expect_refused(&place, &server.url(), &[("NATS_CREDS", "stranger.creds")], &seed);
    expect_refused(&place, &server.url(), &[("NATS_CREDS", "no-such.creds")], &seed);
    expect_refused(&place, &server.url(), &[], &seed);
}

#[test]
fn the_environment_variables_of_nats_name_certificates() {
    if program_or_skip("openssl").is_none() {
        return;
    }
    let place = Place::with_house_bots();
    certificates(place.folder());
    let file = |name: &str| place.path(name).display().to_string();
    let args = [
        "--tls",
        "--tlscert",
        &file("server.pem"),
        "--tlskey",
        &file("server.key"),
        "--tlsverify",
        "--tlscacert",
        &file("ca.pem"),
    ];
    let Some(server) = server_or_skip(&args) else { return };
    let url = server.url().replace("nats://127.0.0.1", "tls://localhost");
    let own = [("NATS_CERT", "client.pem"), ("NATS_KEY", "client.key")];
    play(&place, &url, &[[("NATS_CA", "ca.pem")].as_slice(), &own].concat());
    expect_refused(&place, &url, &own, "PRIVATE KEY");
    expect_refused(&place, &url, &[("NATS_CA", "ca.pem")], "PRIVATE KEY");
    expect_refused(&place, &url, &[("NATS_CA", "ca.pem"), ("NATS_CERT", "client.pem")], "PRIVATE KEY");
}

/// A NATS JWT: an issuer's signed claims about a key.
fn token(issuer: &KeyPair, subject: &KeyPair, claims: Value) -> String {
    let encode = |value: Value| BASE64URL_NOPAD.encode(value.to_string().as_bytes());
    let head = encode(json!({"typ": "JWT", "alg": "ed25519-nkey"}));
    let body = encode(json!({
        "jti": "test", "iat": 0, "iss": issuer.public_key(), "name": "test", "sub": subject.public_key(), "nats": claims,
    }));
    let text = format!("{head}.{body}");
    let signature = issuer.sign(text.as_bytes()).expect("it has a seed");
    format!("{text}.{}", BASE64URL_NOPAD.encode(&signature))
}

/// A credentials file in the format of NATS's tools.
fn credentials(token: &str, user: &KeyPair) -> String {
    let seed = user.seed().expect("it has one");
    format!(
        "-----BEGIN NATS USER JWT-----\n{token}\n------END NATS USER JWT------\n\n\
         -----BEGIN USER NKEY SEED-----\n{seed}\n------END USER NKEY SEED------\n"
    )
}

/// Creates a certificate authority, and certificates for a server and a client.
fn certificates(folder: &Path) {
    let commands = "\
        openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=arena -keyout ca.key -out ca.pem
        for name in server client; do
            openssl req -newkey rsa:2048 -nodes -subj /CN=localhost -addext subjectAltName=DNS:localhost -keyout $name.key -out $name.csr
            openssl x509 -req -in $name.csr -CA ca.pem -CAkey ca.key -CAcreateserial -copy_extensions copy -days 2 -out $name.pem
        done";
    let shell = Command::new("sh").args(["-e", "-c", commands]).current_dir(folder).output();
    let output = shell.expect("there is a shell");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
