// SPDX-License-Identifier: MIT OR Apache-2.0
//! Controllers written in Python: the same events, called with the interpreter's lock held.
//!
//! A run cannot return a Python exception. So the first exception is kept for its thread, the controller is not called
//! again, and the run is refused when it asks whether to go on ([`failure`]).
//!
//! A clone of such a controller is what `copy.deepcopy` makes of the object together with its block: nothing is shared
//! but what Python shares (classes, modules, functions), and an object that holds its block holds the copy's. An object
//! that cannot be copied is an exception like any other: kept, and the clone is left alone from the beginning.
//!
//! Python sees the events as objects and keeps one block per flow. The numbers of the block are not rounded between
//! events: what the platform obeys is computed from them, and they change by themselves only where the platform
//! changed its own (a timer that fired). The run is refused within 256 events of the exception.

use crate::error::Failure;
use control::{
    Ack, Control, Controller, Idle, Loss, LossTrigger, LossVerdict, NewMss, PathChange, PathKind, Signals,
    Snapshot, Spurious, Start, Timeout, TimerFired, Unused, catalogue,
    window::{self, MAX_WINDOW_SEGMENTS, rescaled_bytes},
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use saved::{Damaged, Reader, Saved, Writer};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::sync::{Arc, Mutex, PoisonError};
use units::{Bytes, Code, Rate, Span, Time};

thread_local! {
    /// How the first controller of this thread's run that failed did so.
    static FAILED: RefCell<Option<Failure>> = const { RefCell::new(None) };
}

/// How a controller of this thread's run failed, if one did; it is taken.
pub fn failure() -> Option<Failure> {
    FAILED.with(RefCell::take)
}

/// Whether a controller of this thread's run has failed.
pub fn has_failed() -> bool {
    FAILED.with(|failed| failed.borrow().is_some())
}

fn fail(code: Code, message: &str) {
    FAILED.with(|failed| {
        failed.borrow_mut().get_or_insert_with(|| Failure::new(code, &message));
    });
}

/// What a controller commands, in segments and seconds. It is the controller's own state too: what is written here
/// stands here, unrounded, at the next event. A bound is checked when the method returns.
#[pyclass(name = "Control", module = "bentpipe._core")]
#[derive(Clone)]
pub struct Block {
    /// Congestion window in segments, at least 1.
    #[pyo3(get)]
    cwnd: f64,
    /// Slow-start threshold in segments; None (or infinity) while unset.
    #[pyo3(get)]
    ssthresh: Option<f64>,
    /// Pacing rate of payload in bit/s; None sends as the window allows.
    #[pyo3(get)]
    pacing_bit_s: Option<f64>,
    /// Send nothing before this time.
    #[pyo3(get)]
    hold_until_s: Option<f64>,
    /// The time to call `on_timer`; reset to None before the call.
    #[pyo3(get)]
    timer_s: Option<f64>,
    /// Name of the phase in tables and pictures: one of a few, never with a number in it.
    #[pyo3(get, set)]
    phase: String,
}

/// Refuses NaN and infinity where they are written, so that the traceback shows the line.
fn finite(name: &str, value: f64) -> PyResult<f64> {
    if value.is_finite() {
        Ok(value)
    } else {
        Err(PyValueError::new_err(format!("control.{name} cannot be {value}")))
    }
}

#[pymethods]
impl Block {
    #[setter]
    fn set_cwnd(&mut self, value: f64) -> PyResult<()> {
        self.cwnd = finite("cwnd", value)?;
        Ok(())
    }
    #[setter]
    fn set_ssthresh(&mut self, value: Option<f64>) -> PyResult<()> {
        let value = value.filter(|segments| *segments != f64::INFINITY);
        self.ssthresh = value.map(|value| finite("ssthresh", value)).transpose()?;
        Ok(())
    }
    #[setter]
    fn set_pacing_bit_s(&mut self, value: Option<f64>) -> PyResult<()> {
        self.pacing_bit_s = value.map(|value| finite("pacing_bit_s", value)).transpose()?;
        Ok(())
    }
    #[setter]
    fn set_hold_until_s(&mut self, value: Option<f64>) -> PyResult<()> {
        self.hold_until_s = value.map(|value| finite("hold_until_s", value)).transpose()?;
        Ok(())
    }
    #[setter]
    fn set_timer_s(&mut self, value: Option<f64>) -> PyResult<()> {
        self.timer_s = value.map(|value| finite("timer_s", value)).transpose()?;
        Ok(())
    }
    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.clone()
    }
}

