//! The content of a journal, for `arena journal info`.

use super::{Output, json};
use arena_engine::internals::tournament::Stage;
use arena_engine::{JournalContent, StoredSeason};
use arena_record::{Commitment, Conditions, Name, RecordedSeed};
use arena_store::{ChainHead, GameRange, Trail, TrailEntry, TrailEvent};
use arena_text::{ShownPath, Text, counted, grouped, quoted};
use serde::Serialize;
use serde_json::{Value, json};

/// The text about a season that was closed just now.
pub fn closed(kept: &StoredSeason, name: &ShownPath) -> Text {
    let mut lines = vec![format!("{name}: the season is closed")];
    if let (RecordedSeed::Secret(hash), Some(seed)) = (kept.seed, kept.content.revealed_seed) {
        lines.push(format!("secret seed: {seed}"));
        lines.push(format!("SHA-256, known before the first game: {}", hash.digits()));
    }
    for (number, seed) in (1usize..).zip(&kept.content.seeds) {
        lines.extend(seed.revealed.map(|revealed| format!("seed of stage {number}: {revealed}")));
    }
    lines.extend(
        kept.content
            .head
            .as_ref()
            .map(|head| format!("head of the chain after {} links: {}", head.links, head.sha256)),
    );
    lines.join("\n").into()
}

/// The entries of a trail that a table shows, the latest ones. Chosen: a screen or two.
const TRAIL_SHOWN_MAX: usize = 60;

/// The length of an owner in the table, in characters. Chosen: enough to tell keys apart.
const OWNER_CHARS_MAX: usize = 12;

/// The words about a trail of workers; `None` if there is none.
pub fn trail_note(trail: &Trail) -> Option<String> {
    let Trail { entries, head } = trail;
    let head = head.as_ref()?;
    let excluded = entries.iter().filter(|entry| entry.event == TrailEvent::Excluded).count();
    let games: u64 = entries.iter().flat_map(|entry| &entry.games).map(GameRange::games).sum();
    let was = if excluded == 1 { "was" } else { "were" };
    Some(format!(
        "{} {was} excluded, and {} of workers thrown away; the head of their trail after {} is {}",
        counted(excluded, "worker"),
        counted(games, "game"),
        counted(head.links, "row"),
        head.sha256
    ))
}

/// An entry of a trail for a program.
fn trail_entry(entry: &TrailEntry) -> Value {
    let TrailEntry { at, event, key, name, owner, why, games } = entry;
    json!({
        "at": at,
        "event": event.word(),
        "key": key,
        "name": name,
        "owner": owner,
        "why": if why.as_str().is_empty() { None } else { Some(why) },
        "games": games
            .iter()
            .map(|GameRange { bots: [one, other], first, last }| json!([one, other, first, last]))
            .collect::<Value>(),
    })
}

/// The report of a journal's content.
pub struct JournalOutput<'a> {
    kept: &'a StoredSeason,
}

/// A bot of a journal.
struct Bot {
    /// The numbers of the stages in which it plays, from 1.
    stages: Vec<usize>,
    games: usize,
}

impl<'a> JournalOutput<'a> {
    /// The report of a journal.
    pub fn new(kept: &'a StoredSeason) -> Self {
        Self { kept }
    }

    /// The trail of workers, if they have one.
    fn trail(&self) -> Option<String> {
        let Trail { entries, .. } = &self.kept.content.trail;
        let note = trail_note(&self.kept.content.trail)?;
        let earlier = entries.len().saturating_sub(TRAIL_SHOWN_MAX);
        let rows = entries.iter().skip(earlier).map(|entry| {
            let games: u64 = entry.games.iter().map(GameRange::games).sum();
            let games = if games > 0 { games.to_string() } else { String::new() };
            let TrailEntry { at, event, name, owner, why, .. } = entry;
            vec![
                at.to_string(),
                name.to_string(),
                owner.as_str().chars().take(OWNER_CHARS_MAX).collect(),
                event.word().to_owned(),
                games,
                why.to_string(),
            ]
        });
        let header = ["at", "worker", "owner", "event", "games thrown away", "why"];
        let table = arena_text::table(&header, &[0, 1, 2, 3, 5], rows);
        let earlier = match earlier {
            0 => String::new(),
            earlier => format!("{} before these: see -o json\n", counted(earlier, "row")),
        };
        Some(format!("{earlier}{table}\n{note}"))
    }

    fn games_of_stage(&self, number: usize) -> usize {
        self.kept.places.values().filter(|place| place.stage == number).count()
    }

    fn bots(&self) -> Vec<Bot> {
        let mut bots: Vec<Bot> =
            self.kept.content.tournament.bots.iter().map(|_| Bot { stages: Vec::new(), games: 0 }).collect();
        for (number, stage) in (1..).zip(&self.kept.content.stages) {
            stage.field.iter().for_each(|&bot| bots[bot].stages.push(number));
        }
        for fixture in self.kept.places.keys() {
            fixture.seats.iter().for_each(|&bot| bots[bot].games += 1);
        }
        bots
    }
}

