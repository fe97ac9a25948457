// SPDX-License-Identifier: MIT OR Apache-2.0
//! Controllers written in Python. They get the same events as controllers in Rust. The interpreter's lock is held
//! during a call.
//!
//! A run cannot return a Python exception. Therefore the first exception is stored for the thread of the run, and the
//! controller is not called again. When the run next checks whether to continue ([`failure`]), it ends with this
//! exception. This happens within 256 events.
//!
//! To clone such a controller, `copy.deepcopy` copies the object together with its block. The copies share only what
//! Python always shares (classes, modules, functions). If an object refers to its block, the copy refers to the copied
//! block. If an object cannot be copied, the exception is stored like any other exception, and the clone is never
//! called.
//!
//! In Python, events are objects. Each flow has one block with the commands of its controller. The numbers of the block
//! are not rounded. The platform computes its own, rounded numbers from them. Between two events, a number of the block
//! changes only if the platform changed the corresponding number (for example after a timer fired).

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
    /// Failure of the first controller that failed in the run on this thread.
    static FAILED: RefCell<Option<Failure>> = const { RefCell::new(None) };
}

/// Returns and removes the failure of a controller in the run on this thread, if a controller has failed.
pub fn failure() -> Option<Failure> {
    FAILED.with(RefCell::take)
}

/// Returns whether a controller has failed in the run on this thread.
pub fn has_failed() -> bool {
    FAILED.with(|failed| failed.borrow().is_some())
}

fn fail(code: Code, message: &str) {
    FAILED.with(|failed| {
        failed.borrow_mut().get_or_insert_with(|| Failure::new(code, &message));
    });
}

/// Commands of a controller, in segments and seconds. They are also state of the controller: at the next event, they
/// have the same unrounded values. Bounds are checked when the method returns.
#[pyclass(name = "Control", module = "bentpipe._core")]
#[derive(Clone)]
pub struct Block {
    /// Congestion window in segments, at least 1.
    #[pyo3(get)]
    cwnd: f64,
    /// Slow-start threshold in segments; None (or infinity) if there is no threshold.
    #[pyo3(get)]
    ssthresh: Option<f64>,
    /// Pacing rate of payload in bit/s; None without pacing.
    #[pyo3(get)]
    pacing_bit_s: Option<f64>,
    /// Time before which nothing is sent.
    #[pyo3(get)]
    hold_until_s: Option<f64>,
    /// Time at which `on_timer` is called. It is reset to None before the call.
    #[pyo3(get)]
    timer_s: Option<f64>,
    /// Name of the phase in tables and pictures. Use a small number of names, without numbers in them.
    #[pyo3(get, set)]
    phase: String,
}