/// `old`, unless the ground has something else than `old` says: a number of the controller's own is not rounded to
/// the ground's bytes and nanoseconds at every event.
fn keep<T: PartialEq>(
    old: Option<f64>,
    ground: Option<T>,
    into: fn(f64) -> T,
    from: fn(T) -> f64,
) -> Option<f64> {
    if old.map(into) == ground { old } else { ground.map(from) }
}

fn rate(bit_s: f64) -> Rate {
    Rate::from_bytes_per_s(bit_s / 8.0)
}

impl Block {
    const fn new() -> Self {
        Self {
            cwnd: 1.0,
            ssthresh: None,
            pacing_bit_s: None,
            hold_until_s: None,
            timer_s: None,
            phase: String::new(),
        }
    }

    /// Takes over what the ground has changed.
    fn show(&mut self, control: &Control, mss: u32) {
        if Bytes::from_segments(self.cwnd, mss) != control.cwnd {
            self.cwnd = control.cwnd.segments(mss);
        }
        if self.ssthresh.map(|segments| Bytes::from_segments(segments, mss)) != control.ssthresh {
            self.ssthresh = control.ssthresh.map(|bytes| bytes.segments(mss));
        }
        self.pacing_bit_s = keep(self.pacing_bit_s, control.pacing, rate, |rate| rate.bits_per_s() as f64);
        self.hold_until_s = keep(self.hold_until_s, control.hold_until, Time::from_secs_f64, Time::secs_f64);
        self.timer_s = keep(self.timer_s, control.timers[0], Time::from_secs_f64, Time::secs_f64);
        if self.phase != control.phase {
            control.phase.clone_into(&mut self.phase);
        }
    }

    /// Commands what stands here; the error says which bound was broken.
    fn command(&mut self, control: &mut Control, mss: u32) -> Result<(), String> {
        let least = |name: &str, value: f64, least: f64, unit: &str| {
            if value >= least {
                Ok(value)
            } else {
                Err(format!("set control.{name} to {value}; the least value is {least}{unit}"))
            }
        };
        let segments = |name: &str, value: f64| {
            least(name, value, 1.0, " segment").map(|segments| segments.min(MAX_WINDOW_SEGMENTS))
        };
        let time = |name: &str, at: Option<f64>| {
            at.map(|at| least(name, at, 0.0, " s").map(Time::from_secs_f64)).transpose()
        };
        self.cwnd = segments("cwnd", self.cwnd)?;
        self.ssthresh = self.ssthresh.map(|value| segments("ssthresh", value)).transpose()?;
        control.cwnd = Bytes::from_segments(self.cwnd, mss);
        control.ssthresh = self.ssthresh.map(|segments| Bytes::from_segments(segments, mss));
        control.pacing = self
            .pacing_bit_s
            .map(|value| least("pacing_bit_s", value, 1.0, " bit/s").map(rate))
            .transpose()?;
        control.hold_until = time("hold_until_s", self.hold_until_s)?;
        control.timers[0] = time("timer_s", self.timer_s)?;
        if self.phase != control.phase {
            control.phase = interned(&self.phase)?;
        }
        Ok(())
    }
}

/// Most names of phases and snapshots that a process may use.
const MOST_NAMES: usize = 1000;

/// Names of phases and snapshots live for ever; a controller has a handful.
fn interned(name: &str) -> Result<&'static str, String> {
    static NAMES: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = names.get(name) {
        return Ok(known);
    }
    if names.len() >= MOST_NAMES {
        return Err(format!(
            "used more than {MOST_NAMES} names of phases and snapshots; \"{name}\" is beyond the limit"
        ));
    }
    let leaked: &'static str = Box::leak(name.to_owned().into_boxed_str());
    names.insert(leaked);
    Ok(leaked)
}

