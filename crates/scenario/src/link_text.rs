// SPDX-License-Identifier: MIT OR Apache-2.0
//! Links as a file says them, read and written: what a link of any kind has, in [`Medium`], and what moving links and links
//! of hosts have besides.

use crate::ScenarioError;
use crate::check::Source;
use crate::document::AccessLink;
use crate::format::{self, Loss, Medium, MovingLink};
use crate::queue;
use crate::text::{Q, Unlimited};
use link::{Bursts, CongestionWarning, Discipline, Impairment, LinkSpec, Queue, QueueLimit};
use units::{Code, Rate, Span};

/// Steps of the chain of bursts where the file does not say: the bins of the measurements.
const BURST_BIN: Span = Span::from_millis(100);
/// Queue of a moving link where neither file nor preset says.
const MOVING_QUEUE: Queue = Queue::drop_tail(QueueLimit::Packets(50));

/// The rate of a link where it is constant, as a file says it.
type RateText = Option<Q<Unlimited<Rate>>>;

impl Medium {
    /// The link `base` with what the file says put over it.
    pub fn over(
        self,
        rate: RateText,
        base: &LinkSpec,
        source: &Source<'_>,
        path: &str,
    ) -> Result<LinkSpec, ScenarioError> {
        let loss = self.loss.map(|loss| loss.read(source, path)).transpose()?;
        let queue = queue::over(self.queue, base.queue);
        let drop_tail = queue.discipline == Discipline::DropTail;
        if self.warn_above.is_some() && !drop_tail {
            let message = "congestion warnings come from drop-tail queues (remove `warn_above`, or the queue's discipline)";
            return Err(source.error(Code::ScenarioValue, &format!("{path}.warn_above"), message));
        }
        let warning = self.warn_above.map(|above| CongestionWarning { above }).or(base.warning);
        Ok(LinkSpec {
            rate: rate.map_or(base.rate, |Q(Unlimited(rate))| rate),
            queue,
            loss: loss.unwrap_or(base.loss),
            reorder: self.reorder.unwrap_or(base.reorder),
            warning: warning.filter(|_| drop_tail),
        })
    }

    /// As [`Self::over`] an ideal link with this queue, but the rate must be said.
    pub fn whole(
        self,
        rate: RateText,
        queue: Queue,
        source: &Source<'_>,
        path: &str,
    ) -> Result<LinkSpec, ScenarioError> {
        if rate.is_none() {
            let message = format!(
                "`{path}` needs the key `rate` (write rate = \"50 Mbit/s\", or \"unlimited\" for an ideal wire)"
            );
            return Err(source.error(Code::ScenarioMissingKey, &format!("{path}.rate"), message));
        }
        self.over(rate, &LinkSpec { queue, ..LinkSpec::IDEAL }, source, path)
    }

    /// What a file says of this link, all but its rate.
    pub fn of(link: &LinkSpec) -> Self {
        Self {
            queue: Some(link.queue.into()),
            loss: Some(Loss::of(link.loss)),
            reorder: Some(link.reorder),
            warn_above: link.warning.map(|warning| warning.above),
        }
    }
}

impl Loss {
    fn read(&self, source: &Source<'_>, path: &str) -> Result<Impairment, ScenarioError> {
        match (self.per, self.ber, self.bursts) {
            (Some(per), None, None) => Ok(Impairment::PacketErrorRate(per)),
            (None, Some(ber), None) => Ok(Impairment::BitErrorRate(ber)),
            (None, None, Some(format::Bursts { to_bad, to_good, loss, bin })) => {
                let bin = bin.map_or(BURST_BIN, |q| q.0);
                Ok(Impairment::Bursts(Bursts { bin, to_bad, to_good, loss }))
            }
            (None, None, None) => Ok(Impairment::None),
            (Some(_), Some(_), None) => {
                let message =
                    "packet and bit error rate contradict each other (write one of `per` and `ber`)";
                Err(source.error(Code::ScenarioValue, &format!("{path}.loss"), message))
            }
            (_, _, Some(_)) => {
                let message = "bursts contradict another error rate (write one of `per`, `ber` and `bursts`)";
                Err(source.error(Code::ScenarioValue, &format!("{path}.loss"), message))
            }
        }
    }

    fn of(impairment: Impairment) -> Self {
        match impairment {
            Impairment::None => Self::default(),
            Impairment::PacketErrorRate(per) => Self { per: Some(per), ..Self::default() },
            Impairment::BitErrorRate(ber) => Self { ber: Some(ber), ..Self::default() },
            Impairment::Bursts(Bursts { bin, to_bad, to_good, loss }) => {
                let bursts = format::Bursts { to_bad, to_good, loss, bin: Some(Q(bin)) };
                Self { bursts: Some(bursts), ..Self::default() }
            }
        }
    }
}

impl MovingLink {
    /// The link `base` with what the file says put over it; without a base the file must say the rate.
    pub fn read(
        self,
        base: Option<&LinkSpec>,
        source: &Source<'_>,
        path: &str,
    ) -> Result<LinkSpec, ScenarioError> {
        match base {
            Some(base) => self.medium.over(self.rate, base, source, path),
            None => self.medium.whole(self.rate, MOVING_QUEUE, source, path),
        }
    }

    /// What a file says of this link.
    pub fn of(link: &LinkSpec) -> Self {
        Self { rate: Some(Q(Unlimited(link.rate))), medium: Medium::of(link) }
    }
}

impl format::AccessLink {
    /// An ideal link with what the file says put over it.
    pub fn read(self, source: &Source<'_>, path: &str) -> Result<AccessLink, ScenarioError> {
        let link = self.medium.over(self.rate, &LinkSpec::IDEAL, source, path)?;
        Ok(AccessLink { link, delay: self.delay.map_or(Span::ZERO, |q| q.0) })
    }

    /// What a file says of this link.
    pub fn of(AccessLink { link, delay }: &AccessLink) -> Self {
        let rate = Some(Q(Unlimited(link.rate)));
        Self { rate, delay: Some(Q(*delay)), medium: Medium::of(link) }
    }
}
