//! One game of a person against a bot: the referee on a thread of its own, and what the page is told.

use crate::form::Form;
use crate::lane::Lane;
use crate::played::{Choices, Fleet, Played};
use arena_live::{Decision, Patience, Person, Question, person_id};
use arena_loaded::{Order, component, run};
use arena_pages::board::{Look, lines, looks};
use arena_pages::{Page, lone_replay};
use arena_pictures::{Timeline, Viewpoint, VisiblePosition, said, spot};
use arena_players::{CalledBots, CalledPlayer, Contestant, Draw, Plan, header, referee};
use arena_record::{GameResult, Header, Label};
use arena_referee::{GameNotice, HostError, NoReply, Player, Reply, Stopped};
use arena_resources::NewThread;
use arena_rules::{GameRules, Outcome, Placement, Seat, random, with_game};
use arena_sandbox::{Sandbox, Sandboxed};
use serde::{Deserialize, Serialize};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// A game's stack. Chosen: twice as much as the standard library gives a thread, as of a game in a terminal.
const STACK_BYTES: usize = 4 << 20;

/// The number of the latest events that a page is told with each of them. Chosen: a page that has missed more shows a gap, and the boards are
/// whole.
const SAID_MAX: usize = 12;

/// The longest reason in a sentence, in characters. Chosen: three lines.
const WHY_CHARS_MAX: usize = 300;

/// The opponent of a person, and what their games depend on.
#[derive(Clone)]
pub struct Opponent {
    /// The sandbox of the bot.
    pub sandbox: Sandbox,
    /// The bot.
    pub contestant: Contestant,
    /// The conditions of the games, and their seed.
    pub plan: Plan,
    /// The name of the person.
    pub person: Label,
    /// The person's seat in the first game. It changes from game to game.
    pub seat: Seat,
}

/// The time that a person has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Times {
    pub(crate) turn: Duration,
    pub(crate) game: Duration,
}

/// What a page sends.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Sent {
    /// The number of events that the page has seen.
    position: usize,
    decision: SentDecision,
}

/// The decision of a person, as a page sends it.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum SentDecision {
    Ships(Vec<Placement>),
    Action(String),
    Resign,
}

/// The reason why a decision is not taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Objection {
    /// It is not a legal one: a sentence for the person.
    Illegal(String),
    /// The game does not wait for it.
    Late,
}

/// A game of any kind.
pub(crate) trait Table: Send + Sync {
    /// Follows the document that the page shows.
    fn follow(&self) -> watch::Receiver<Arc<str>>;

    /// Takes a decision of the person. It may wait for the game's code.
    fn decide(&self, sent: Sent) -> Result<(), Objection>;

    /// A random legal placing of the ships.
    fn draw_ships(&self, seed: u64) -> Option<Vec<Placement>>;

    /// True when the game has ended, with a result or without.
    fn is_over(&self) -> bool;

    /// Ends the game without a result.
    fn leave(&self);

    /// The page with the replay; `None` unless the game has a result. It may take some tenths of a second.
    fn replay(&self) -> Option<Arc<Page>>;

    /// The header of the game and its result, if it has one.
    fn result(&self) -> Option<(Header, GameResult)>;
}

/// Begins the game of this number, from 0, between a person and an opponent.
///
/// # Errors
/// The system has no thread for it, or the rules are not playable.
pub(crate) fn begin(
    opponent: &Arc<Opponent>,
    number: u32,
    times: Option<Times>,
    lane: &Arc<Lane>,
) -> Result<Arc<dyn Table>, HostError> {
    with_game!(opponent.plan.conditions.rules.kind(), G => begin_of::<G>(opponent, number, times, lane))
}

