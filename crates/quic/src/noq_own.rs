// SPDX-License-Identifier: MIT OR Apache-2.0
//! noq's own controllers with a [`Watch`]. The code of the library decides, and the same counters are kept as for
//! Bentpipe's controllers.

use crate::noq::NoqController;
use crate::setup::Admitted;
use crate::{Refused, Setup, Watch};
use control::{
    Ack, Control, Controller as Contract, Loss, LossVerdict, NewMss, Signals, Snapshot, Start, Timeout,
};
use noq_proto::RttEstimator;
use noq_proto::congestion::{Controller, ControllerFactory, ControllerMetrics, CubicConfig, NewRenoConfig};
use saved::{Damaged, Reader, Saved, Writer};
use std::any::Any;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;
use units::Bytes;

/// Value for a controller without a threshold.
const NO_THRESHOLD: u64 = u64::MAX;

/// One of noq's own controllers. noq's `Bbr3` is not included, because it takes random numbers from the operating
/// system and has no seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoqOwn {
    /// `NewReno` (RFC 9002).
    NewReno,
    /// `Cubic` (RFC 9438).
    Cubic,
}

/// Window and threshold of the library's controller, in bytes.
#[derive(Debug)]
struct Shown {
    cwnd: AtomicU64,
    ssthresh: AtomicU64,
}

/// A controller that copies the window of the library's controller.
#[derive(Clone, Debug)]
struct Mirror(Arc<Shown>);

impl Mirror {
    fn show(&self, control: &mut Control) {
        control.cwnd = Bytes::new(self.0.cwnd.load(Relaxed));
        let ssthresh = self.0.ssthresh.load(Relaxed);
        control.ssthresh = (ssthresh != NO_THRESHOLD).then_some(Bytes::new(ssthresh));
    }
}

/// A mirror cannot be saved, because the state of the library's controller cannot be written.
impl Saved for Mirror {
    fn save_to(&self, _to: &mut Writer) {}
    fn load_from(&mut self, from: &mut Reader<'_>) -> Result<(), Damaged> {
        Err(from.damaged::<Self>())
    }
}

impl Contract for Mirror {
    fn can_be_saved(&self) -> bool {
        false
    }
    fn on_start(&mut self, _event: &Start, control: &mut Control) {
        self.show(control);
    }
    fn on_ack(&mut self, _event: &Ack<'_>, control: &mut Control) {
        self.show(control);
    }
    fn on_loss(&mut self, _event: &Loss<'_>, control: &mut Control) -> LossVerdict {
        self.show(control);
        LossVerdict::Congestion
    }
    fn on_timeout(&mut self, _event: &Timeout, control: &mut Control) {
        self.show(control);
    }
    fn on_persistent_congestion(&mut self, _now: units::Time, control: &mut Control) {
        self.show(control);
    }
    fn on_mss(&mut self, _event: &NewMss, control: &mut Control) {
        self.show(control);
    }
    fn snapshot(&self, _out: &mut Snapshot) {}
}

/// A factory for one of noq's own controllers, observed by a [`Watch`].
#[derive(Clone, Debug)]
pub struct NoqOwnFactory {
    own: NoqOwn,
    setup: Setup,
}

impl NoqOwnFactory {
    /// Creates a factory. Times of the watch are measured from `epoch`. `initial_window` is a number of datagrams; with
    /// `None`, the initial window is the default of the library.
    ///
    /// # Errors
    /// Never: the catalogue contains the controller that keeps the counters.
    pub fn new(
        own: NoqOwn,
        initial_window: Option<u32>,
        epoch: Instant,
        watch: Watch,
    ) -> Result<Self, Refused> {
        let setup = Setup::new("reno", &[])?.epoch(epoch).watch(watch);
        let setup = match initial_window {
            Some(datagrams) => setup.initial_window(datagrams),
            None => setup,
        };
        Ok(Self { own, setup })
    }

