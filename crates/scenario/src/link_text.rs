// SPDX-License-Identifier: MIT OR Apache-2.0
//! Links as a file says them, read and written: what a link of any kind has, in [`Medium`], and what moving links and links
//! of hosts have besides.

use crate::ScenarioError;
use crate::check::Source;
use crate::document::{AccessLink, Losses};
use crate::format::{self, Loss, Medium, MovingLink};
use crate::queue;
use crate::text::{Q, Unlimited};
use link::{Bursts, CongestionWarning, Discipline, Impairment, LinkSpec, LossList, Queue, QueueLimit};
use std::sync::Arc;
use units::{Code, Rate, Span, Time};

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
        let (loss, listed) = match self.loss {
            Some(loss) => loss.read(source, &format!("{path}.loss"))?,
            None => (base.loss, base.listed.clone()),
        };
        let queue = queue::over(self.queue, base.queue, source, &format!("{path}.queue"))?;
        let drop_tail = queue.discipline == Discipline::DropTail;
        if self.warn_above.is_some() && !drop_tail {
            let message = "congestion warnings come from drop-tail queues (remove `warn_above`, or the queue's discipline)";
            return Err(source.error(Code::ScenarioValue, &format!("{path}.warn_above"), message));
        }
        let warning = self.warn_above.map(|above| CongestionWarning { above }).or(base.warning);
        Ok(LinkSpec {
            rate: rate.map_or(base.rate, |Q(Unlimited(rate))| rate),
            queue,
            loss,
            listed,
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
            loss: Some(Loss::of(link.loss, link.listed.as_deref())),
            reorder: Some(link.reorder),
            warn_above: link.warning.map(|warning| warning.above),
        }
    }
}

impl Loss {
    /// Losses by chance and listed ones, as the table at `at` says.
    pub fn read(&self, source: &Source<'_>, at: &str) -> Result<Losses, ScenarioError> {
        Ok((self.drawn_losses(source, at)?, self.listed(source, at)?))
    }

    fn drawn_losses(&self, source: &Source<'_>, at: &str) -> Result<Impairment, ScenarioError> {
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
                Err(source.error(Code::ScenarioValue, at, message))
            }
            (_, _, Some(_)) => {
                let message = "bursts contradict another error rate (write one of `per`, `ber` and `bursts`)";
                Err(source.error(Code::ScenarioValue, at, message))
            }
        }
    }

    /// The losses that are listed.
    fn listed(&self, source: &Source<'_>, at: &str) -> Result<Option<Arc<LossList>>, ScenarioError> {
        if self.packets.is_none() && self.spans.is_none() && self.period.is_none() {
            return Ok(None);
        }
        let fault =
            |key: &str, message: String| source.error(Code::ScenarioValue, &format!("{at}.{key}"), message);
        let packets = self.packets.as_deref().unwrap_or_default();
        if self.packets.is_some() && packets.is_empty() {
            let message = "the list is empty (write packets = [400, 1400], or remove it)";
            return Err(fault("packets", message.to_owned()));
        }
        if let Some((before, after)) =
            packets.iter().zip(packets.iter().skip(1)).find(|(before, after)| before >= after)
        {
            let message = format!("{after} after {before}: the numbers must rise (sort them, each once)");
            return Err(fault("packets", message));
        }
        match (self.period, packets.last()) {
            (Some(period), None) => {
                let message =
                    format!("{period} is the period of no list (write packets = [400, 1400], or remove it)");
                return Err(fault("period", message));
            }
            (Some(period), Some(&last)) if period < last => {
                let message = format!(
                    "{period} is less than the last number of `packets`, {last} (write {last} or more)"
                );
                return Err(fault("period", message));
            }
            _ => {}
        }
        if self.spans.as_ref().is_some_and(Vec::is_empty) {
            let message = "the list is empty (write spans = [[\"20 s\", \"22 s\"]], or remove it)";
            return Err(fault("spans", message.to_owned()));
        }
        let spans =
            spans(self.spans.as_deref().unwrap_or_default()).map_err(|message| fault("spans", message))?;
        let list = LossList { packets: packets.into(), period: self.period, spans: spans.into() };
        Ok(Some(Arc::new(list)))
    }

    /// What a file says of these losses.
    pub fn of(impairment: Impairment, listed: Option<&LossList>) -> Self {
        let drawn = Self::drawn(impairment);
        let Some(list) = listed else { return drawn };
        let span = |&(from, to): &(Time, Time)| vec![Q::moment(from), Q::moment(to)];
        Self {
            packets: (!list.packets.is_empty()).then(|| list.packets.to_vec()),
            period: list.period,
            spans: (!list.spans.is_empty()).then(|| list.spans.iter().map(span).collect()),
            ..drawn
        }
    }

    fn drawn(impairment: Impairment) -> Self {
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

/// Spans of time, in order and apart.
fn spans(spans: &[Vec<Q<Span>>]) -> Result<Vec<(Time, Time)>, String> {
    let mut read: Vec<(Time, Time)> = Vec::new();
    for (index, span) in spans.iter().enumerate() {
        let [Q(from), Q(to)] = span.as_slice() else {
            return Err(format!("number {index} is not a pair of times (write [\"20 s\", \"22 s\"])"));
        };
        if to <= from {
            return Err(format!(
                "number {index} ends at {to} and begins at {from} (write the earlier time first)"
            ));
        }
        let (from, to) = (Time::ZERO + *from, Time::ZERO + *to);
        if let Some(&(_, before)) = read.last().filter(|&&(_, before)| from < before) {
            return Err(format!(
                "number {index} begins at {from}, before the one before it ends at {before} (sort them, or make them one)"
            ));
        }
        read.push((from, to));
    }
    Ok(read)
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