impl Output for JournalOutput<'_> {
    fn text(&self) -> Text {
        let StoredSeason { content, results, seed, .. } = self.kept;
        let JournalContent { tournament, revealed_seed, head, clock, .. } = content;
        let Conditions { arena, wasmtime, engine, rules, limits, .. } = &tournament.conditions;
        let mut lines = vec![
            format!(
                "format {}: {} of {} by {}",
                arena_store::FORMAT,
                self.kept.places.len(),
                counted(results.games_planned, "game"),
                counted(tournament.bots.len(), "bot")
            ),
            format!("arena {arena}, wasmtime {wasmtime}, engine {engine}"),
            format!(
                "rules `{}`{}, {} fuel a turn, {} MiB a bot",
                Name::new(rules.name()),
                rules.on_board(),
                grouped(limits.fuel_per_turn),
                limits.memory_bytes >> 20
            ),
        ];
        lines.extend(match (seed, revealed_seed) {
            (RecordedSeed::Open(_), None) => None,
            (RecordedSeed::Open(_), Some(_)) => Some("the season is closed".to_owned()),
            (RecordedSeed::Secret(hash), None) => Some(format!(
                "secret seed, revealed when the season is closed; its SHA-256: {}",
                hash.digits()
            )),
            (RecordedSeed::Secret(hash), Some(seed)) => {
                Some(format!("the season is closed; its secret seed: {seed}\nits SHA-256: {}", hash.digits()))
            }
        });
        lines.push(match head {
            Some(ChainHead { links, sha256 }) => format!("head of the chain after {links} links: {sha256}"),
            None => "no chain of hashes".into(),
        });
        if let Some(ChainHead { links, sha256 }) = clock {
            lines.push(format!("head of the times after {}: {sha256}", counted(*links, "row")));
        }
        let stages = content.stages.iter().zip(1usize..).map(|(stage, number)| {
            let Stage { settings, field, .. } = stage;
            let games = self.games_of_stage(number);
            let most = settings.max_faults.map_or("-".to_owned(), |games| games.to_string());
            vec![
                number.to_string(),
                settings.format.to_string(),
                settings.games_per_match.to_string(),
                most,
                field.len().to_string(),
                games.to_string(),
                self.kept.begun(number).unwrap_or("-").to_owned(),
            ]
        });
        let columns = ["stage", "format", "games a match", "max faults", "bots", "games", "begun"];
        let stages = arena_text::table(&columns, &[1, 6], stages);
        let seeds = (1usize..).zip(&content.seeds).map(|(number, seed)| {
            let from =
                seed.beacon.as_ref().map_or("-".to_owned(), |beacon| quoted(beacon.as_str()).into_owned());
            let shown =
                seed.revealed.map_or_else(|| seed.recorded.to_string(), |revealed| revealed.to_string());
            vec![number.to_string(), shown, from]
        });
        let seeds = arena_text::table(&["stage", "seed", "beacon"], &[1, 2], seeds);
        let bots = tournament.bots.iter().zip(self.bots()).map(|(id, bot)| {
            let stages = bot.stages.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
            vec![
                id.label.to_string(),
                id.name.to_string(),
                bot.games.to_string(),
                stages,
                id.sha256.to_string(),
            ]
        });
        let bots = arena_text::table(&["bot", "name", "games", "stages", "sha256"], &[0, 1, 3, 4], bots);
        let trail = self.trail().map_or_else(String::new, |trail| format!("\n\n{trail}"));
        format!("{}\n\n{stages}\n\n{seeds}\n\n{bots}{trail}", lines.join("\n")).into()
    }

    fn json(&self) -> impl Serialize {
        let StoredSeason { content, results, seed, .. } = self.kept;
        let JournalContent { tournament, revealed_seed, head, .. } = content;
        let stages = content.stages.iter().zip(1usize..).map(|(stage, number)| {
            json!({
                "settings": stage.settings,
                "bots": stage.field.iter().map(|&bot| &tournament.bots[bot].label).collect::<Vec<_>>(),
                "games": self.games_of_stage(number),
                "begun": self.kept.begun(number),
                "seed": content.seeds[number - 1].revealed,
                "seed-sha256": json::commitment(&content.seeds[number - 1].recorded).map(Commitment::digits),
                "beacon": content.seeds[number - 1].beacon,
            })
        });
        let bots = tournament.bots.iter().zip(self.bots()).map(|(id, bot)| {
            json!({
                "label": id.label,
                "name": id.name,
                "sha256": id.sha256,
                "games": bot.games,
                "stages": bot.stages,
            })
        });
        json!({
            "format": arena_store::FORMAT.to_string(),
            "conditions": Conditions { seed: *seed, ..tournament.conditions.clone() },
            "seed": seed.open().or(*revealed_seed),
            "seed-sha256": json::commitment(seed).map(Commitment::digits),
            "closed": revealed_seed.is_some(),
            "games-kept": self.kept.places.len(),
            "games-planned": results.games_planned,
            "complete": results.complete,
            "head": json::head(head.as_ref()),
            "stages": stages.collect::<Value>(),
            "bots": bots.collect::<Value>(),
            "trail": content.trail.entries.iter().map(trail_entry).collect::<Value>(),
            "trail-head": json::head(content.trail.head.as_ref()),
            "clock-head": json::head(content.clock.as_ref()),
        })
    }
}
