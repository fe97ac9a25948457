// SPDX-License-Identifier: MIT OR Apache-2.0
//! Controllers written in Python: the same events, called with the interpreter's lock held.
//!
//! A run has no place for a Python exception, so the first one is kept for its thread, the controller is left alone
//! from then on, and the run is refused when it asks whether to go on ([`failure`]).

use crate::error::Failure;
use control::{
    Ack, Control, Controller, Idle, Loss, PathChange, Signals, Snapshot, Spurious, Start, Timeout,
    TimerFired, Verdict, catalogue, window::MAX_WINDOW_SEGMENTS,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use pyo3::{PyClass, PyClassInitializer};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};
use units::{Bytes, Code, Rate, Span, Time};

thread_local! {
    /// What the first controller of this thread's run that failed has raised.
    static RAISED: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// What a controller raised in this thread's run, if one did; it is taken.
pub fn failure() -> Option<Failure> {
    let message = RAISED.with(RefCell::take)?;
    Some(Failure::new(Code::ControllerRaised, &message))
}

/// Whether a controller of this thread's run has raised.
pub fn has_failed() -> bool {
    RAISED.with(|raised| raised.borrow().is_some())
}

/// What a controller commands, in segments and seconds.
#[pyclass(get_all, set_all, name = "Control", module = "bentpipe._core")]
pub struct Block {
    cwnd: f64,
    ssthresh: Option<f64>,
    pacing_bit_s: Option<f64>,
    hold_until_s: Option<f64>,
    timer_s: Option<f64>,
    phase: String,
}

macro_rules! event {
    ($name:ident { $($field:ident: $type:ty),* $(,)? }) => {
        #[pyclass(frozen, get_all, module = "bentpipe._core")]
        pub struct $name { $($field: $type),* }
    };
}

event!(StartEvent {
    now_s: f64, mss: u32, initial_window: u32, seed: u64, propagation_rtt_s: Option<f64>, distance_km: Option<f64>,
    capacity_bit_s: Option<f64>,
});
event!(AckEvent {
    now_s: f64, acked: f64, cumulative: f64, duplicate: bool, rtt_s: Option<f64>, srtt_s: Option<f64>,
    min_rtt_s: Option<f64>, one_way_delay_s: Option<f64>, propagation_rtt_s: Option<f64>, total_sent: f64,
    total_delivered: f64, total_lost: f64, delivery_rate_bit_s: Option<f64>, in_flight: f64, round: u64,
    round_start: bool, in_recovery: bool, cwnd_limited: bool, app_limited: bool, congestion_warning: bool,
});
event!(LossEvent {
    now_s: f64, lost: f64, new_episode: bool, episode: u32, in_flight_before: f64, sent_at_s: Option<f64>,
});
event!(TimeoutEvent { now_s: f64, consecutive: u32, in_flight_before: f64 });
event!(PathEvent {
    now_s: f64, at_s: f64, lasts_s: Option<f64>, propagation_rtt_s: Option<f64>, distance_km: Option<f64>,
});

/// Registers `factory(**parameters)` as a controller called `name`; `signals` are the names of those it uses.
#[pyfunction]
#[expect(clippy::needless_pass_by_value, reason = "PyO3 hands lists over by value")]
pub fn register(name: &str, factory: Py<PyAny>, signals: Vec<String>) -> PyResult<()> {
    let mut uses = Signals::NONE;
    for signal in &signals {
        uses = uses
            | Signals::named(signal).ok_or_else(|| {
                let known: Vec<_> = Signals::all().names().collect();
                PyValueError::new_err(format!(
                    "no signal is called {signal:?}; known are {}",
                    known.join(", ")
                ))
            })?;
    }
    catalogue::register(name, move |parameters| Box::new(Twin::new(&factory, uses, parameters)))
        .map_err(|error| Failure::new(error.code(), &error).into())
}

/// A Python object that controls, and its block.
struct Twin {
    /// `None` once it has raised.
    object: Option<Py<PyAny>>,
    block: Option<Py<Block>>,
    uses: Signals,
    mss: u32,
}

fn secs(time: Time) -> f64 {
    time.since(Time::ZERO).secs_f64()
}

impl Twin {
    fn new(factory: &Py<PyAny>, uses: Signals, parameters: &[(&str, catalogue::Value<'_>)]) -> Self {
        let mut twin = Self { object: None, block: None, uses, mss: 1 };
        Python::attach(|py| {
            let built = (|| {
                let named = PyDict::new(py);
                for (name, value) in parameters {
                    match *value {
                        catalogue::Value::Number(number) => named.set_item(name, number)?,
                        catalogue::Value::Text(text) => named.set_item(name, text)?,
                        catalogue::Value::Flag(flag) => named.set_item(name, flag)?,
                    }
                }
                let object = factory.call(py, (), Some(&named))?;
                let block = Block {
                    cwnd: 1.0,
                    ssthresh: None,
                    pacing_bit_s: None,
                    hold_until_s: None,
                    timer_s: None,
                    phase: "start".to_owned(),
                };
                Ok((object, Py::new(py, block)?))
            })();
            match built {
                Ok((object, block)) => (twin.object, twin.block) = (Some(object), Some(block)),
                Err(error) => raise(py, &error),
            }
        });
        twin
    }

    fn segments(&self, bytes: Bytes) -> f64 {
        bytes.segments(self.mss)
    }

    /// Calls `method` with the event and the block; gives what the method returned as text, if it returned text.
    fn call<T: PyClass + Into<PyClassInitializer<T>>>(
        &mut self,
        method: &str,
        event: T,
        control: &mut Control,
    ) -> Option<String> {
        let (Some(object), Some(block)) = (&self.object, &self.block) else { return None };
        let mss = self.mss;
        let answer = Python::attach(|py| -> PyResult<Option<String>> {
            {
                let mut block = block.borrow_mut(py);
                block.cwnd = control.cwnd.segments(mss);
                block.ssthresh = control.ssthresh.map(|bytes| bytes.segments(mss));
                block.pacing_bit_s = control.pacing.map(|rate| rate.bits_per_s() as f64);
                block.hold_until_s = control.hold_until.map(secs);
                block.timer_s = control.timers[0].map(secs);
                if block.phase != control.phase {
                    control.phase.clone_into(&mut block.phase);
                }
            }
            let answer = object.call_method1(py, method, (Py::new(py, event)?, block))?;
            let block = block.borrow(py);
            obey(&block, mss, control)?;
            Ok(answer.bind(py).cast::<PyString>().ok().map(ToString::to_string))
        });
        match answer {
            Ok(text) => text,
            Err(error) => {
                Python::attach(|py| raise(py, &error));
                self.object = None;
                None
            }
        }
    }
}

/// Takes over what a block commands.
fn obey(block: &Block, mss: u32, control: &mut Control) -> PyResult<()> {
    let finite = |name: &str, value: f64, least: f64| {
        if value.is_finite() && value >= least {
            Ok(value)
        } else {
            let message = format!(
                "the controller set control.{name} to {value}; it must be at least {least} and finite"
            );
            Err(PyValueError::new_err(message))
        }
    };
    let time = |name: &str, at: Option<f64>| {
        at.map(|at| finite(name, at, 0.0).map(|at| Time::ZERO + Span::from_secs_f64(at))).transpose()
    };
    control.cwnd = Bytes::from_segments(finite("cwnd", block.cwnd, 1.0)?.min(MAX_WINDOW_SEGMENTS), mss);
    control.ssthresh = block
        .ssthresh
        .filter(|segments| *segments != f64::INFINITY)
        .map(|segments| finite("ssthresh", segments, 1.0))
        .transpose()?
        .map(|segments| Bytes::from_segments(segments.min(MAX_WINDOW_SEGMENTS), mss));
    control.pacing = block
        .pacing_bit_s
        .map(|rate| finite("pacing_bit_s", rate, 1.0))
        .transpose()?
        .map(|rate| Rate::from_bytes_per_s(rate / 8.0));
    control.hold_until = time("hold_until_s", block.hold_until_s)?;
    control.timers[0] = time("timer_s", block.timer_s)?;
    if block.phase != control.phase {
        control.phase = interned(&block.phase);
    }
    Ok(())
}

/// Phases are names that live for ever; a controller has a handful.
fn interned(phase: &str) -> &'static str {
    static PHASES: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut phases = PHASES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = phases.get(phase) {
        return known;
    }
    let leaked: &'static str = Box::leak(phase.to_owned().into_boxed_str());
    phases.insert(leaked);
    leaked
}

/// Keeps the first exception of this thread's run, with its traceback.
fn raise(py: Python<'_>, error: &PyErr) {
    let traceback = error.traceback(py).and_then(|traceback| traceback.format().ok()).unwrap_or_default();
    let message = format!("the controller raised {error}\n{}", traceback.trim_end());
    RAISED.with(|raised| {
        raised.borrow_mut().get_or_insert(message);
    });
}

impl Controller for Twin {
    fn uses(&self) -> Signals {
        self.uses
    }
    fn on_start(&mut self, event: &Start, control: &mut Control) {
        self.mss = event.mss;
        let start = StartEvent {
            now_s: secs(event.now),
            mss: event.mss,
            initial_window: event.initial_window,
            seed: event.seed,
            propagation_rtt_s: event.path.propagation_rtt.map(Span::secs_f64),
            distance_km: event.path.distance_m.map(|metres| metres / 1e3),
            capacity_bit_s: event.path.capacity.map(|rate| rate.bits_per_s() as f64),
        };
        self.call("on_start", start, control);
    }
    fn on_ack(&mut self, ack: &Ack<'_>, control: &mut Control) {
        let event = AckEvent {
            now_s: secs(ack.now),
            acked: self.segments(ack.acked),
            cumulative: self.segments(ack.cumulative),
            duplicate: ack.duplicate,
            rtt_s: ack.rtt.map(Span::secs_f64),
            srtt_s: ack.srtt.map(Span::secs_f64),
            min_rtt_s: ack.min_rtt.map(Span::secs_f64),
            one_way_delay_s: ack.one_way_delay_ns.map(|ns| ns as f64 / 1e9),
            propagation_rtt_s: ack.propagation_rtt.map(Span::secs_f64),
            total_sent: self.segments(ack.total_sent),
            total_delivered: self.segments(ack.total_delivered),
            total_lost: self.segments(ack.total_lost),
            delivery_rate_bit_s: ack.rate.and_then(|rate| rate.bytes_per_s()).map(|bytes| bytes * 8.0),
            in_flight: self.segments(ack.in_flight),
            round: ack.round,
            round_start: ack.round_start,
            in_recovery: ack.in_recovery,
            cwnd_limited: ack.cwnd_limited,
            app_limited: ack.app_limited,
            congestion_warning: ack.congestion_warning,
        };
        self.call("on_ack", event, control);
    }
    fn on_loss(&mut self, loss: &Loss<'_>, control: &mut Control) -> Verdict {
        let event = LossEvent {
            now_s: secs(loss.now),
            lost: self.segments(loss.lost),
            new_episode: loss.new_episode,
            episode: loss.episode,
            in_flight_before: self.segments(loss.in_flight_before),
            sent_at_s: loss.packets.first().map(|packet| secs(packet.sent_at)),
        };
        match self.call("on_loss", event, control).as_deref() {
            Some("link error") => Verdict::LinkError,
            _ => Verdict::Congestion,
        }
    }
    fn on_recovery_exit(&mut self, now: Time, control: &mut Control) {
        self.call("on_recovery_exit", Moment { now_s: secs(now), episode: None, idle_s: None }, control);
    }
    fn on_timeout(&mut self, timeout: &Timeout, control: &mut Control) {
        let event = TimeoutEvent {
            now_s: secs(timeout.now),
            consecutive: timeout.consecutive,
            in_flight_before: self.segments(timeout.in_flight_before),
        };
        self.call("on_timeout", event, control);
    }
    fn on_spurious(&mut self, event: &Spurious, control: &mut Control) {
        let moment = Moment { now_s: secs(event.now), episode: Some(event.episode), idle_s: None };
        self.call("on_spurious", moment, control);
    }
    fn on_idle(&mut self, event: &Idle, control: &mut Control) {
        let moment =
            Moment { now_s: secs(event.now), episode: None, idle_s: Some(event.idle_for.secs_f64()) };
        self.call("on_idle", moment, control);
    }
    fn on_path(&mut self, event: &PathChange, control: &mut Control) {
        let path = PathEvent {
            now_s: secs(event.now),
            at_s: secs(event.at),
            lasts_s: event.lasts.map(Span::secs_f64),
            propagation_rtt_s: event.after.propagation_rtt.map(Span::secs_f64),
            distance_km: event.after.distance_m.map(|metres| metres / 1e3),
        };
        self.call("on_path", path, control);
    }
    fn on_timer(&mut self, event: &TimerFired, control: &mut Control) {
        self.call("on_timer", Moment { now_s: secs(event.now), episode: None, idle_s: None }, control);
    }
    fn snapshot(&self, out: &mut Snapshot) {
        let _ = out;
    }
}

event!(Moment { now_s: f64, episode: Option<u32>, idle_s: Option<f64> });