fn begin_of<G: Played>(
    opponent: &Arc<Opponent>,
    number: u32,
    times: Option<Times>,
    lane: &Arc<Lane>,
) -> Result<Arc<dyn Table>, HostError> {
    let Opponent { contestant, plan, person, seat, .. } = &**opponent;
    let me = if number.is_multiple_of(2) { *seat } else { seat.other() };
    let mut bots = [contestant.id.clone(), contestant.id.clone()];
    bots[me.index()] = person_id(person.clone());
    let draw = Draw::of(plan, number, [&bots[0].sha256, &bots[1].sha256]);
    let header = header(plan, number + 1, contestant.bot.contract(), bots, draw);
    let timeline = Timeline::<G>::new(header.clone()).map_err(HostError::defect)?;
    let hand = Hand { timeline, asked: None, decide: None, end: None, log: None, form: None, replay: None };
    let table = Arc::new(Live {
        me,
        turn: times.map(|times| times.turn),
        end: times.map(|times| Instant::now() + times.game),
        hand: Mutex::new(hand),
        shown: watch::Sender::new("".into()),
    });
    let asked = Arc::clone(&table);
    let (person, decide) = Person::new(me, move |_, question| asked.ask(question));
    table.hand().decide = Some(decide);
    table.show(&table.hand());
    let (playing, opponent, lane) = (Arc::clone(&table), Arc::clone(opponent), Arc::clone(lane));
    NewThread::named("visitor").with_stack(STACK_BYTES).start(move || {
        let ended = playing.play(&opponent, &header, person, &lane, draw);
        playing.end(ended);
    })?;
    Ok(table)
}

/// A game that is played or was played.
struct Live<G: Played> {
    me: Seat,
    /// The time of the person for a turn.
    turn: Option<Duration>,
    /// The time at which the game ends at the latest.
    end: Option<Instant>,
    hand: Mutex<Hand<G>>,
    shown: watch::Sender<Arc<str>>,
}

/// The state of a game for the person.
struct Hand<G: Played> {
    timeline: Timeline<G>,
    /// The question that waits for the person.
    asked: Option<Question<G>>,
    /// The way to the person as a player; `None` when the person has left.
    decide: Option<Sender<Decision<G>>>,
    /// The end: a sentence if there is no result.
    end: Option<Result<(), String>>,
    /// The form of an action, in a game that is a component.
    form: Option<Form>,
    /// The whole log of the bot, after the end.
    log: Option<String>,
    replay: Option<Arc<Page>>,
}

