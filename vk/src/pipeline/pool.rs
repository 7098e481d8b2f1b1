//! Threads that compile pipelines.
//!
//! Owns a queue by priority. A thread holds a pipeline only while it compiles it: one that nobody wants any more is left out.
//! Devices and pipelines hold the pool, and its end waits for the threads, so that none of them is at work, and none holds
//! a device, when the host's last handle is gone: what comes next may be the end of the process, or of a device that is the
//! host's own.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::thread::JoinHandle;

use super::{PipelineInner, Priority};

struct Job {
    priority: Priority,
    /// Of two with one priority the first asked for goes first.
    number: u64,
    pipeline: Weak<PipelineInner>,
}

impl PartialEq for Job {
    fn eq(&self, other: &Job) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Job {}

impl PartialOrd for Job {
    fn partial_cmp(&self, other: &Job) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Job {
    fn cmp(&self, other: &Job) -> Ordering {
        self.priority.cmp(&other.priority).then(other.number.cmp(&self.number))
    }
}

#[derive(Default)]
struct Queue {
    jobs: BinaryHeap<Job>,
    number: u64,
    closing: bool,
}

#[derive(Default)]
struct State {
    queue: Mutex<Queue>,
    added: Condvar,
}

impl State {
    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next pipeline that somebody still wants; `None` at close.
    fn next(&self) -> Option<Arc<PipelineInner>> {
        let mut queue = self.lock();
        loop {
            if queue.closing {
                return None;
            }
            match queue.jobs.pop() {
                Some(job) => {
                    if let Some(pipeline) = job.pipeline.upgrade() {
                        return Some(pipeline);
                    }
                }
                None => queue = self.added.wait(queue).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }
}

pub(crate) struct Pool {
    state: Arc<State>,
    threads: Mutex<Vec<JoinHandle<()>>>,
    wanted: usize,
}

impl Pool {
    /// A pool of so many threads, which start with the first pipeline; 0 is a thread a processor, less one.
    pub(crate) fn new(wanted: usize) -> Pool {
        let processors = || std::thread::available_parallelism().map_or(1, usize::from);
        let wanted = if wanted == 0 { processors().saturating_sub(1).max(1) } else { wanted };
        Pool { state: Arc::default(), threads: Mutex::default(), wanted }
    }

    pub(super) fn add(&self, pipeline: &Arc<PipelineInner>, priority: Priority) {
        {
            let mut queue = self.state.lock();
            queue.number += 1;
            let number = queue.number;
            queue.jobs.push(Job { priority, number, pipeline: Arc::downgrade(pipeline) });
        }
        self.state.added.notify_one();
        self.start();
    }

    /// Starts the threads. Where the system gives none, whoever waits for a pipeline compiles it.
    fn start(&self) {
        let mut threads = self.threads.lock().unwrap_or_else(PoisonError::into_inner);
        while threads.len() < self.wanted {
            let state = Arc::clone(&self.state);
            let run = move || {
                while let Some(pipeline) = state.next() {
                    pipeline.compile();
                }
            };
            match std::thread::Builder::new().name("rx pipelines".to_owned()).spawn(run) {
                Ok(thread) => threads.push(thread),
                Err(_) => break,
            }
        }
    }
}

impl Drop for Pool {
    /// Ends the threads. What they have begun they end; what waits is left.
    fn drop(&mut self) {
        {
            let mut queue = self.state.lock();
            queue.closing = true;
            queue.jobs.clear();
        }
        self.state.added.notify_all();
        for thread in self.threads.get_mut().unwrap_or_else(PoisonError::into_inner).drain(..) {
            // A thread that panicked has ended too.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_queue_is_by_priority_and_then_by_age() {
        let job = |priority, number| Job { priority, number, pipeline: Weak::new() };
        let mut jobs = BinaryHeap::from([
            job(Priority::Background, 1),
            job(Priority::Normal, 2),
            job(Priority::Now, 3),
            job(Priority::Normal, 4),
        ]);
        let order: Vec<u64> = std::iter::from_fn(|| jobs.pop()).map(|job| job.number).collect();
        assert_eq!(order, [3, 2, 4, 1]);
    }
}
