//! Locks that a panic elsewhere does not keep.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks a value whose changes are whole at any time.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
