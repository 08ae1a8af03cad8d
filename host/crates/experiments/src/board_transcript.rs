//! The transcript of a board that a bot cleared alone: a game in which seat 2 skips each turn.

use arena_players::{Draw, Plan, header};
use arena_record::{BoardSeeds, BotId, Name, Transcript};
use arena_referee::{Event, Fault, FaultClass, HostError, NoReply, Player, Reply, Verdict};
use arena_rules::{Game, Listed, Ruling, Seat, SoloRecord};

/// The label of seat 2.
const NOBODY: &str = "nobody";

/// A player whose answers in turns are kept.
pub(crate) struct KeptAnswers<'p, G: Game> {
    player: &'p mut dyn Player<G>,
    kept: &'p mut Vec<Reply<G::Action>>,
}

impl<'p, G: Game> KeptAnswers<'p, G> {
    /// This player, whose answers replace those that are kept.
    pub(crate) fn new(player: &'p mut dyn Player<G>, kept: &'p mut Vec<Reply<G::Action>>) -> Self {
        kept.clear();
        Self { player, kept }
    }
}

impl<G: Game> Player<G> for KeptAnswers<'_, G> {
    fn deploy(&mut self, game: &G::Info, fuel: u64) -> Result<Reply<G::Deployment>, NoReply> {
        self.player.deploy(game, fuel)
    }

    fn play(&mut self, game: &G::Info, view: &G::View, fuel: u64) -> Result<Reply<G::Action>, NoReply> {
        let reply = self.player.play(game, view, fuel)?;
        self.kept.push(reply.clone());
        Ok(reply)
    }

    fn begin_turn(&mut self) {
        self.player.begin_turn();
    }

    fn restart(&mut self) -> Result<(), HostError> {
        self.player.restart()
    }
}

/// The bot and the game of a transcript.
pub(crate) struct Recorded<'a, G: Game> {
    pub(crate) bot: &'a BotId,
    pub(crate) contract: String,
    pub(crate) number: u32,
    pub(crate) seeds: BoardSeeds,
    pub(crate) game: SoloRecord<G>,
}

impl<G: Listed> Recorded<'_, G> {
    /// The transcript of a game with these answers, the last of which is a fault if there is one.
    ///
    /// # Errors
    /// The game does not end with them: a defect of the arena.
    pub(crate) fn transcript(
        self,
        plan: &Plan,
        answers: Vec<Reply<G::Action>>,
        fault: Option<&Fault>,
    ) -> Result<Transcript<G>, HostError> {
        let Self { bot, contract, number, seeds, game: SoloRecord { rules, setups, pass } } = self;
        let nobody = BotId { label: NOBODY.into(), name: NOBODY.into(), sha256: Name::default() };
        let draw = Draw { sides: [seeds.side, 0], fleets: seeds.fleets, starter: Seat::First };
        let mut header = header(plan, number, contract, [bot.clone(), nobody], draw);
        let place = |seat: Seat| {
            let deployment = G::deployment(&setups[seat.index()]);
            Event::Placed { seat, deployment, fuel: None }
        };
        let own = G::rules(&rules).ok_or_else(|| defect("has rules of another game"))?.clone();
        let has_deployment = G::without_deployment(&own, seeds.fleets).is_none();
        let mut events = if has_deployment { Seat::BOTH.map(place).to_vec() } else { Vec::new() };
        let mut game = G::new(&own, setups, Seat::First);
        header.conditions.rules = rules;
        // An action that was not valid is told by the fault.
        let is_answer = fault.is_some_and(|fault| fault.class == FaultClass::IllegalAction);
        let valid = answers.len() - usize::from(is_answer && !answers.is_empty());
        let mut answers = answers.into_iter().take(valid);
        while let Some(seat) = game.to_move() {
            let reply = match seat {
                Seat::First => answers.next(),
                Seat::Second => Some(Reply { answer: pass.clone(), fuel_used: 0 }),
            };
            let Some(Reply { answer: action, fuel_used: fuel }) = reply else { break };
            let turn = game.turns(seat) + 1;
            let Ruling::Done(effect) = game.act(seat, &action) else {
                return Err(defect("has an action that is not valid"));
            };
            events.push(Event::Acted { seat, turn, action, effect, fuel, attempts: None });
        }
        if let Some(fault) = fault {
            let (seat, turn) = (Seat::First, game.turns(Seat::First) + 1);
            let (fault, verdict) = (fault.clone(), Verdict::Loses);
            events.push(Event::Faulted { seat, turn, fault, verdict, attempts: None });
            game.forfeit(seat);
        }
        let (outcome, reason) = game.end().ok_or_else(|| defect("has no end"))?;
        let scores = arena_rules::scores(&own, Some(&game), (outcome, reason));
        events.push(Event::Ended { outcome, reason, scores, reproducible: true });
        Ok(Transcript { header, events })
    }
}

fn defect(what: &str) -> HostError {
    HostError::Defect(format!("the recording of a board {what}").into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena_rules::battleship::{Action, Battleship, GameInfo, View};

    /// A player that counts its turns and its restarts.
    #[derive(Default)]
    struct Counting([u32; 2]);

    impl Player<Battleship> for Counting {
        fn play(&mut self, _: &GameInfo, _: &View, _: u64) -> Result<Reply<Action>, NoReply> {
            Err(HostError::Defect("it is not asked".into()).into())
        }

        fn begin_turn(&mut self) {
            self.0[0] += 1;
        }

        fn restart(&mut self) -> Result<(), HostError> {
            self.0[1] += 1;
            Ok(())
        }
    }

    #[test]
    fn a_player_whose_answers_are_kept_has_the_time_of_each_turn_and_is_fresh_after_a_restart() {
        let (mut counting, mut kept) = (Counting::default(), Vec::new());
        let mut player = KeptAnswers::new(&mut counting, &mut kept);
        player.begin_turn();
        player.begin_turn();
        player.restart().expect("it can be");
        assert_eq!(counting.0, [2, 1]);
    }
}
