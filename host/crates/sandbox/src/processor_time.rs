//! The processor time of a thread, which does not grow while others use the processor.

use rustix::time::{ClockId, clock_gettime};
use std::time::Duration;

/// The processor time that this thread has used.
pub fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    let seconds = Duration::from_secs(time.tv_sec.try_into().unwrap_or_default());
    seconds + Duration::from_nanos(time.tv_nsec.try_into().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_grows_with_work() {
        let before = processor_time();
        // Until it has: the clock of some systems has coarse steps.
        while processor_time() <= before {
            std::hint::spin_loop();
        }
    }
}
