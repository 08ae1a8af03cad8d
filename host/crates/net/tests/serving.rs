//! Pairing, several games at once, bots, and the end of serving.

use crate::support::{ATTACK, GREETING, LOSE, PATIENCE, PLACEMENTS, SHORT, Served, Socket, options, patient};
use arena_net::{BotSeat, Options, Participant, Server};
use arena_referee::{Fault, FaultClass, HostError, NoReply, Player, Reply, Stopped};
use arena_rules::submarine::{Action, GameInfo, Ship, Submarine, View};
use arena_rules::{Coord, Outcome, Reason, Seat};
use std::io::ErrorKind;
use std::net::{Ipv4Addr, TcpStream};
use std::ops::ControlFlow;
use std::thread;
use std::time::Instant;

#[test]
fn several_pairs_play_at_once() {
    let served = Served::start(options(patient()));
    let mut pairs: Vec<_> = (0..5).map(|_| served.placed_pair()).collect();
    // All of them are in the middle of a game; now the games end, the last to begin first.
    for (index, [first, second]) in pairs.iter_mut().enumerate().rev() {
        first.says(ATTACK);
        second.says(LOSE);
        first.hears_last("you win");
        second.hears_last("you lose");
        let game = served.game();
        assert_eq!(game.number, index as u64 + 1);
        let addresses =
            [&*first, &*second].map(|socket| Participant::Client(socket.stream.local_addr().unwrap()));
        assert_eq!(game.participants, addresses);
        assert_eq!(game.outcome, Ok((Outcome::Win(Seat::First), Reason::Forfeit)));
    }
    assert_eq!(served.stop().wins, [5, 1]);
}

#[test]
fn pairs_beyond_the_limit_wait_until_a_game_is_over() {
    let served = Served::start(Options { games_at_once: 1, ..options(patient()) });
    let [mut first, mut second] = served.placed_pair();
    let mut waiting = [served.connect(), served.connect()];
    waiting[0].hears_nothing();
    first.says(LOSE);
    first.hears_last("you lose");
    second.hears_last("you win");
    drop((first, second));
    waiting.iter_mut().for_each(|socket| socket.hears(GREETING));
}

#[test]
fn one_client_alone_is_not_greeted() {
    let served = Served::start(options(patient()));
    let mut alone = served.connect();
    alone.hears_nothing();
    let mut other = served.connect();
    alone.hears(GREETING);
    other.hears(GREETING);
}

#[test]
fn a_client_that_leaves_while_it_waits_for_an_opponent_is_not_paired() {
    let served = Served::start(options(patient()));
    for _ in 0..3 {
        let mut gone = served.connect();
        // Long enough for the server to have accepted it.
        gone.hears_nothing();
        drop(gone);
    }
    let [mut first, mut second] = served.placed_pair();
    first.says(LOSE);
    second.hears_last("you win");
    assert_eq!(served.game().number, 1);
}

#[test]
fn a_client_that_leaves_lines_behind_while_it_waits_is_not_paired_either() {
    let served = Served::start(options(patient()));
    let mut gone = served.connect();
    gone.says(PLACEMENTS[0]);
    gone.hears_nothing();
    drop(gone);
    let mut alone = served.connect();
    alone.hears_nothing();
    let mut other = served.connect();
    alone.hears(GREETING);
    other.hears(GREETING);
}

#[test]
fn clients_of_one_address_beyond_its_limit_are_disconnected_until_others_have_left() {
    let served = Served::start(Options { clients_per_address: 3, ..options(patient()) });
    let [mut first, mut second] = served.placed_pair();
    let mut waiting = served.connect();
    waiting.hears_nothing();
    let mut refused = served.connect();
    refused.hears_end();
    first.says(LOSE);
    first.hears_last("you lose");
    second.hears_last("you win");
    drop((first, second, refused));
    // The slots are free once the server has closed the connections.
    served.game();
    let begun = Instant::now();
    while !served.connect().is_greeted() {
        assert!(begun.elapsed() < PATIENCE, "a place should be free");
    }
    waiting.hears(GREETING);
}

