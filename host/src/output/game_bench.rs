//! The results of `arena bench --game`.

use super::Output;
use arena_experiments::game_bench::BotGames;
use arena_experiments::game_trial::RandomGames;
use arena_loaded::CallFuel;
use arena_players::{Contestant, Plan};
use arena_record::Name;
use arena_rules::{Rules as _, loaded};
use arena_text::{Text, counted, grouped, table};
use serde::Serialize;
use serde_json::{Value, json};
use std::time::Duration;

/// Games of a loaded game with random actions, and of bots against its random opponent.
pub struct GameBenchOutput<'a> {
    /// The seed and the limits.
    pub plan: &'a Plan,
    /// The game.
    pub rules: &'a loaded::Rules,
    /// The games with random actions.
    pub random: &'a RandomGames,
    /// The games of each bot.
    pub bots: &'a [(&'a Contestant, BotGames)],
    /// The opponent of the bots.
    pub opponent: &'a Contestant,
}

impl GameBenchOutput<'_> {
    /// The fuel of the game in the games with random actions.
    fn fuel(&self) -> u64 {
        self.random.fuel.values().map(|fuel| fuel.total).sum()
    }

    /// The lines about the games with random actions.
    fn random_lines(&self) -> Vec<String> {
        let RandomGames { turns, wins, draws, fuel, time, .. } = self.random;
        let (Some(fewest), Some(most)) = (turns.first(), turns.last()) else {
            return vec!["no game was played to its end: there is nothing to measure".into()];
        };
        let all = self.fuel();
        let row = |(name, fuel): (&String, &CallFuel)| {
            let share = format!("{:.1} %", 100.0 * fuel.total as f64 / all.max(1) as f64);
            vec![name.clone(), grouped(fuel.calls), grouped(fuel.average()), grouped(fuel.max), share]
        };
        let header = ["function", "calls", "fuel: average", "most", "of all"];
        vec![
            format!(
                "games  {} a second, one at a time; seat 1 won {}, seat 2 {}, {}",
                per_second(turns.len() as u64, *time),
                wins[0],
                wins[1],
                counted(*draws, "draw")
            ),
            format!("turns  {fewest} to {most}, median {}", turns[turns.len() / 2]),
            format!("fuel   {} a game", grouped(all / turns.len() as u64)),
            String::new(),
            table(&header, &[0], fuel.iter().map(row)),
        ]
    }

    /// The lines about the bots.
    fn bot_lines(&self) -> Vec<String> {
        let row = |(bot, it): &(&Contestant, BotGames)| {
            vec![
                bot.id.label.to_string(),
                it.games.to_string(),
                it.wins.to_string(),
                it.draws.to_string(),
                (it.games - it.wins - it.draws).to_string(),
                it.faults.to_string(),
                format!("{:.1}", it.turns as f64 / f64::from(it.games.max(1))),
                grouped(it.fuel / it.turns.max(1)),
                per_second(it.games.into(), it.time),
            ]
        };
        let header = [
            "bot",
            "games",
            "won",
            "drawn",
            "lost",
            "faults",
            "turns a game",
            "fuel a turn",
            "games a second",
        ];
        let mut lines = vec![table(&header, &[0], self.bots.iter().map(row))];
        for (bot, games) in self.bots {
            let first = games.first_fault.iter();
            lines.extend(first.map(|(class, detail)| format!("{} {class}: {detail}", bot.id.label)));
        }
        let (opponent, jobs) = (&self.opponent.id.label, counted(self.plan.jobs, "game"));
        lines.push(String::new());
        lines.push(format!("bots play {opponent}, from each seat in half of the games; {jobs} at a time"));
        lines
    }
}

impl Output for GameBenchOutput<'_> {
    fn text(&self) -> Text {
        let mut lines = vec![format!(
            "{} {}: {}\nseed {}",
            Name::new(self.rules.name()),
            self.rules.about().version,
            counted(self.random.turns.len(), "random game"),
            self.plan.conditions.seed
        )];
        lines.extend(self.random_lines());
        if !self.bots.is_empty() {
            lines.push(String::new());
            lines.extend(self.bot_lines());
        }
        lines.join("\n").into()
    }

    fn json(&self) -> impl Serialize {
        let RandomGames { turns, wins, draws, fuel, time, .. } = self.random;
        let count = turns.len() as u64;
        let call = |(name, fuel): (&String, &CallFuel)| {
            json!({
                "function": name,
                "calls": fuel.calls,
                "average": fuel.average(),
                "most": fuel.max,
                "total": fuel.total,
            })
        };
        let bot = |(bot, it): &(&Contestant, BotGames)| {
            json!({
                "bot": bot.id.label,
                "sha256": bot.id.sha256,
                "games": it.games,
                "wins": it.wins,
                "draws": it.draws,
                "losses": it.games - it.wins - it.draws,
                "faults": it.faults,
                "first-fault": it.first_fault.as_ref().map(|(class, detail)| json!({ "class": class, "detail": detail })),
                "turns": it.turns,
                "fuel": it.fuel,
                "seconds": it.time.as_secs_f64(),
            })
        };
        json!({
            "rules": self.plan.conditions.rules,
            "seed": self.plan.conditions.seed,
            "jobs": self.plan.jobs,
            "random-games": {
                "games": count,
                "seconds": time.as_secs_f64(),
                "wins": wins,
                "draws": draws,
                "turns": {
                    "fewest": turns.first(),
                    "median": turns.get(turns.len() / 2),
                    "most": turns.last(),
                    "total": turns.iter().copied().map(u64::from).sum::<u64>(),
                },
                "fuel": fuel.iter().map(call).collect::<Value>(),
            },
            "opponent": self.opponent.id.label,
            "bots": self.bots.iter().map(bot).collect::<Value>(),
        })
    }
}

/// A number of games in a second of some time.
fn per_second(games: u64, time: Duration) -> String {
    grouped((games as f64 / time.as_secs_f64().max(1e-9)).round() as u64)
}