/// What the page shows.
#[derive(Serialize)]
struct Shown<'a> {
    /// The number of events so far.
    position: usize,
    phase: &'static str,
    seat: u8,
    /// The person and the bot.
    names: [&'a str; 2],
    /// The latest events as sentences.
    said: Vec<String>,
    /// A sentence about an end without a result.
    #[serde(skip_serializing_if = "Option::is_none")]
    trouble: Option<&'a str>,
    /// True if the person has won; `None` for a draw and before the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    won: Option<bool>,
    /// The letters of the columns; empty in a game without boards.
    columns: String,
    /// The person's own board, and the other one.
    boards: [Vec<Look>; 2],
    /// The lines over them, when the game is over.
    lines: [Vec<[usize; 2]>; 2],
    /// The ships afloat, as of the boards.
    afloat: [&'a str; 2],
    picture: &'a str,
    /// The same as the game draws it.
    #[serde(skip_serializing_if = "Option::is_none")]
    drawing: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fleet: Option<Fleet>,
    #[serde(skip_serializing_if = "Option::is_none")]
    choices: Option<Choices>,
    #[serde(skip_serializing_if = "Option::is_none")]
    form: Option<&'a Form>,
}

impl<G: Played> Live<G> {
    fn hand(&self) -> MutexGuard<'_, Hand<G>> {
        self.hand.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Passes a question of the referee to the page.
    fn ask(&self, question: Question<G>) -> Option<Patience> {
        let mut hand = self.hand();
        hand.decide.as_ref()?;
        hand.asked = Some(question);
        self.show(&hand);
        let until = self.turn.map(|turn| Instant::now() + turn);
        Some(match until.into_iter().chain(self.end).min() {
            Some(end) => Patience::Until(end),
            None => Patience::Forever,
        })
    }

    fn play(
        &self,
        opponent: &Opponent,
        header: &Header,
        mut person: Person<G>,
        lane: &Lane,
        draw: Draw,
    ) -> Result<String, Stopped> {
        let Opponent { sandbox, contestant, plan, .. } = opponent;
        let theirs = self.me.other();
        let bots = vec![contestant.bot.clone()];
        // Without a form, an action is typed.
        self.hand().form = lane.begin(|| form(sandbox, &plan.conditions.rules));
        let called = lane.begin(|| CalledBots::new(sandbox, bots, &plan.conditions, plan.times))?;
        let player = called.seat::<G>(0, draw.sides[theirs.index()])?;
        let mut bot = InLane { player, lane };
        let mut failed = None;
        let mut tell = |event| {
            let mut hand = self.hand();
            match hand.timeline.push(event) {
                Ok(()) => self.show(&hand),
                Err(error) => failed = Some(HostError::defect(error)),
            }
        };
        // The bot's budgets stay in force; a turn that the watchdog stops is scored, since the game is not restarted.
        match self.me {
            Seat::First => referee(header, [&mut person, &mut bot], true, &mut tell),
            Seat::Second => referee(header, [&mut bot, &mut person], true, &mut tell),
        }?;
        match failed {
            Some(failed) => Err(failed.into()),
            None => Ok(bot.player.log()),
        }
    }

    fn end(&self, ended: Result<String, Stopped>) {
        let mut hand = self.hand();
        hand.asked = None;
        hand.end = Some(match ended {
            Ok(log) => {
                hand.timeline.set_whole_log(self.me.other(), log.clone());
                hand.log = Some(log);
                Ok(())
            }
            Err(Stopped::Left) if hand.decide.is_none() => Err("You have left the game.".into()),
            Err(Stopped::Left) => {
                Err("The time for a decision is over, so the game has ended without a result.".into())
            }
            Err(stopped) => {
                let why = arena_text::line(&stopped.to_string(), WHY_CHARS_MAX);
                tracing::warn!("a game against a person has no result: {why}");
                Err(format!("The game has no result: {why}"))
            }
        });
        hand.decide = None;
        self.show(&hand);
    }

    /// Tells the page where the game stands.
    fn show(&self, hand: &Hand<G>) {
        let Hand { timeline, asked, end, form, .. } = hand;
        let (me, theirs) = (self.me, self.me.other());
        let is_over = matches!(end, Some(Ok(())));
        let viewpoint = if is_over { Viewpoint::Truth } else { Viewpoint::Of(me) };
        let visible = VisiblePosition::of(timeline, viewpoint, is_over.then_some(theirs));
        let of = [me, theirs].map(Seat::index);
        let moment = || timeline.moment(timeline.len());
        let shown = Shown {
            position: timeline.len(),
            phase: match (end, asked) {
                (Some(Ok(())), _) => "over",
                (Some(Err(_)), _) => "stopped",
                (None, Some(Question::Deployment(_))) => "placing",
                (None, Some(Question::Action)) => "turn",
                (None, None) => "waiting",
            },
            seat: me.into(),
            names: [timeline.name(me), timeline.name(theirs)],
            said: said(timeline, timeline.len().saturating_sub(SAID_MAX), viewpoint),
            trouble: end.as_ref().and_then(|end| end.as_ref().err()).map(String::as_str),
            won: match timeline.end() {
                Some((Outcome::Win(winner), _)) => Some(winner == me),
                _ => None,
            },
            columns: (0..timeline.size().width).map(spot::column).collect(),
            boards: of.map(|owner| looks(&visible.boards[owner])),
            lines: of.map(|owner| lines(&visible.boards[owner])),
            afloat: of.map(|owner| visible.afloat[owner].as_str()),
            picture: &visible.picture,
            drawing: visible.drawing.as_deref(),
            fleet: matches!(asked, Some(Question::Deployment(_))).then(|| G::fleet(timeline.rules())),
            choices: matches!(asked, Some(Question::Action)).then(|| G::choices(&moment(), me)),
            form: form.as_ref().filter(|_| matches!(asked, Some(Question::Action))),
        };
        let document = serde_json::to_string(&shown).expect("it is plain data");
        self.shown.send_replace(document.into());
    }

    /// The decision that was sent, if it is legal.
    fn read(&self, hand: &Hand<G>, decision: SentDecision) -> Result<Decision<G>, Objection> {
        let timeline = &hand.timeline;
        match (decision, &hand.asked) {
            (_, None) => Err(Objection::Late),
            (SentDecision::Resign, _) => Ok(Decision::Resign),
            (SentDecision::Ships(ships), Some(Question::Deployment(_))) => {
                let deployment = G::placed(ships).map_err(Objection::Illegal)?;
                match G::setup(timeline.rules(), &deployment) {
                    Ok(_) => Ok(Decision::Deployment(deployment)),
                    Err(error) => Err(Objection::Illegal(error.to_string())),
                }
            }
            (SentDecision::Action(text), Some(Question::Action)) => {
                let action = G::read_action(timeline.rules(), &text).map_err(Objection::Illegal)?;
                let moment = timeline.moment(timeline.len());
                match G::objection(&moment, self.me, &action) {
                    None => Ok(Decision::Action(action)),
                    Some(why) => Err(Objection::Illegal(why)),
                }
            }
            (SentDecision::Ships(_) | SentDecision::Action(_), Some(_)) => Err(Objection::Late),
        }
    }
}

impl<G: Played> Table for Live<G> {
    fn follow(&self) -> watch::Receiver<Arc<str>> {
        self.shown.subscribe()
    }

    fn decide(&self, sent: Sent) -> Result<(), Objection> {
        let mut hand = self.hand();
        if sent.position != hand.timeline.len() {
            return Err(Objection::Late);
        }
        let decision = self.read(&hand, sent.decision)?;
        hand.asked = None;
        if let Some(decide) = &hand.decide {
            // If its time has passed just now, the page is told so.
            let _ = decide.send(decision);
        }
        self.show(&hand);
        Ok(())
    }

    fn draw_ships(&self, seed: u64) -> Option<Vec<Placement>> {
        let hand = self.hand();
        let setup = G::any_setup(hand.timeline.rules(), &mut random::seeded(seed)).ok()?;
        Some(G::ships(&G::deployment(&setup)))
    }

    fn is_over(&self) -> bool {
        self.hand().end.is_some()
    }

    fn leave(&self) {
        self.hand().decide = None;
    }

    fn replay(&self) -> Option<Arc<Page>> {
        let (transcript, log) = {
            let hand = self.hand();
            if let Some(page) = &hand.replay {
                return Some(Arc::clone(page));
            }
            (hand.timeline.transcript()?, hand.log.clone()?)
        };
        let mut logs = [None, None];
        logs[self.me.other().index()] = Some(log);
        // The recording is the game that was just refereed.
        let page = Arc::new(lone_replay(&transcript, logs, "A person’s game").ok()?);
        self.hand().replay = Some(Arc::clone(&page));
        Some(page)
    }

    fn result(&self) -> Option<(Header, GameResult)> {
        let hand = self.hand();
        let transcript = hand.timeline.transcript()?;
        Some((transcript.header, GameResult::of(&transcript.events).ok()?))
    }
}

/// The form of an action of a game that is a component.
fn form(sandbox: &Sandbox, rules: &GameRules) -> Option<Form> {
    let answer = run(sandbox, &component(rules)?.ok()?, Order::Contract, |_| true).ok()?;
    Some(Form::of_action(&answer.contract?))
}

/// A bot that has its turns when the lane is free.
struct InLane<'a, 'p, G: Sandboxed> {
    player: CalledPlayer<'p, G>,
    lane: &'a Lane,
}

impl<G: Sandboxed> Player<G> for InLane<'_, '_, G> {
    fn deploy(&mut self, game: &G::Info, fuel: u64) -> Result<Reply<G::Deployment>, NoReply> {
        self.lane.work(|| (self.player.deploy(game, fuel), self.player.took()))
    }

    fn play(&mut self, game: &G::Info, view: &G::View, fuel: u64) -> Result<Reply<G::Action>, NoReply> {
        self.lane.work(|| (self.player.play(game, view, fuel), self.player.took()))
    }

    fn begin_turn(&mut self) {
        self.player.begin_turn();
    }

    fn restart(&mut self) -> Result<(), HostError> {
        Player::<G>::restart(&mut self.player)
    }

    fn hear(&mut self, notice: &GameNotice<'_, G>) {
        self.player.hear(notice);
    }
}
