// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is to be done at which time, besides the events that packets make: routes change, flows are told of it, samples
//! are taken. The same code serves virtual time (advance to the end at once) and real time (advance to what the clock
//! says, sleep until [`Agenda::next_moment`]).

use std::fmt;
use units::Time;

/// What an agenda moves through time: an engine, or something around one.
pub trait World {
    /// Why a task, or the world itself, may give up.
    type Error;
    /// Where its time stands.
    fn now(&self) -> Time;
    /// When something happens next by itself; `None`: never.
    fn next_event(&self) -> Option<Time>;
    /// Lets everything happen that is due before `until`, then stands at `until`.
    ///
    /// # Errors
    /// Why the run is given up; it stands where it is then.
    fn advance(&mut self, until: Time) -> Result<(), Self::Error>;
}

/// Something to be done at times of its own.
pub trait Task<W: World> {
    /// When it is to be done next; [`Time::MAX`]: never again.
    fn due(&self) -> Time;
    /// Does what is due by `now`. Asked again until it is due later.
    ///
    /// # Errors
    /// Why the run is given up.
    fn act(&mut self, now: Time, world: &mut W) -> Result<(), W::Error>;
}

/// Tasks in the order in which they act where several are due at the same time. Acts come before the events of that
/// time.
pub struct Agenda<'a, W: World> {
    tasks: Vec<Box<dyn Task<W> + 'a>>,
}

impl<'a, W: World> Agenda<'a, W> {
    /// Nothing to do.
    pub fn new() -> Self {
        Self { tasks: Vec::new() }
    }

    /// One task more; at the same time it acts after those before it.
    #[must_use]
    pub fn with(mut self, task: impl Task<W> + 'a) -> Self {
        self.tasks.push(Box::new(task));
        self
    }

    /// When the next task is due; [`Time::MAX`]: none ever is.
    pub fn next(&self) -> Time {
        self.tasks.iter().map(|task| task.due()).min().unwrap_or(Time::MAX)
    }

    /// When [`Agenda::advance`] has something to do again, be it a task or an event: until then a clock may sleep.
    pub fn next_moment(&self, world: &W) -> Time {
        self.next().min(world.next_event().unwrap_or(Time::MAX))
    }

    /// Does what is due by `now`, task after task.
    ///
    /// # Errors
    /// That of the first task that gives up.
    pub fn act(&mut self, now: Time, world: &mut W) -> Result<(), W::Error> {
        for task in &mut self.tasks {
            while task.due() <= now {
                task.act(now, world)?;
            }
        }
        Ok(())
    }

    /// Moves the world to `until` in the order of time: tasks that are due by `until`, events that are due before it.
    /// However often and wherever a stretch of time is cut, the same happens in the same order.
    ///
    /// # Errors
    /// That of the first task that gives up, or of the world; the world stands at its time then.
    pub fn advance(&mut self, until: Time, world: &mut W) -> Result<(), W::Error> {
        loop {
            let due = self.next();
            if due == Time::MAX || due > until {
                break;
            }
            // A task may have come too late for its time.
            let now = due.max(world.now());
            world.advance(now)?;
            self.act(now, world)?;
        }
        world.advance(until)
    }
}

impl<W: World> Default for Agenda<'_, W> {
    fn default() -> Self {
        Self::new()
    }
}

impl<W: World> fmt::Debug for Agenda<'_, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.tasks.iter().map(|task| task.due())).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use units::Span;

    fn ms(ms: u64) -> Time {
        Time::ZERO + Span::from_millis(ms)
    }

    /// A world in which something happens every 10 ms, and a diary of all that happened.
    #[derive(Debug, Default)]
    struct Diary {
        now: Time,
        next: Time,
        lines: Vec<(u64, &'static str)>,
    }

    impl Diary {
        fn note(&mut self, at: Time, what: &'static str) {
            self.lines.push((at.nanos() / 1_000_000, what));
        }
    }

    impl World for Diary {
        type Error = Time;
        fn now(&self) -> Time {
            self.now
        }
        fn next_event(&self) -> Option<Time> {
            Some(self.next)
        }
        fn advance(&mut self, until: Time) -> Result<(), Time> {
            while self.next < until {
                self.note(self.next, "event");
                self.next += Span::from_millis(10);
            }
            self.now = self.now.max(until);
            Ok(())
        }
    }

    /// Writes its name at given times; gives up at "stop".
    struct Line(&'static str, Vec<u64>);

    impl Task<Diary> for Line {
        fn due(&self) -> Time {
            self.1.first().map_or(Time::MAX, |&at| ms(at))
        }
        fn act(&mut self, now: Time, diary: &mut Diary) -> Result<(), Time> {
            self.1.remove(0);
            diary.note(now, self.0);
            if self.0 == "stop" { Err(now) } else { Ok(()) }
        }
    }

    fn agenda() -> Agenda<'static, Diary> {
        Agenda::new().with(Line("first", vec![5, 10, 30])).with(Line("second", vec![10, 10, 25]))
    }

    #[test]
    fn tasks_act_before_the_events_of_their_time_and_in_their_order() {
        let mut diary = Diary::default();
        assert_eq!(agenda().advance(ms(30), &mut diary), Ok(()));
        assert_eq!(
            diary.lines,
            [
                (0, "event"),
                (5, "first"),
                (10, "first"),
                (10, "second"),
                (10, "second"),
                (10, "event"),
                (20, "event"),
                (25, "second"),
                (30, "first"), // an event of that time is still to come
            ]
        );
        assert_eq!(diary.now, ms(30));
    }

    #[test]
    fn it_does_not_matter_where_time_is_cut() {
        let mut whole = Diary::default();
        assert_eq!(agenda().advance(ms(40), &mut whole), Ok(()));
        for step in [1, 3, 7, 10] {
            let (mut diary, mut agenda) = (Diary::default(), agenda());
            for at in (0..40).step_by(step).chain([40]) {
                assert_eq!(agenda.advance(ms(at), &mut diary), Ok(()));
                assert!(agenda.next_moment(&diary) >= diary.now);
            }
            assert_eq!(diary.lines, whole.lines, "in steps of {step} ms");
        }
    }

    #[test]
    fn a_task_that_gives_up_stops_those_behind_it() {
        let mut diary = Diary::default();
        let mut agenda = Agenda::new()
            .with(Line("stop", vec![15]))
            .with(Line("never", vec![15]))
            .with(Line("early", vec![1]));
        assert_eq!(agenda.advance(ms(40), &mut diary), Err(ms(15)));
        assert_eq!(diary.lines, [(0, "event"), (1, "early"), (10, "event"), (15, "stop")]);
        assert_eq!(diary.now, ms(15));
    }

    #[test]
    fn what_came_too_late_is_done_at_once() {
        let mut diary = Diary { now: ms(20), next: ms(50), ..Diary::default() };
        assert_eq!(Agenda::new().with(Line("late", vec![5])).advance(ms(30), &mut diary), Ok(()));
        assert_eq!(diary.lines, [(20, "late")]);
    }

    #[test]
    fn an_empty_agenda_is_never_due() {
        let diary = Diary { next: ms(7), ..Diary::default() };
        let agenda = Agenda::<Diary>::default();
        assert_eq!((agenda.next(), agenda.next_moment(&diary)), (Time::MAX, ms(7)));
    }
}