    fn library(&self, mtu: u16) -> Arc<dyn ControllerFactory> {
        let window = self.setup.initial_window.map(|datagrams| u64::from(datagrams) * u64::from(mtu));
        match self.own {
            NoqOwn::NewReno => {
                let mut config = NewRenoConfig::default();
                window.map(|window| config.initial_window(window));
                Arc::new(config)
            }
            NoqOwn::Cubic => {
                let mut config = CubicConfig::default();
                window.map(|window| config.initial_window(window));
                Arc::new(config)
            }
        }
    }
}

impl ControllerFactory for NoqOwnFactory {
    fn build(self: Arc<Self>, now: Instant, current_mtu: u16) -> Box<dyn Controller> {
        let own = self.library(current_mtu).build(now, current_mtu);
        let shown =
            Arc::new(Shown { cwnd: AtomicU64::new(own.window()), ssthresh: AtomicU64::new(NO_THRESHOLD) });
        let controller = Box::new(Mirror(shown.clone()));
        let admitted = Admitted { setup: self.setup.clone(), controller, provided: Signals::NONE };
        Box::new(Watched { own, shown, accounts: NoqController::start(&admitted, now, current_mtu) })
    }
}

/// The library's controller, and a driver that keeps the counters for the same events.
struct Watched {
    own: Box<dyn Controller>,
    shown: Arc<Shown>,
    accounts: NoqController,
}

impl Watched {
    /// Calls the library's controller first, and then the driver that keeps the counters.
    fn both(&mut self, call: impl Fn(&mut dyn Controller)) {
        call(self.own.as_mut());
        self.shown.cwnd.store(self.own.window(), Relaxed);
        self.shown.ssthresh.store(self.own.metrics().ssthresh.unwrap_or(NO_THRESHOLD), Relaxed);
        call(&mut self.accounts);
    }
}

impl fmt::Debug for Watched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watched").field("own", &self.own).finish_non_exhaustive()
    }
}

impl Controller for Watched {
    fn on_sent(&mut self, now: Instant, bytes: u64, largest_pn: u64) {
        self.both(|one| one.on_sent(now, bytes, largest_pn));
    }
    fn on_packet_sent(&mut self, now: Instant, bytes: u16, pn: u64) {
        self.both(|one| one.on_packet_sent(now, bytes, pn));
    }
    fn on_cwnd_limited(&mut self) {
        self.both(|one| one.on_cwnd_limited());
    }
    fn on_ack(
        &mut self,
        now: Instant,
        sent: Instant,
        bytes: u64,
        pn: u64,
        app_limited: bool,
        rtt: &RttEstimator,
    ) {
        self.both(|one| one.on_ack(now, sent, bytes, pn, app_limited, rtt));
    }
    fn on_end_acks(&mut self, now: Instant, in_flight: u64, app_limited: bool, largest: Option<u64>) {
        self.both(|one| one.on_end_acks(now, in_flight, app_limited, largest));
    }
    fn on_congestion_event(
        &mut self,
        now: Instant,
        sent: Instant,
        is_persistent_congestion: bool,
        is_ecn: bool,
        lost_bytes: u64,
        largest_lost_pn: u64,
    ) {
        self.both(|one| {
            one.on_congestion_event(now, sent, is_persistent_congestion, is_ecn, lost_bytes, largest_lost_pn);
        });
    }
    fn on_packet_lost(&mut self, lost_bytes: u16, pn: u64, now: Instant) {
        self.both(|one| one.on_packet_lost(lost_bytes, pn, now));
    }
    fn on_spurious_congestion_event(&mut self) {
        self.both(|one| one.on_spurious_congestion_event());
    }
    fn on_mtu_update(&mut self, new_mtu: u16) {
        self.both(|one| one.on_mtu_update(new_mtu));
    }
    fn window(&self) -> u64 {
        self.own.window()
    }
    fn metrics(&self) -> ControllerMetrics {
        self.own.metrics()
    }
    fn clone_box(&self) -> Box<dyn Controller> {
        let (own, shown, accounts) = (self.own.clone_box(), self.shown.clone(), self.accounts.clone());
        Box::new(Self { own, shown, accounts })
    }
    fn initial_window(&self) -> u64 {
        self.own.initial_window()
    }
    fn into_any(self: Box<Self>) -> Box<dyn Any> {
        self
    }
}