#[test]
fn one_address_cannot_take_all_places_while_all_games_are_taken() {
    let served = Served::start(Options { games_at_once: 1, clients_per_address: 4, ..options(patient()) });
    let playing = served.placed_pair();
    let mut waiting = [served.connect(), served.connect()];
    waiting.iter_mut().for_each(Socket::hears_nothing);
    for _ in 0..10 {
        served.connect().hears_end();
    }
    drop(playing);
    waiting.iter_mut().for_each(|socket| socket.hears(GREETING));
}

#[test]
fn the_server_stops_after_the_number_of_games_in_its_options() {
    let served = Served::start(Options { games_max: Some(2), ..options(patient()) });
    let mut pairs = [served.placed_pair(), served.placed_pair()];
    for [first, second] in &mut pairs {
        first.says(LOSE);
        second.hears_last("you win");
    }
    assert_eq!(served.tally().wins, [0, 2]);
}

#[test]
fn a_stop_ends_no_game_that_has_begun_and_begins_no_other() {
    let served = Served::start(options(patient()));
    let [mut first, mut second] = served.placed_pair();
    let mut waiting = served.connect();
    waiting.hears_nothing();
    served.ask_to_stop();
    waiting.hears_end();
    first.says(ATTACK);
    second.says(LOSE);
    first.hears_last("you win");
    drop((first, second));
    let address = served.address;
    assert_eq!(served.tally().games, 1);
    assert_eq!(TcpStream::connect(address).unwrap_err().kind(), ErrorKind::ConnectionRefused);
}

#[test]
fn the_caller_may_stop_after_a_game() {
    let served = Served::start_and_break(options(patient()), |_| ControlFlow::Break(()));
    let [mut first, mut second] = served.placed_pair();
    first.says(LOSE);
    second.hears_last("you win");
    drop((first, second));
    assert_eq!(served.tally().games, 1);
}

#[test]
fn a_port_that_is_taken_is_an_error() {
    let server = Server::bind(Ipv4Addr::LOCALHOST.into(), 0).unwrap();
    let port = server.local_addr().unwrap().port();
    let error = Server::bind(Ipv4Addr::LOCALHOST.into(), port).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::AddrInUse);
}

/// A bot that attacks one cell some times, then traps.
struct Bot {
    attacks: u32,
}

impl Player<Submarine> for Bot {
    fn deploy(&mut self, _game: &GameInfo, fuel: u64) -> Result<Reply<[Coord; 3]>, NoReply> {
        let cells = [Coord::new(1, 1), Coord::new(2, 1), Coord::new(1, 2)];
        Ok(Reply { answer: cells, fuel_used: fuel })
    }

    fn play(&mut self, _game: &GameInfo, view: &View, fuel: u64) -> Result<Reply<Action>, NoReply> {
        assert_eq!(view.own[0].ship, Ship::Battleship);
        if self.attacks == 0 {
            return Err(Fault::new(FaultClass::Trap, "it is a bot of few words").into());
        }
        self.attacks -= 1;
        Ok(Reply { answer: Action::Attack(Coord::new(1, 0)), fuel_used: fuel })
    }
}