macro_rules! event {
    ($(#[doc = $doc:literal])+ $name:ident { $($(#[doc = $about:literal])+ $field:ident: $type:ty,)* }) => {
        $(#[doc = $doc])+
        #[pyclass(frozen, get_all, module = "bentpipe._core")]
        pub struct $name { $($(#[doc = $about])+ $field: $type),* }

        #[pymethods]
        impl $name {
            /// Nothing about an event changes: a controller that keeps one can share it with its copy.
            fn __deepcopy__(this: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
                this
            }
        }
    };
}

event! {
    /// The connection starts. "Not known" is None in every event.
    StartEvent {
        /// Time of the run.
        now_s: f64,
        /// Payload bytes of a full segment.
        mss: u32,
        /// Initial window in segments.
        initial_window: u32,
        /// For `random.Random(event.seed)`: the flow's own, so that the run can be repeated.
        seed: u64,
        /// Propagation delay of the round trip (signal "propagation delay from the geometry").
        propagation_rtt_s: Option<f64>,
        /// Great-circle distance between the endpoints (signal "distance between the endpoints").
        distance_km: Option<f64>,
        /// Rate of the slowest link, where it is known beforehand.
        capacity_bit_s: Option<f64>,
    }
}
event! {
    /// An acknowledgement arrived. Amounts are in segments.
    AckEvent {
        /// Time of the run.
        now_s: f64,
        /// Newly acknowledged, cumulatively or selectively.
        acked: f64,
        /// Advance of the cumulative acknowledgement; None where each packet is acknowledged by itself (QUIC).
        cumulative: Option<f64>,
        /// No advance although data is outstanding; None where each packet is acknowledged by itself.
        duplicate: Option<bool>,
        /// Round-trip time of the newest acknowledged packet; None if it was sent more than once.
        rtt_s: Option<f64>,
        /// Smoothed round-trip time (RFC 6298), this sample included.
        srtt_s: Option<f64>,
        /// Smallest round-trip time of the connection.
        min_rtt_s: Option<f64>,
        /// Delay on the way there, up to a constant (signal "one-way delays").
        one_way_delay_s: Option<f64>,
        /// Propagation delay of the round trip when the packet was sent (signal "propagation delay from the geometry").
        propagation_rtt_s: Option<f64>,
        /// When the newest acknowledged packet was sent.
        sent_at_s: Option<f64>,
        /// Sent on this connection so far.
        total_sent: f64,
        /// Delivered on this connection so far.
        total_delivered: f64,
        /// Declared lost on this connection so far.
        total_lost: f64,
        /// Delivery rate of payload (signal "delivery-rate samples").
        delivery_rate_bit_s: Option<f64>,
        /// In flight before this acknowledgement.
        in_flight_before: f64,
        /// In flight after it.
        in_flight: f64,
        /// Number of the current round trip.
        round: u64,
        /// This acknowledgement began that round trip.
        round_start: bool,
        /// A loss episode is being repaired, or a mark (ECN) was answered less than a round trip ago.
        in_recovery: bool,
        /// The window, not the application or the receiver, limits sending. Without this limit the size of the window
        /// is not meaningful.
        cwnd_limited: bool,
        /// The application limited sending when the acknowledged packet was sent.
        app_limited: bool,
        /// Acknowledged bytes that were marked, in segments (ECN; exactly with signal "ECN marks").
        ce: f64,
        /// A router's warning was echoed (signal "congestion-warning marks").
        congestion_warning: bool,
    }
}
event! {
    /// Packets were declared lost. Amounts are in segments.
    LossEvent {
        /// Time of the run.
        now_s: f64,
        /// Newly declared lost.
        lost: f64,
        /// First loss of an episode: the one to which a controller reacts.
        new_episode: bool,
        /// Number of the episode.
        episode: u32,
        /// In flight before the loss was taken off.
        in_flight_before: f64,
        /// When the first of the lost packets was sent; of a mark the newest that the acknowledgement covers.
        sent_at_s: Option<f64>,
        /// Nothing is lost: a queue marked (ECN, `tcp.ecn`). "link error" takes no notice of it.
        marked: bool,
    }
}
event! {
    /// The retransmission timer expired: everything in flight is presumed lost.
    TimeoutEvent {
        /// Time of the run.
        now_s: f64,
        /// How many times in a row (1 = first).
        consecutive: u32,
        /// Number of the episode.
        episode: u32,
        /// In flight before, in segments.
        in_flight_before: f64,
    }
}
event! {
    /// The path changes, or will.
    PathEvent {
        /// Time of the run.
        now_s: f64,
        /// When it happens.
        at_s: f64,
        /// How long it lasts, where that is known.
        lasts_s: Option<f64>,
        /// "handover", "reroute", "rate change" or "outage".
        kind: &'static str,
        /// Propagation delay of the round trip afterwards.
        propagation_rtt_s: Option<f64>,
        /// Great-circle distance between the endpoints.
        distance_km: Option<f64>,
    }
}
event! {
    /// A full segment has another size from now on. The window in the block has kept its bytes.
    MssEvent {
        /// Time of the run.
        now_s: f64,
        /// Payload bytes of a full segment.
        mss: u32,
        /// Segments of the new size in one of the old: multiply with it what you remember in segments.
        factor: f64,
    }
}
event! {
    /// Something happened of which there is little to say.
    Moment {
        /// Time of the run.
        now_s: f64,
        /// The episode that proved spurious; `on_spurious` alone.
        episode: Option<u32>,
        /// How long nothing was in flight; `on_idle` alone.
        idle_s: Option<f64>,
        /// The window is to be no larger; `on_unused` alone.
        cwnd_segments: Option<f64>,
        /// The threshold, if there is one, is to be no smaller; `on_unused` alone, and none if it stays.
        ssthresh_segments: Option<f64>,
        /// The threshold is to be no larger; `on_unused` alone, and none if it may be.
        most_ssthresh_segments: Option<f64>,
    }
}

impl Moment {
    fn at(now: Time) -> Self {
        Self {
            now_s: now.secs_f64(),
            episode: None,
            idle_s: None,
            cwnd_segments: None,
            ssthresh_segments: None,
            most_ssthresh_segments: None,
        }
    }
}

/// Makes `factory(**parameters)` a controller called `name`; `signals` are the names of those it uses.
///
/// The object that the factory makes has all of [`METHODS`].
#[pyfunction]
#[expect(clippy::needless_pass_by_value, reason = "PyO3 hands lists over by value")]
pub fn register(name: &str, factory: Py<PyAny>, signals: Vec<String>) -> PyResult<()> {
    let mut uses = Signals::NONE;
    for signal in &signals {
        let named = Signals::named(signal).filter(|signal| OFFERED.contains(*signal));
        uses = uses
            | named.ok_or_else(|| {
                let known: Vec<_> = OFFERED.names().map(|name| format!("\"{name}\"")).collect();
                let known = known.join(", ");
                PyValueError::new_err(format!(
                    "unknown signal \"{signal}\" for controllers in Python; known signals: {known}"
                ))
            })?;
    }
    let own: Arc<str> = name.into();
    catalogue::register(name, move |parameters| Box::new(Twin::new(&own, &factory, uses, parameters)))
        .map_err(|error| Failure::new(error.code(), &error).into())
}

/// What can reach a controller in Python. The rest has no place in the events and the block above.
const OFFERED: Signals = Signals::RATE_SAMPLE
    .and(Signals::PACING)
    .and(Signals::UNDO)
    .and(Signals::ONE_WAY_DELAY)
    .and(Signals::TIMER)
    .and(Signals::HOLD)
    .and(Signals::PROPAGATION)
    .and(Signals::DISTANCE)
    .and(Signals::PATH_CHANGE)
    .and(Signals::CONGESTION_WARNING)
    .and(Signals::CUMULATIVE_ACK);

/// The methods in the order of [`Method`].
const METHODS: [&str; 13] = [
    "on_start",
    "on_ack",
    "on_loss",
    "on_timeout",
    "on_persistent_congestion",
    "on_recovery_exit",
    "on_spurious",
    "on_unused",
    "on_idle",
    "on_path",
    "on_mss",
    "on_timer",
    "snapshot",
];

#[derive(Clone, Copy)]
enum Method {
    Start,
    Ack,
    Loss,
    Timeout,
    PersistentCongestion,
    RecoveryExit,
    Spurious,
    Unused,
    Idle,
    Path,
    Mss,
    Timer,
    Snapshot,
}

impl Method {
    const fn name(self) -> &'static str {
        METHODS[self as usize]
    }
}

/// A Python object that controls.
struct Twin {
    name: Arc<str>,
    uses: Signals,
    mss: u32,
    /// `None` once it has failed.
    object: Option<Object>,
}

/// It, its bound methods, looked up once, and its block.
struct Object {
    itself: Py<PyAny>,
    methods: Vec<Py<PyAny>>,
    block: Py<Block>,
}

impl Object {
    fn new(py: Python<'_>, itself: Py<PyAny>, block: Py<Block>) -> PyResult<Self> {
        let methods = METHODS.iter().map(|name| itself.getattr(py, *name)).collect::<PyResult<Vec<_>>>()?;
        Ok(Self { itself, methods, block })
    }

    /// What `copy.deepcopy` makes of both at once.
    fn copy(&self, py: Python<'_>) -> PyResult<Self> {
        let copied = py.import("copy")?.call_method1("deepcopy", ((&self.itself, &self.block),))?;
        let (itself, block) = copied.extract()?;
        Self::new(py, itself, block)
    }
}

impl Clone for Twin {
    fn clone(&self) -> Self {
        let object = self.object.as_ref().and_then(|object| {
            Python::attach(|py| {
                let copied = object.copy(py);
                copied
                    .map_err(|error| {
                        refuse(py, &error, &format!("controller \"{}\" could not be copied", self.name));
                    })
                    .ok()
            })
        });
        Self { name: Arc::clone(&self.name), object, ..*self }
    }
}

impl Twin {
    fn new(
        name: &Arc<str>,
        factory: &Py<PyAny>,
        uses: Signals,
        parameters: &[(&str, catalogue::Value<'_>)],
    ) -> Self {
        let object = Python::attach(|py| {
            let built = (|| {
                let named = PyDict::new(py);
                for (name, value) in parameters {
                    match *value {
                        catalogue::Value::Number(number) => named.set_item(name, number)?,
                        catalogue::Value::Text(text) => named.set_item(name, text)?,
                        catalogue::Value::Flag(flag) => named.set_item(name, flag)?,
                    }
                }
                let itself = factory.call(py, (), Some(&named))?;
                Object::new(py, itself, Py::new(py, Block::new())?)
            })();
            built
                .map_err(|error| refuse(py, &error, &format!("controller \"{name}\" could not be made")))
                .ok()
        });
        Self { name: Arc::clone(name), uses, mss: 1, object }
    }

    fn segments(&self, bytes: Bytes) -> f64 {
        bytes.segments(self.mss)
    }

    /// Calls `method` with the event and the block, obeys the block, and gives what `read` makes of the answer.
    fn call<T: for<'py> IntoPyObject<'py>, R>(
        &mut self,
        method: Method,
        now: Time,
        event: T,
        control: &mut Control,
        read: impl FnOnce(&Bound<'_, PyAny>) -> Result<R, String>,
    ) -> Option<R> {
        let Object { methods, block, .. } = self.object.as_ref()?;
        let mss = self.mss;
        let read = Python::attach(|py| {
            block.borrow_mut(py).show(control, mss);
            match methods[method as usize].call1(py, (event, block)) {
                Ok(answer) => {
                    let obeyed = block.borrow_mut(py).command(control, mss);
                    obeyed.and_then(|()| read(answer.bind(py))).map_err(|message| {
                        let (name, at) = (&self.name, now.secs_f64());
                        let method = method.name();
                        let message = format!("controller \"{name}\", {method} at {at} s: it {message}");
                        fail(Code::ControllerRaised, &message);
                    })
                }
                Err(error) => {
                    let (name, method, at) = (&self.name, method.name(), now.secs_f64());
                    refuse(py, &error, &format!("controller \"{name}\", {method} at {at} s"));
                    Err(())
                }
            }
        });
        if read.is_err() {
            self.object = None;
        }
        read.ok()
    }

    /// The same for methods whose answer says nothing.
    fn tell<T: for<'py> IntoPyObject<'py>>(
        &mut self,
        method: Method,
        now: Time,
        event: T,
        control: &mut Control,
    ) {
        self.call(method, now, event, control, |_| Ok(()));
    }
}

/// Keeps the first exception of this thread's run: one of Bentpipe's own as it is, another with its traceback.
fn refuse(py: Python<'_>, error: &PyErr, attempt: &str) {
    if let Some((code, message)) = own_error(py, error) {
        fail(code, &message);
        return;
    }
    let mut message = format!("{attempt}: it raised {error}");
    let traceback = error.traceback(py).and_then(|traceback| traceback.format().ok()).unwrap_or_default();
    // The first line says that a traceback follows.
    for line in traceback.lines().skip(1) {
        let _ = write!(message, "\n{line}");
    }
    fail(Code::ControllerRaised, &message);
}

/// Code and message of a `BentpipeError`.
fn own_error(py: Python<'_>, error: &PyErr) -> Option<(Code, String)> {
    let class = py.import("bentpipe.base.errors").ok()?.getattr("BentpipeError").ok()?;
    let value = error.value(py);
    if !value.is_instance(&class).ok()? {
        return None;
    }
    let text: String = value.getattr("code").ok()?.extract().ok()?;
    let code = Code::ALL.iter().find(|code| code.as_str() == text)?;
    Some((*code, value.getattr("message").ok()?.extract().ok()?))
}

/// What `on_loss` answered.
fn verdict(answer: &Bound<'_, PyAny>) -> Result<LossVerdict, String> {
    if answer.is_none() {
        return Ok(LossVerdict::Congestion);
    }
    match answer.extract::<&str>() {
        Ok("congestion") => Ok(LossVerdict::Congestion),
        Ok("link error") => Ok(LossVerdict::LinkError),
        _ => Err(format!("returned {answer:?}; a verdict must be \"link error\", \"congestion\" or None")),
    }
}

/// What a Python object knows cannot be written: a session with one is not saved.
impl Saved for Twin {
    fn save_to(&self, _to: &mut Writer) {}
    fn load_from(&mut self, from: &mut Reader<'_>) -> Result<(), Damaged> {
        Err(from.damaged::<Self>())
    }
}

impl Controller for Twin {
    fn can_be_saved(&self) -> bool {
        false
    }
    fn uses(&self) -> Signals {
        self.uses
    }
    fn on_start(&mut self, event: &Start, control: &mut Control) {
        self.mss = event.mss;
        let start = StartEvent {
            now_s: event.now.secs_f64(),
            mss: event.mss,
            initial_window: event.initial_window,
            seed: event.seed,
            propagation_rtt_s: event.path.propagation_rtt.map(Span::secs_f64),
            distance_km: event.path.distance_m.map(|metres| metres / 1e3),
            capacity_bit_s: event.path.capacity.map(|rate| rate.bits_per_s() as f64),
        };
        self.tell(Method::Start, event.now, start, control);
    }
    fn on_ack(&mut self, ack: &Ack<'_>, control: &mut Control) {
        let event = AckEvent {
            now_s: ack.now.secs_f64(),
            acked: self.segments(ack.acked),
            cumulative: ack.cumulative.map(|advance| self.segments(advance)),
            duplicate: ack.duplicate,
            rtt_s: ack.rtt.map(Span::secs_f64),
            srtt_s: ack.srtt.map(Span::secs_f64),
            min_rtt_s: ack.min_rtt.map(Span::secs_f64),
            one_way_delay_s: ack.one_way_delay_ns.map(|ns| ns as f64 / 1e9),
            propagation_rtt_s: ack.propagation_rtt.map(Span::secs_f64),
            sent_at_s: ack.sent_at.map(Time::secs_f64),
            total_sent: self.segments(ack.total_sent),
            total_delivered: self.segments(ack.total_delivered),
            total_lost: self.segments(ack.total_lost),
            delivery_rate_bit_s: ack.rate.and_then(|rate| rate.bytes_per_s()).map(|bytes| bytes * 8.0),
            in_flight_before: self.segments(ack.in_flight_before),
            in_flight: self.segments(ack.in_flight),
            round: ack.round,
            round_start: ack.round_start,
            in_recovery: ack.in_recovery,
            cwnd_limited: ack.cwnd_limited,
            app_limited: ack.app_limited,
            ce: self.segments(ack.ce),
            congestion_warning: ack.congestion_warning,
        };
        self.tell(Method::Ack, ack.now, event, control);
    }
    fn on_loss(&mut self, loss: &Loss<'_>, control: &mut Control) -> LossVerdict {
        let event = LossEvent {
            now_s: loss.now.secs_f64(),
            lost: self.segments(loss.lost),
            new_episode: loss.new_episode,
            episode: loss.episode,
            in_flight_before: self.segments(loss.in_flight_before),
            sent_at_s: loss.packets.first().map(|packet| packet.sent_at.secs_f64()),
            marked: loss.trigger == LossTrigger::Ecn,
        };
        self.call(Method::Loss, loss.now, event, control, verdict).unwrap_or_default()
    }
    fn on_recovery_exit(&mut self, now: Time, control: &mut Control) {
        self.tell(Method::RecoveryExit, now, Moment::at(now), control);
    }
    fn on_timeout(&mut self, timeout: &Timeout, control: &mut Control) {
        let event = TimeoutEvent {
            now_s: timeout.now.secs_f64(),
            consecutive: timeout.consecutive,
            episode: timeout.episode,
            in_flight_before: self.segments(timeout.in_flight_before),
        };
        self.tell(Method::Timeout, timeout.now, event, control);
    }
    fn on_persistent_congestion(&mut self, now: Time, control: &mut Control) {
        self.tell(Method::PersistentCongestion, now, Moment::at(now), control);
    }
    fn on_spurious(&mut self, event: &Spurious, control: &mut Control) {
        let moment = Moment { episode: Some(event.episode), ..Moment::at(event.now) };
        self.tell(Method::Spurious, event.now, moment, control);
    }
    fn on_unused(&mut self, event: &Unused, control: &mut Control) {
        let moment = Moment {
            cwnd_segments: Some(event.cwnd.segments(self.mss)),
            ssthresh_segments: event.ssthresh.map(|least| least.segments(self.mss)),
            most_ssthresh_segments: event.most.map(|most| most.segments(self.mss)),
            ..Moment::at(event.now)
        };
        self.tell(Method::Unused, event.now, moment, control);
    }
    fn on_idle(&mut self, event: &Idle, control: &mut Control) {
        let moment = Moment { idle_s: Some(event.idle_for.secs_f64()), ..Moment::at(event.now) };
        self.tell(Method::Idle, event.now, moment, control);
    }
    fn on_path(&mut self, event: &PathChange, control: &mut Control) {
        let path = PathEvent {
            now_s: event.now.secs_f64(),
            at_s: event.at.secs_f64(),
            lasts_s: event.lasts.map(Span::secs_f64),
            kind: match event.kind {
                PathKind::Handover => "handover",
                PathKind::Reroute => "reroute",
                PathKind::RateChange => "rate change",
                PathKind::Outage => "outage",
            },
            propagation_rtt_s: event.after.propagation_rtt.map(Span::secs_f64),
            distance_km: event.after.distance_m.map(|metres| metres / 1e3),
        };
        self.tell(Method::Path, event.now, path, control);
    }
    fn on_mss(&mut self, event: &NewMss, control: &mut Control) {
        let (before, mss) = (self.mss, event.mss.max(1));
        self.mss = mss;
        // The block then shows both in segments of the new size.
        control.cwnd = rescaled_bytes(control.cwnd, before, mss);
        control.ssthresh = control.ssthresh.map(|bytes| rescaled_bytes(bytes, before, mss));
        let factor = window::factor(before, mss);
        self.tell(Method::Mss, event.now, MssEvent { now_s: event.now.secs_f64(), mss, factor }, control);
    }
    fn on_timer(&mut self, event: &TimerFired, control: &mut Control) {
        self.tell(Method::Timer, event.now, Moment::at(event.now), control);
    }
    fn snapshot(&self, out: &mut Snapshot) {
        let Some(Object { methods, .. }) = &self.object else { return };
        let attempt = format!("controller \"{}\", {}", self.name, Method::Snapshot.name());
        Python::attach(|py| {
            let answer = methods[Method::Snapshot as usize].call0(py);
            match answer.and_then(|answer| answer.extract::<BTreeMap<String, f64>>(py)) {
                Ok(numbers) => {
                    for (name, number) in numbers {
                        match interned(&name) {
                            Ok(name) => out.push((name, number)),
                            Err(message) => fail(Code::ControllerRaised, &format!("{attempt}: it {message}")),
                        }
                    }
                }
                Err(error) => refuse(py, &error, &attempt),
            }
        });
    }
}

/// The windows after each step, and the snapshots in the end.
type Driven = (Vec<u64>, Vec<BTreeMap<&'static str, f64>>);

/// Drives a registered controller without a network: for tests of the contract that no run shows.
///
/// A step is (which controller, what, how much): ("ack", segments), cumulative; ("datagrams", number), acknowledged by
/// their numbers; ("persistent congestion", 0); ("mss", bytes); or ("clone", 0), whose copy is the next one. Segments
/// have 1000 bytes at first, and a second passes between two steps. Gives the window of the controller after each step,
/// in bytes, and the snapshot of each controller in the end.
#[pyfunction(name = "_drive")]
pub fn drive(name: &str, steps: Vec<(usize, String, u32)>) -> PyResult<Driven> {
    const MSS: u32 = 1000;
    let mut start = Start::new(MSS, 10);
    let mut first = catalogue::build(name, &[]).map_err(|error| Failure::new(error.code(), &error))?;
    let mut control = Control::new(Bytes::from_segments(f64::from(start.initial_window), MSS));
    first.on_start(&start, &mut control);
    let mut driven = vec![(first, control, MSS)];
    let mut windows = Vec::new();
    for (which, what, amount) in steps {
        start.now += Span::from_secs(1);
        let now = start.now;
        let missing = || PyValueError::new_err(format!("no controller {which} exists to {what}"));
        let (controller, control, mss) = driven.get_mut(which).ok_or_else(missing)?;
        match what.as_str() {
            "ack" => {
                let acked = Bytes::from_segments(f64::from(amount), *mss);
                let (cumulative, duplicate) = (Some(acked), Some(false));
                controller.on_ack(&Ack { acked, cumulative, duplicate, ..Ack::at(now) }, control);
            }
            "datagrams" => {
                let acked = Bytes::from_segments(f64::from(amount), *mss);
                controller.on_ack(&Ack { acked, ..Ack::at(now) }, control);
            }
            "persistent congestion" => controller.on_persistent_congestion(now, control),
            "mss" => {
                *mss = amount;
                controller.on_mss(&NewMss { now, mss: amount }, control);
            }
            "clone" => {
                let copy = (controller.clone(), control.clone(), *mss);
                driven.push(copy);
            }
            other => return Err(PyValueError::new_err(format!("no step is called {other}"))),
        }
        windows.push(driven[which].1.cwnd.get());
    }
    let snapshots = driven.iter().map(|(controller, ..)| {
        let mut out = Snapshot::new();
        controller.snapshot(&mut out);
        out.into_iter().collect()
    });
    let snapshots = snapshots.collect();
    match failure() {
        Some(failure) => Err(failure.into()),
        None => Ok((windows, snapshots)),
    }
}
