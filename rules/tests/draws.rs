//! Fleets drawn from a seed: the same for ever, and each as likely as any other.

use arena_rules::{FleetSpec, Ruleset, Size, random, uniform};
use rand::Rng;

/// A small board each way round, tight and loose, with ships that touch and with ships that do not.
fn specs() -> Vec<FleetSpec> {
    let spec = |width, height, lengths: &[u8], may_touch| FleetSpec {
        size: Size::new(width, height),
        lengths: lengths.to_vec(),
        may_touch,
    };
    vec![
        FleetSpec::of(&Ruleset::guide()),
        spec(10, 10, &[5, 4, 3, 3, 2], true),
        spec(10, 10, &[5, 4, 3, 3, 2], false),
        spec(7, 4, &[4, 1, 2], false),
        spec(3, 12, &[3, 3, 3], true),
        spec(1, 9, &[4, 3], false),
        spec(32, 32, &[32, 20, 9, 1], false),
    ]
}

/// What a seed draws is written into transcripts, so it may never change: not the fleets, and not how many numbers are
/// drawn for them.
#[test]
fn a_seed_draws_the_fleets_it_has_always_drawn() {
    let mut drawn = String::new();
    for spec in specs() {
        for seed in [1, 2] {
            let mut rng = random::seeded(seed);
            for _ in 0..2 {
                let fleet = uniform(&spec, &mut rng).unwrap();
                drawn += &serde_json::to_string(fleet.placements()).unwrap();
                drawn.push('\n');
            }
            drawn += &format!("next {:08x}\n", rng.next_u32());
        }
    }
    let expected = std::fs::read_to_string("tests/data/drawn_fleets.txt").unwrap();
    assert_eq!(drawn, expected);
}
