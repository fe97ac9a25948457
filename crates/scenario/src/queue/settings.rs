// SPDX-License-Identifier: MIT OR Apache-2.0
//! Converts between the settings of each discipline and the keys of its table, in both directions.

use super::{CeOf, QueueTable, SchedulerWord};
use crate::text::{Fraction, Q};
use crate::words::W;
use link::{
    CeThreshold, CoDel, Discipline, DropFront, DualPi2, DualScheduler, Pie, Priority, QueueLimit, Red,
    Threshold,
};
use units::{Bytes, Span};

/// Copies a key of the table into the setting, or fills the key with the setting.
fn quantity<T: Copy>(key: &mut Option<Q<T>>, setting: &mut T) {
    *setting = key.get_or_insert(Q(*setting)).0;
}

/// Does the same for numbers and for true or false.
fn plain<T: Copy>(key: &mut Option<T>, setting: &mut T) {
    *setting = *key.get_or_insert(*setting);
}

/// Does the same for fractions.
fn fraction(key: &mut Option<Fraction>, setting: &mut f64) {
    *setting = key.get_or_insert(Fraction(*setting)).0;
}

impl QueueTable {
    /// Completes a table and the settings of its discipline from each other. Returns the default limit. `base` is the
    /// default limit of the link.
    pub(super) fn complete(&mut self, discipline: &mut Discipline, base: QueueLimit) -> QueueLimit {
        match discipline {
            Discipline::DropTail => base,
            Discipline::CoDel(codel) => {
                self.complete_codel(codel);
                // Default of tc-codel(8).
                QueueLimit::Packets(1000)
            }
            Discipline::FqCoDel(fair) => {
                self.complete_codel(&mut fair.codel);
                plain(&mut self.flows, &mut fair.flows);
                quantity(&mut self.quantum, &mut fair.quantum);
                // Default of tc-fq_codel(8).
                QueueLimit::Packets(10_240)
            }
            Discipline::Threshold(threshold) => {
                quantity(&mut self.mark_above, &mut threshold.above);
                base
            }
            Discipline::Red(red) => {
                self.complete_red(red);
                base
            }
            Discipline::Pie(pie) => {
                self.complete_pie(pie);
                // Default of tc-pie(8).
                QueueLimit::Packets(1000)
            }
            Discipline::DualPi2(dual) => {
                self.complete_dual(dual);
                // RFC 9332, figure 2, line 5.
                QueueLimit::Time(Span::from_millis(250))
            }
            Discipline::Drr(drr) => {
                quantity(&mut self.quantum, &mut drr.quantum);
                self.complete_marks(&mut drr.mark_above);
                base
            }
            Discipline::DropFront(DropFront { mark_above })
            | Discipline::Priority(Priority { mark_above }) => {
                self.complete_marks(mark_above);
                base
            }
        }
    }

    fn complete_marks(&mut self, mark_above: &mut Option<Threshold>) {
        if let Some(threshold) = mark_above {
            self.mark_above.get_or_insert(Q(threshold.above));
        }
        *mark_above = self.mark_above.map(|Q(above)| Threshold { above });
    }

    fn complete_codel(&mut self, codel: &mut CoDel) {
        quantity(&mut self.target, &mut codel.target);
        quantity(&mut self.interval, &mut codel.interval);
        if let Some(threshold) = codel.ce_threshold {
            self.ce_threshold.get_or_insert(Q(threshold.above));
            self.ce_threshold_of.get_or_insert(W(if threshold.only_ect1 { CeOf::Ect1 } else { CeOf::All }));
        }
        codel.ce_threshold = self.ce_threshold.map(|Q(above)| {
            let W(of) = *self.ce_threshold_of.get_or_insert(W(CeOf::All));
            CeThreshold { above, only_ect1: of == CeOf::Ect1 }
        });
    }

    fn complete_red(&mut self, red: &mut Red) {
        // If only one threshold is given, it determines the other (Floyd 1997: max_th is three times min_th).
        match (self.min_threshold, self.max_threshold) {
            (Some(Q(min)), None) => red.max_threshold = times(min, 3.0),
            (None, Some(Q(max))) => red.min_threshold = times(max, 1.0 / 3.0),
            _ => {}
        }
        quantity(&mut self.min_threshold, &mut red.min_threshold);
        quantity(&mut self.max_threshold, &mut red.max_threshold);
        plain(&mut self.weight, &mut red.weight);
        fraction(&mut self.max_p, &mut red.max_p);
        plain(&mut self.gentle, &mut red.gentle);
    }

    fn complete_pie(&mut self, pie: &mut Pie) {
        quantity(&mut self.target, &mut pie.target);
        quantity(&mut self.update, &mut pie.update);
        quantity(&mut self.burst, &mut pie.burst);
        plain(&mut self.alpha, &mut pie.alpha);
        plain(&mut self.beta, &mut pie.beta);
        fraction(&mut self.mark_below, &mut pie.mark_below);
        let W(estimate) = *self.estimate.get_or_insert(W(pie.estimate));
        pie.estimate = estimate;
    }

    fn complete_dual(&mut self, dual: &mut DualPi2) {
        quantity(&mut self.target, &mut dual.target);
        quantity(&mut self.rtt_max, &mut dual.rtt_max);
        plain(&mut self.coupling, &mut dual.coupling);
        quantity(&mut self.ramp_from, &mut dual.ramp_from);
        quantity(&mut self.ramp_range, &mut dual.ramp_range);
        let word = match dual.scheduler {
            DualScheduler::Weighted { .. } => SchedulerWord::Weighted,
            DualScheduler::TimeShifted { .. } => SchedulerWord::TimeShifted,
        };
        let W(word) = *self.scheduler.get_or_insert(W(word));
        let mut scheduler = match (word, dual.scheduler) {
            (SchedulerWord::Weighted, own @ DualScheduler::Weighted { .. })
            | (SchedulerWord::TimeShifted, own @ DualScheduler::TimeShifted { .. }) => own,
            (SchedulerWord::Weighted, _) => DualScheduler::WEIGHTED,
            (SchedulerWord::TimeShifted, _) => DualScheduler::TIME_SHIFTED,
        };
        match &mut scheduler {
            DualScheduler::Weighted { classic_share } => fraction(&mut self.classic_share, classic_share),
            DualScheduler::TimeShifted { shift } => quantity(&mut self.time_shift, shift),
        }
        dual.scheduler = scheduler;
    }
}

/// Returns a multiple of a limit.
fn times(limit: QueueLimit, factor: f64) -> QueueLimit {
    let whole = |number: u64| (number as f64 * factor).round() as u64;
    match limit {
        QueueLimit::Packets(packets) => QueueLimit::Packets(whole(packets)),
        QueueLimit::Bytes(bytes) => QueueLimit::Bytes(Bytes::new(whole(bytes.get()))),
        QueueLimit::Time(span) => QueueLimit::Time(Span::from_nanos(whole(span.nanos()))),
        QueueLimit::Bdp(number) => QueueLimit::Bdp(number * factor),
        QueueLimit::Unlimited => QueueLimit::Unlimited,
    }
}