#[test]
fn a_client_plays_against_a_bot_and_moves_first() {
    let served = Served::start(Options {
        bot: Some(&|number| Ok(Box::new(Bot { attacks: u32::try_from(number).unwrap() }))),
        fuel_per_turn: 7,
        side_seeds: &|number| [100 + number, 200 + number],
        ..options(patient())
    });
    let mut client = served.connect();
    client.hears(GREETING);
    client.says(PLACEMENTS[0]);
    client.hears("your turn");
    client.says(r#"{"attack":{"to":[1,2]}}"#);
    let me =
        r#""me":{"w":{"hp":3,"position":[0,0]},"c":{"hp":2,"position":[0,1]},"s":{"hp":1,"position":[1,0]}}"#;
    let enemy = r#""enemy":{"w":{"hp":3},"c":{"hp":1},"s":{"hp":1}}"#;
    let attacked = r#""attacked":{"position":[1,2],"hit":"c","near":["w","s"]}"#;
    client.hears(&format!(r#"{{"result":{{{attacked}}},"condition":{{{me},{enemy}}}}}"#));
    client.hears("waiting");
    let me =
        r#""me":{"w":{"hp":3,"position":[0,0]},"c":{"hp":1,"position":[0,1]},"s":{"hp":1,"position":[1,0]}}"#;
    let attacked = r#""attacked":{"position":[0,1],"hit":"c","near":["w","s"]}"#;
    client.hears(&format!(r#"{{"result":{{{attacked}}},"condition":{{{me},{enemy}}}}}"#));
    client.hears("your turn");
    client.says(r#"{"move":{"ship":"w","to":[4,0]}}"#);
    let me =
        r#""me":{"w":{"hp":3,"position":[4,0]},"c":{"hp":1,"position":[0,1]},"s":{"hp":1,"position":[1,0]}}"#;
    client.hears(&format!(r#"{{"condition":{{{me},{enemy}}}}}"#));
    client.hears("waiting");
    client.hears(&format!(r#"{{"outcome":true,"condition":{{{me},{enemy}}}}}"#));
    client.hears("you win");
    client.hears_end();

    let game = served.game();
    assert_eq!(
        game.participants,
        [Participant::Client(client.stream.local_addr().unwrap()), Participant::Bot]
    );
    assert_eq!(game.side_seeds, [101, 201]);
    assert_eq!(game.outcome, Ok((Outcome::Win(Seat::First), Reason::Forfeit)));
    assert_eq!(game.events.iter().filter_map(|event| event.fuel()).sum::<u64>(), 14);
}

#[test]
fn a_bot_sits_where_the_option_says() {
    for (bot_seat, seats) in [
        (BotSeat::First, [Seat::First; 3]),
        (BotSeat::Second, [Seat::Second; 3]),
        (BotSeat::Alternate, [Seat::Second, Seat::First, Seat::Second]),
    ] {
        let served = Served::start(Options {
            bot: Some(&|_| Ok(Box::new(Bot { attacks: 1 }))),
            bot_seat,
            ..options(patient())
        });
        for seat in seats {
            let mut client = served.connect();
            client.hears(GREETING);
            client.says(PLACEMENTS[0]);
            if seat == Seat::First {
                client.hears("waiting");
                assert!(client.line().unwrap().starts_with(r#"{"result":{"attacked":"#));
            }
            client.hears("your turn");
            client.says(LOSE);
            client.hears_last("you lose");
            let game = served.game();
            assert_eq!(game.participants[seat.index()], Participant::Bot, "{bot_seat:?}");
            assert_eq!(game.outcome, Ok((Outcome::Win(seat), Reason::Forfeit)), "{bot_seat:?}");
        }
    }
}

#[test]
fn several_clients_play_against_the_bot_at_once() {
    let served =
        Served::start(Options { bot: Some(&|_| Ok(Box::new(Bot { attacks: 0 }))), ..options(patient()) });
    let mut clients: Vec<_> = (0..4).map(|_| served.connect()).collect();
    for client in &mut clients {
        client.hears(GREETING);
    }
    for client in clients.iter_mut().rev() {
        client.says(PLACEMENTS[0]);
        client.says(ATTACK);
        client.hears_last("you win");
    }
}

#[test]
fn a_failure_of_the_arena_costs_one_game_and_no_client_is_informed_of_a_loss() {
    let served = Served::start(Options {
        bot: Some(&|number| match number {
            1 => Err(HostError::Machine("no bot today".into())),
            2 => panic!("a panic that the test asks for"),
            _ => Ok(Box::new(Bot { attacks: 0 })),
        }),
        ..options(patient())
    });
    for words in ["no bot today", "the game panicked"] {
        let mut client = served.connect();
        client.hears_end();
        assert_eq!(served.game().outcome, Err(Stopped::Host(HostError::Machine(words.into()))));
    }
    let mut client = served.connect();
    client.says(PLACEMENTS[0]);
    client.says(ATTACK);
    client.hears_last("you win");
    served.game();
    served.ask_to_stop();
    let tally = served.tally();
    assert_eq!((tally.games, tally.wins, tally.failed), (3, [1, 0], 2));
}

#[test]
fn a_stop_is_noticed_while_no_client_is_connected() {
    let served = Served::start(options(patient()));
    thread::sleep(SHORT);
    served.ask_to_stop();
    assert_eq!(served.tally().games, 0);
}
