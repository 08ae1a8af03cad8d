//! Symmetric matrices, as far as ratings need them.
//!
//! Own code, since it is a hundred lines: nalgebra brings a dozen crates, and picks its arithmetic by the processor, so
//! that the last bits of a rating would depend on the machine.

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

    pub(super) fn size(&self) -> usize {
        self.size
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

    /// The inverse of a symmetric, positive definite matrix, by Cholesky's L Lᵀ; symmetric to the last bit.
    ///
    /// # Panics
    /// Where it is not positive definite.
    pub(super) fn inverse(&self) -> Self {
        let lower = self.cholesky();
        // The rows of L⁻¹, from top to bottom; then L⁻ᵀ L⁻¹.
        let mut inverse = Self::zero(self.size);
        for row in 0..self.size {
            let (above, this) = inverse.cells.split_at_mut(row * self.size);
            this[row] = 1.0;
            for (column, factor) in lower.row(row)[..row].iter().enumerate() {
                let known = &above[column * self.size..][..=column];
                this[..=column].iter_mut().zip(known).for_each(|(cell, known)| *cell -= factor * known);
            }
            this[..=row].iter_mut().for_each(|cell| *cell /= lower.get(row, row));
        }
        let mut product = Self::zero(self.size);
        for row in 0..self.size {
            let known = inverse.row(row);
            for left in 0..=row {
                for right in 0..=left {
                    product.add(left, right, known[left] * known[right]);
                }
            }
        }
        product.mirrored()
    }

    /// A · B · A for symmetric matrices of one size; symmetric to the last bit.
    pub(super) fn around(&self, inner: &Self) -> Self {
        let half = self.times(inner);
        half.times(self).mirrored()
    }

    /// The product with a symmetric matrix.
    fn times(&self, symmetric: &Self) -> Self {
        let mut product = Self::zero(self.size);
        for row in 0..self.size {
            for column in 0..self.size {
                product.add(row, column, dot(self.row(row), symmetric.row(column)));
            }
        }
        product
    }

    /// The vector that this symmetric matrix makes of another.
    pub(super) fn apply(&self, vector: &[f64]) -> Vec<f64> {
        (0..self.size).map(|row| dot(self.row(row), vector)).collect()
    }

    fn cholesky(&self) -> Self {
        let mut lower = Self::zero(self.size);
        for row in 0..self.size {
            for column in 0..=row {
                let known = dot(&lower.row(row)[..column], &lower.row(column)[..column]);
                let rest = self.get(row, column) - known;
                let value = if row == column { rest.sqrt() } else { rest / lower.get(column, column) };
                assert!(
                    value.is_finite() && (row != column || value > 0.0),
                    "the matrix is positive definite"
                );
                lower.add(row, column, value);
            }
        }
        lower
    }

    /// The lower half, and its mirror image above it.
    fn mirrored(mut self) -> Self {
        for row in 0..self.size {
            for column in 0..row {
                self.cells[column * self.size + row] = self.cells[row * self.size + column];
            }
        }
        self
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
            let product = matrix.times(&matrix.inverse());
            for row in 0..5 {
                for column in 0..5 {
                    let expected = if row == column { 1.0 } else { 0.0 };
                    prop_assert!((product.get(row, column) - expected).abs() < 1e-12);
                }
            }
        }
    }
}
