//! The rules, in plain Rust: this file knows nothing of the arena, and its tests run without WebAssembly.

/// A player, by what it connects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The top and the bottom. This player begins.
    Down,
    /// The left and the right.
    Across,
}

impl Side {
    fn other(self) -> Self {
        if self == Self::Down { Self::Across } else { Self::Down }
    }
}

/// A game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    /// The number of rows, and of columns.
    pub size: usize,
    /// The stones, row by row from the top.
    pub cells: Vec<Option<Side>>,
    pub player: Side,
    pub winner: Option<Side>,
    /// The cell of the last stone.
    pub last: Option<usize>,
    has_swap: bool,
    turns: usize,
}

impl Board {
    pub fn new(size: usize, has_swap: bool) -> Self {
        let cells = vec![None; size * size];
        Self { size, cells, player: Side::Down, winner: None, last: None, has_swap, turns: 0 }
    }

    pub fn empty_cells(&self) -> impl Iterator<Item = usize> {
        self.cells.iter().enumerate().filter(|(_, stone)| stone.is_none()).map(|(cell, _)| cell)
    }

    /// The second turn of a game may be a swap.
    pub fn may_swap(&self) -> bool {
        self.has_swap && self.turns == 1
    }

    /// Places a stone; false if the cell is taken or not there.
    pub fn place(&mut self, row: usize, column: usize) -> bool {
        let cell = row * self.size + column;
        let is_legal = row < self.size && column < self.size && self.cells[cell].is_none();
        if is_legal {
            self.cells[cell] = Some(self.player);
            self.winner = self.connects(cell).then_some(self.player);
            self.player = self.player.other();
            self.last = Some(cell);
            self.turns += 1;
        }
        is_legal
    }

    /// Takes the stone of the opponent's first turn over; false if it is not the second turn, or swaps are off. The players keep their
    /// sides, so the stone's row and column are exchanged.
    pub fn swap(&mut self) -> bool {
        let stone = self.last.filter(|_| self.may_swap());
        stone.is_some_and(|cell| {
            self.cells[cell] = None;
            self.place(cell % self.size, cell / self.size)
        })
    }

    /// True if the player's stones that are connected to this one reach both of its sides.
    fn connects(&self, cell: usize) -> bool {
        let mut seen = vec![false; self.cells.len()];
        seen[cell] = true;
        let mut open = vec![cell];
        let mut reached = [false; 2];
        while let Some(cell) = open.pop() {
            let depth = if self.player == Side::Down { cell / self.size } else { cell % self.size };
            reached = [reached[0] || depth == 0, reached[1] || depth == self.size - 1];
            for next in neighbours(self.size, cell).into_iter().flatten() {
                if self.cells[next] == Some(self.player) && !std::mem::replace(&mut seen[next], true) {
                    open.push(next);
                }
            }
        }
        reached == [true; 2]
    }

    /// The board, each row half a cell to the right of the one above: `X` connects the top to the bottom.
    pub fn picture(&self) -> String {
        // In two steps without a check of the room for each cell, because pictures take most of the fuel of `arena check`.
        let sign = |cell: &Option<Side>| {
            cell.map_or(*b" .", |side| if side == Side::Down { *b" X" } else { *b" O" })
        };
        let signs: Vec<[u8; 2]> = self.cells.iter().map(sign).collect();
        let mut text = Vec::with_capacity(3 * self.cells.len());
        for (row, signs) in signs.chunks(self.size).enumerate() {
            text.resize(text.len() + row, b' ');
            text.extend_from_slice(signs.as_flattened());
            text.push(b'\n');
        }
        text.pop();
        String::from_utf8(text).expect("it is ASCII")
    }

    /// The same as a drawing: hexagons with stones, and the edges in the colours of the sides that connect them. Distances are whole
    /// numbers: between two centres of a row 20, and between two rows 17.
    pub fn picture_svg(&self) -> String {
        use std::fmt::Write as _;

        let size = self.size;
        let (width, height) = (30 * size + 6, 17 * size + 17);
        let mut svg = format!("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\">");
        let centre = |row: usize, column: usize| (13 + 20 * column + 10 * row, 14 + 17 * row);
        // The edges are below the hexagons.
        let last = size - 1;
        let corners = [centre(0, 0), centre(0, last), centre(last, last), centre(last, 0)];
        for (side, [from, to]) in [("#c0392b", [0, 1]), ("#2166ac", [1, 2]), ("#c0392b", [2, 3]), ("#2166ac", [3, 0])] {
            let ((x1, y1), (x2, y2)) = (corners[from], corners[to]);
            let _ = write!(
                svg,
                "<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\" stroke=\"{side}\" stroke-width=\"26\" \
                 stroke-linecap=\"round\"/>"
            );
        }
        for (at, stone) in self.cells.iter().enumerate() {
            let (x, y) = centre(at / size, at % size);
            let (left, right, top, bottom) = (x - 10, x + 10, y - 11, y + 11);
            let _ = write!(
                svg,
                "<polygon points=\"{x},{top} {right},{} {right},{} {x},{bottom} {left},{} {left},{}\" \
                 fill=\"#f4ead5\" stroke=\"#8a7a5c\"/>",
                y - 6,
                y + 6,
                y + 6,
                y - 6
            );
            let Some(side) = stone else { continue };
            // The sides differ in more than their colour.
            let look = match side {
                Side::Down => "fill=\"#c0392b\"",
                Side::Across => "fill=\"#2166ac\" stroke=\"#fff\" stroke-width=\"2\"",
            };
            let _ = write!(svg, "<circle cx=\"{x}\" cy=\"{y}\" r=\"8\" {look}/>");
            if self.last == Some(at) {
                let _ = write!(svg, "<circle cx=\"{x}\" cy=\"{y}\" r=\"3\" fill=\"#fff\"/>");
            }
        }
        svg.push_str("</svg>");
        svg
    }
}

/// The neighbours of a cell in a circle, of which each two that follow each other are neighbours; `None` where the board ends.
pub fn neighbours(size: usize, cell: usize) -> [Option<usize>; 6] {
    [(-1, 0), (-1, 1), (0, 1), (1, 0), (1, -1), (0, -1)].map(|(down, right)| {
        let row = (cell / size).checked_add_signed(down).filter(|&row| row < size)?;
        let column = (cell % size).checked_add_signed(right).filter(|&column| column < size)?;
        Some(row * size + column)
    })
}
