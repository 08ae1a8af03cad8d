use super::*;
use std::sync::atomic::{AtomicUsize, Ordering};

fn collect(
    workers: usize,
    count: usize,
    work: impl Fn(usize) -> usize + Sync,
) -> Vec<(usize, ItemResult<usize>)> {
    let mut all = Vec::new();
    in_order(
        workers,
        count,
        || false,
        work,
        |item, result| {
            all.push((item, result));
            ControlFlow::Continue(())
        },
    );
    all
}

#[test]
fn results_come_in_order_for_any_number_of_workers() {
    for workers in [1, 2, 7] {
        let expected: Vec<_> = (0..1_000).map(|item| (item, Ok(item * 2))).collect();
        // The early items take longest, so that the late ones overtake them.
        let work = |item: usize| {
            (0..(1_000 - item) * 10).for_each(|n| _ = std::hint::black_box(n));
            item * 2
        };
        assert_eq!(collect(workers, 1_000, work), expected);
    }
}

#[test]
fn quick_results_are_delivered_many_at_a_time_and_a_slow_one_does_not_wait_for_others() {
    let mut batches = Vec::new();
    let last = Mutex::new(());
    let mut held = Some(last.lock().unwrap());
    let work = |items: &WorkerItems<'_, ()>| {
        while let Some(item) = items.take() {
            if item == 1_000 {
                drop(last.lock())
            }
            items.put(item, Ok(()));
        }
    };
    by_workers(
        2,
        1_001,
        || false,
        work,
        |first, batch| {
            batches.push(batch.len());
            if first + batch.len() == 1_000 {
                held = None;
            }
            ControlFlow::Continue(())
        },
    );
    assert_eq!(batches.iter().sum::<usize>(), 1_001);
    assert_eq!(batches.last(), Some(&1));
    assert!(batches.len() <= 250, "{batches:?}");
}

#[test]
fn the_calling_thread_alone_delivers_in_order_without_another_thread() {
    let here = thread::current().id();
    let mut all = Vec::new();
    let work = |items: &WorkerItems<'_, usize>| {
        while let Some(item) = items.take() {
            assert_eq!(thread::current().id(), here);
            items.put(item, Ok(item * 2));
        }
    };
    by_workers(
        Workers::here(),
        1_000,
        || false,
        work,
        |first, batch| {
            assert_eq!(first, all.len());
            all.extend(batch.into_iter().map(Result::unwrap));
            ControlFlow::Continue(())
        },
    );
    assert!(all.into_iter().eq((0..1_000).map(|item| item * 2)));
}

#[test]
fn the_calling_thread_alone_leaves_off_after_a_break_or_a_stop() {
    let started = AtomicUsize::new(0);
    let work = |items: &WorkerItems<'_, usize>| {
        while let Some(item) = items.take() {
            items.put(item, Ok(started.fetch_add(1, Ordering::SeqCst)));
        }
    };
    by_workers(Workers::here(), 1_000, || false, work, |_, _| ControlFlow::Break(()));
    assert_eq!(started.swap(0, Ordering::SeqCst), LEAD_PER_WORKER);
    let stop = || started.load(Ordering::SeqCst) >= 200;
    let mut delivered = 0;
    by_workers(Workers::here(), 1_000, stop, work, |_, batch| {
        delivered += batch.len();
        ControlFlow::Continue(())
    });
    assert_eq!((delivered, started.into_inner()), (200, 200));
}

#[test]
fn no_items_are_no_work() {
    assert_eq!(collect(3, 0, |item| item), []);
}

#[test]
fn a_panic_is_the_result_of_its_item_alone() {
    let results = collect(2, 5, |item| if item == 2 { panic!("item {item}") } else { item });
    let expected = [(0, Ok(0)), (1, Ok(1)), (2, Err("item 2".into())), (3, Ok(3)), (4, Ok(4))];
    assert_eq!(results, expected);
}

#[test]
fn after_a_stop_everything_started_is_delivered_and_nothing_else_is_started() {
    let started = AtomicUsize::new(0);
    let mut delivered = 0;
    let work = |_| started.fetch_add(1, Ordering::SeqCst);
    let stop = || started.load(Ordering::SeqCst) >= 10;
    in_order(3, 1_000, stop, work, |item, _| {
        assert_eq!(item, delivered);
        delivered += 1;
        ControlFlow::Continue(())
    });
    assert_eq!(delivered, started.into_inner());
    assert!(delivered < 20);
}

#[test]
fn after_a_break_nothing_else_is_started_and_no_worker_keeps_waiting() {
    let started = AtomicUsize::new(0);
    in_order(
        4,
        100_000,
        || false,
        |_| started.fetch_add(1, Ordering::SeqCst),
        |item, _| {
            if item == 5 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        },
    );
    assert!(started.into_inner() <= 5 + 4 * LEAD_PER_WORKER + 4 + 1);
}

#[test]
fn work_does_not_run_far_ahead_of_a_slow_item() {
    let first_is_done = Mutex::new(false);
    let ahead = AtomicUsize::new(0);
    let work = |item: usize| {
        if item == 0 {
            while ahead.load(Ordering::SeqCst) < LEAD_PER_WORKER {
                thread::yield_now();
            }
            *first_is_done.lock().unwrap() = true;
        } else if !*first_is_done.lock().unwrap() {
            ahead.fetch_add(1, Ordering::SeqCst);
        }
        item
    };
    assert_eq!(collect(2, 10_000, work).len(), 10_000);
    assert!(ahead.into_inner() <= 2 * LEAD_PER_WORKER);
}

#[test]
fn a_worker_is_told_that_it_is_over_after_a_stop_and_when_results_are_not_delivered_any_more() {
    let told = |stops: bool| {
        let (stop, before, after) = (AtomicUsize::new(0), Mutex::new(None), Mutex::new(None));
        let work = |items: &WorkerItems<'_, ()>| {
            let first = items.take().expect("there are two");
            *before.lock().unwrap() = Some(items.is_over());
            items.put(first, Ok(()));
            if stops {
                stop.store(1, Ordering::Relaxed);
            }
            while !items.is_over() {
                thread::yield_now();
            }
            *after.lock().unwrap() = Some(items.take());
        };
        by_workers(1, 2, || stop.load(Ordering::Relaxed) == 1, work, |_, _| ControlFlow::Break(()));
        (before.into_inner().unwrap(), after.into_inner().unwrap())
    };
    for stops in [true, false] {
        assert_eq!(told(stops), (Some(false), Some(None)), "{stops}");
    }
}
