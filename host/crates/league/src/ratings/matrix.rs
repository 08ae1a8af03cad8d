//! Symmetric matrices, with the operations that ratings need.
//!
//! Own code, because it is short: nalgebra brings a dozen crates, and chooses its arithmetic by the processor, so the
//! last bits of a rating would depend on the machine.

/// A square matrix, row by row.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Matrix {
    size: usize,
    cells: Vec<f64>,
}

impl Matrix {
    pub(super) fn zero(size: usize) -> Self {
        Self { size, cells: vec![0.0; size * size] }
    }

    pub(super) fn get(&self, row: usize, column: usize) -> f64 {
        self.cells[row * self.size + column]
    }

    pub(super) fn add(&mut self, row: usize, column: usize, value: f64) {
        self.cells[row * self.size + column] += value;
    }

    /// Adds `weight` · v vᵀ, for a vector v with these cells and zeros elsewhere.
    pub(super) fn add_square(&mut self, vector: &[(usize, f64)], weight: f64) {
        for &(row, left) in vector {
            for &(column, right) in vector {
                self.add(row, column, weight * left * right);
            }
        }
    }

    fn row(&self, row: usize) -> &[f64] {
        &self.cells[row * self.size..][..self.size]
    }

    /// The inverse of a symmetric, positive definite matrix; symmetric to the last bit. By the sweep operator (J. H.
    /// Goodnight, "A Tutorial on the SWEEP Operator", The American Statistician 33, 1979): sweeping on every row gives
    /// −A⁻¹.
    ///
    /// # Panics
    /// If the matrix is not positive definite.
    pub(super) fn inverse(&self) -> Self {
        let mut swept = self.clone();
        for pivot in 0..self.size {
            let mut vector = swept.row(pivot).to_vec();
            let diagonal = vector[pivot];
            assert!(diagonal.is_finite() && diagonal > 0.0, "the matrix is positive definite");
            let scale = 1.0 / diagonal;
            for (row, left) in swept.cells.chunks_exact_mut(self.size).zip(&vector) {
                row.iter_mut().zip(&vector).for_each(|(cell, right)| *cell -= left * right * scale);
            }
            vector[pivot] = -1.0;
            for (index, value) in vector.into_iter().enumerate() {
                swept.cells[pivot * self.size + index] = value * scale;
                swept.cells[index * self.size + pivot] = value * scale;
            }
        }
        swept.cells.iter_mut().for_each(|cell| *cell = -*cell);
        swept
    }

    /// The product with a vector.
    pub(super) fn apply(&self, vector: &[f64]) -> Vec<f64> {
        (0..self.size).map(|row| dot(self.row(row), vector)).collect()
    }
}

fn dot(left: &[f64], right: &[f64]) -> f64 {
    left.iter().zip(right).map(|(left, right)| left * right).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_matrix_times_its_inverse_is_one(cells in prop::collection::vec(-1.0..1.0, 25)) {
            let mut matrix = Matrix::zero(5);
            for row in cells.chunks(5) {
                let vector: Vec<_> = row.iter().copied().enumerate().collect();
                matrix.add_square(&vector, 1.0);
            }
            (0..5).for_each(|index| matrix.add(index, index, 0.5));
            let inverse = matrix.inverse();
            for row in 0..5 {
                for column in 0..5 {
                    let expected = if row == column { 1.0 } else { 0.0 };
                    prop_assert!((dot(matrix.row(row), inverse.row(column)) - expected).abs() < 1e-12);
                }
            }
        }
    }
}