/// Refuses NaN and infinity at the assignment, so that the traceback contains the line of the assignment.
fn finite(name: &str, value: f64) -> PyResult<f64> {
    if value.is_finite() {
        Ok(value)
    } else {
        Err(PyValueError::new_err(format!("control.{name} must be a finite number, not {value}")))
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

/// Returns `old` if its rounded value equals the platform's value, otherwise returns the platform's value. Therefore
/// the controller's own number is not rounded to bytes and nanoseconds at every event.
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

    /// Updates the block with the values that the platform has changed.
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

    /// Passes the commands to the platform. The error message contains the bound that a command violates.
    fn command(&mut self, control: &mut Control, mss: u32) -> Result<(), String> {
        let least = |name: &str, value: f64, least: f64, unit: &str| {
            if value >= least {
                Ok(value)
            } else {
                Err(format!("set control.{name} to {value}, but the smallest value is {least}{unit}"))
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

/// Largest number of different names of phases and snapshots in a process.
const MOST_NAMES: usize = 1000;

/// Returns a static copy of a name of a phase or a snapshot. The memory is never freed, so the number of names is
/// limited.
fn interned(name: &str) -> Result<&'static str, String> {
    static NAMES: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = names.get(name) {
        return Ok(known);
    }
    if names.len() >= MOST_NAMES {
        return Err(format!(
            "used \"{name}\" after {MOST_NAMES} other names of phases and snapshots; at most {MOST_NAMES} names are \
             possible"
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
            /// Events do not change. Therefore a controller that stores an event can share it with its copy.
            fn __deepcopy__(this: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
                this
            }
        }
    };
}

event! {
    /// The connection starts. In every event, None means that a value is unknown.
    StartEvent {
        /// Time of the run.
        now_s: f64,
        /// Payload bytes of a full segment.
        mss: u32,
        /// Initial window in segments.
        initial_window: u32,
        /// Seed of the flow. Use `random.Random(event.seed)`, so that the run can be repeated.
        seed: u64,
        /// Propagation delay of the round trip (signal "propagation delay from the geometry").
        propagation_rtt_s: Option<f64>,
        /// Great-circle distance between the endpoints (signal "distance between the endpoints").
        distance_km: Option<f64>,
        /// Rate of the slowest link, if it is known in advance.
        capacity_bit_s: Option<f64>,
    }
}
event! {
    /// An acknowledgement arrived. Amounts are in segments.
    AckEvent {
        /// Time of the run.
        now_s: f64,
        /// Segments newly acknowledged, by the cumulative or a selective acknowledgement.
        acked: f64,
        /// Advance of the cumulative acknowledgement; None if packets are acknowledged individually (QUIC).
        cumulative: Option<f64>,
        /// Whether the cumulative acknowledgement did not advance although data is outstanding; None if packets are
        /// acknowledged individually.
        duplicate: Option<bool>,
        /// Round-trip time of the newest acknowledged packet; None if this packet was sent more than once.
        rtt_s: Option<f64>,
        /// Smoothed round-trip time (RFC 6298), including `rtt_s`.
        srtt_s: Option<f64>,
        /// Smallest round-trip time of the connection.
        min_rtt_s: Option<f64>,
        /// Delay in the forward direction, up to a constant (signal "one-way delays").
        one_way_delay_s: Option<f64>,
        /// Propagation delay of the round trip when the packet was sent (signal "propagation delay from the geometry").
        propagation_rtt_s: Option<f64>,
        /// Time at which the newest acknowledged packet was sent.
        sent_at_s: Option<f64>,
        /// Segments sent on this connection so far.
        total_sent: f64,
        /// Segments delivered on this connection so far.
        total_delivered: f64,
        /// Segments declared lost on this connection so far.
        total_lost: f64,
        /// Delivery rate of payload (signal "delivery-rate samples").
        delivery_rate_bit_s: Option<f64>,
        /// Segments in flight before this acknowledgement.
        in_flight_before: f64,
        /// Segments in flight after this acknowledgement.
        in_flight: f64,
        /// Number of the current round trip.
        round: u64,
        /// Whether this acknowledgement began the current round trip.
        round_start: bool,
        /// Whether a loss episode is being repaired, or the controller responded to an ECN mark less than a round trip
        /// ago.
        in_recovery: bool,
        /// Whether the window limits sending, instead of the application or the receiver. If the window does not limit
        /// sending, its size is not meaningful.
        cwnd_limited: bool,
        /// Whether the application limited sending when the acknowledged packet was sent.
        app_limited: bool,
        /// Segments of acknowledged data that were marked (ECN). Exact with the signal "ECN marks".
        ce: f64,
        /// Whether the acknowledgement echoes a router's warning (signal "congestion-warning marks").
        congestion_warning: bool,
    }
}
event! {
    /// Packets were declared lost. Amounts are in segments.
    LossEvent {
        /// Time of the run.
        now_s: f64,
        /// Segments newly declared lost.
        lost: f64,
        /// Whether this is the first loss of an episode, to which a controller reacts.
        new_episode: bool,
        /// Number of the episode.
        episode: u32,
        /// Segments in flight before the lost segments were subtracted.
        in_flight_before: f64,
        /// Time at which the first lost packet was sent. For a mark, the time at which the newest acknowledged packet
        /// was sent.
        sent_at_s: Option<f64>,
        /// True if a queue marked packets (ECN, `tcp.ecn`) and nothing was lost. For a mark, the verdict "link error"
        /// has no effect.
        marked: bool,
    }
}
event! {
    /// The retransmission timer expired. Everything in flight is presumed to be lost.
    TimeoutEvent {
        /// Time of the run.
        now_s: f64,
        /// Number of consecutive timeouts (1 = first).
        consecutive: u32,
        /// Number of the episode.
        episode: u32,
        /// Segments in flight before the timeout.
        in_flight_before: f64,
    }
}
event! {
    /// The path changes, or will change.
    PathEvent {
        /// Time of the run.
        now_s: f64,
        /// Time of the change.
        at_s: f64,
        /// Duration of the change, if it is known.
        lasts_s: Option<f64>,
        /// "handover", "reroute", "rate change" or "outage".
        kind: &'static str,
        /// Propagation delay of the round trip after the change.
        propagation_rtt_s: Option<f64>,
        /// Great-circle distance between the endpoints.
        distance_km: Option<f64>,
    }
}
event! {
    /// From now on, a full segment has another size. The number of bytes of the window in the block does not change.
    MssEvent {
        /// Time of the run.
        now_s: f64,
        /// Payload bytes of a full segment.
        mss: u32,
        /// Number of new segments per old segment. Multiply your own numbers of segments by this factor.
        factor: f64,
    }
}
event! {
    /// An event that has few data.
    Moment {
        /// Time of the run.
        now_s: f64,
        /// Only for `on_spurious`: number of the episode that turned out to be spurious.
        episode: Option<u32>,
        /// Only for `on_idle`: time for which nothing was in flight.
        idle_s: Option<f64>,
        /// Only for `on_unused`: upper bound of the window.
        cwnd_segments: Option<f64>,
        /// Only for `on_unused`: lower bound of the slow-start threshold, if a threshold is set. None: the threshold
        /// does not change.
        ssthresh_segments: Option<f64>,
        /// Only for `on_unused`: upper bound of the slow-start threshold. None: there is no upper bound.
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

/// Registers `factory(**parameters)` as a controller called `name`. `signals` are the names of the signals that the
/// controller uses.
///
/// The object that the factory returns must have all of [`METHODS`].
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

/// Signals that a controller in Python can use. Events and block have no fields for other signals.
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

/// A controller that calls a Python object.
struct Twin {
    name: Arc<str>,
    uses: Signals,
    mss: u32,
    /// `None` after a failure.
    object: Option<Object>,
}

/// The Python object, its bound methods (looked up once) and its block.
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

    /// Copies the object and the block in one call of `copy.deepcopy`.
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

    /// Calls `method` with the event and the block, and applies the commands of the block. Returns the result of `read`
    /// for the answer of the method.
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

    /// Works as [`Self::call`] for methods whose answer is not used.
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

/// Stores the first exception of the run on this thread. An exception of Bentpipe is stored unchanged. Any other
/// exception is stored with its traceback.
fn refuse(py: Python<'_>, error: &PyErr, attempt: &str) {
    if let Some((code, message)) = own_error(py, error) {
        fail(code, &message);
        return;
    }
    let mut message = format!("{attempt}: it raised {error}");
    let traceback = error.traceback(py).and_then(|traceback| traceback.format().ok()).unwrap_or_default();
    // Skips the line "Traceback (most recent call last)".
    for line in traceback.lines().skip(1) {
        let _ = write!(message, "\n{line}");
    }
    fail(Code::ControllerRaised, &message);
}

/// Returns code and message of a `BentpipeError`; `None` for other exceptions.
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

/// Returns the verdict that `on_loss` returned.
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

/// The state of a Python object cannot be written. Therefore a session with a controller in Python cannot be saved.
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
        // Both values in the block are then in segments of the new size.
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

/// The windows after each step, and the snapshots at the end.
type Driven = (Vec<u64>, Vec<BTreeMap<&'static str, f64>>);

/// Calls a registered controller without a network. This allows tests of parts of the contract that runs do not use.
///
/// A step is (index of the controller, kind, amount). The kinds are ("ack", segments) for a cumulative acknowledgement,
/// ("datagrams", number) for packets that are acknowledged individually, ("persistent congestion", 0), ("mss", bytes),
/// and ("clone", 0), which adds a copy with the next index. At first, segments have 1000 bytes. Two steps are one
/// second apart. Returns the window of the controller after each step, in bytes, and the snapshot of each controller at
/// the end.
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
