//! The search for legal fleets, and the draws of them.

use crate::drawing::Drawing;
use crate::placements::legal_ships;
use arena_rules::battleship::{FleetSpec, Placeable, scatter, uniform};
use arena_rules::random;

/// For any fleet on any board, a fleet that is found or drawn is legal, and the same seed draws the same fleet. No function
/// says that there is no legal fleet if there is one.
pub fn legal_fleets_are_found_and_drawn(data: &[u8]) {
    let mut drawing = Drawing::new(data);
    let size = drawing.size(12);
    let may_touch = drawing.is();
    let seed = u64::from(drawing.byte());
    // Lengths of a fleet that is known to be legal, or any lengths in any order.
    let known = if drawing.is() { drawing.fleets(size, may_touch, 8) } else { None };
    let exists = known.is_some();
    let lengths = known.map_or_else(
        || (0..drawing.number(1..=8)).map(|_| drawing.number(1..=6)).collect(),
        |(lengths, _)| lengths,
    );
    let spec = FleetSpec { size, lengths, may_touch };

    let placeable = spec.placeable();
    let found = match &placeable {
        Placeable::Yes(fleet) => Some(fleet),
        Placeable::No | Placeable::Unknown => None,
    };
    let scattered = scatter(&spec, &mut random::seeded(seed));
    assert_eq!(scattered, scatter(&spec, &mut random::seeded(seed)));
    assert!(scattered.is_some() || found.is_none(), "{spec:?}: a fleet is found, and none is drawn");
    // A fleet that covers little of the board is drawn quickly.
    let cells: usize = spec.lengths.iter().copied().map(usize::from).sum();
    let drawn = if 6 * cells <= size.cells() { uniform(&spec, &mut random::seeded(seed)) } else { None };
    for fleet in found.into_iter().chain(&scattered).chain(&drawn) {
        assert!(legal_ships(&spec, fleet.placements()).is_some(), "{spec:?} {fleet:?}");
    }
    if exists || scattered.is_some() || drawn.is_some() {
        assert_ne!(placeable, Placeable::No, "{spec:?}");
    }
}
