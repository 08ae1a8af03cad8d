//! The processor time of a thread, which does not grow while others use the processor.

use std::time::Duration;

/// The processor time that this thread has used.
#[cfg(unix)]
pub fn processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    let seconds = Duration::from_secs(time.tv_sec.try_into().unwrap_or_default());
    seconds + Duration::from_nanos(time.tv_nsec.try_into().unwrap_or_default())
}

/// The processor time that this thread has used.
#[cfg(windows)]
pub fn processor_time() -> Duration {
    cpu_time::ThreadTime::now().as_duration()
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
