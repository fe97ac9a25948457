// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads and writes the links of a file. [`Medium`] has the keys of all kinds of links. Moving links and host links
//! have additional keys.

use crate::ScenarioError;
use crate::check::Source;
use crate::document::{AccessLink, Losses};
use crate::format::{self, DelayStep, Loss, LossStep, Medium, MovingLink, RateStep};
use crate::queue;
use crate::text::{Fraction, Q, Unlimited};
use crate::varied::{has_no_rate, unvaried, with_recorded, with_sight};
use link::sight::BySight;
use link::{
    Bursts, ChainSpec, Changes, CongestionWarning, Discipline, Impairment, Leg, Legs, Linear, LinkSpec,
    LossList, Piece, Queue, QueueLimit, Ramps, RateSchedule, Service,
};
use std::sync::Arc;
use units::{Bytes, Code, Rate, Span, Time};

/// Default step of the chain of bursts: the bin length of the measurements.
const BURST_BIN: Span = Span::from_millis(100);
/// Queue of a moving link if neither the file nor the preset sets one.
const MOVING_QUEUE: Queue = Queue::drop_tail(QueueLimit::Packets(50));

/// The text form of a link's constant rate.
type RateText = Option<Q<Unlimited<Rate>>>;

impl Medium {
    /// Returns the link `base` with the values of the file.
    pub fn over(
        self,
        rate: RateText,
        base: &LinkSpec,
        source: &Source<'_>,
        path: &str,
    ) -> Result<LinkSpec, ScenarioError> {
        let old = base.changes.as_deref().cloned().unwrap_or_default();
        let Losses { chance: loss, listed, steps, ramps: losses } = match self.loss {
            Some(loss) => loss.read(source, &format!("{path}.loss"))?,
            None => Losses::of(base),
        };
        let (extra_delay, delays) = match self.extra_delay {
            Some(steps) => {
                let steps = steps.iter().map(|step| (step.at.0, step.delay.0, step.ramp_to.map(|q| q.0)));
                moving(steps, "delay = \"5 ms\"", source, &format!("{path}.extra_delay"))?
            }
            None => (old.extra_delay, old.ramps.delays.first().cloned()),
        };
        let ramps = Ramps { losses: losses.into_iter().collect(), delays: delays.into_iter().collect() };
        let changes =
            Changes { rate: old.rate.filter(|_| rate.is_none()), loss: steps, extra_delay, ramps, ..old };
        let queue = queue::over(self.queue, base.queue, source, &format!("{path}.queue"))?;
        let drop_tail = queue.discipline == Discipline::DropTail;
        if self.warn_above.is_some() && !drop_tail {
            let message = "only a drop-tail queue sends congestion warnings";
            return Err(source
                .error(Code::ScenarioValue, &format!("{path}.warn_above"), message)
                .fix("remove `warn_above`, or the queue's discipline"));
        }
        let warning = self.warn_above.map(|above| CongestionWarning { above }).or(base.warning);
        Ok(LinkSpec {
            rate: rate.map_or(base.rate, |Q(Unlimited(rate))| rate),
            queue,
            loss,
            arq: self.arq.map(Into::into).or(base.arq),
            listed,
            mtu: self.mtu.map(|Q(bytes)| bytes.get() as u16).or(base.mtu),
            policer: self.policer.map(format::Policer::read).or(base.policer),
            ecn_bleach: self.ecn_bleach.unwrap_or(base.ecn_bleach),
            jitter: self.jitter.map(format::Jitter::read).or(base.jitter),
            reorder: self.reorder.unwrap_or(base.reorder),
            warning: warning.filter(|_| drop_tail),
            changes: changes.course().map(|_| Arc::new(changes)),
            dama: base.dama,
            grants: base.grants,
            acks: base.acks,
        })
    }

    /// Does the same as [`Self::over`] for an ideal link with this queue. The rate is required.
    pub fn whole(
        self,
        rate: RateText,
        queue: Queue,
        source: &Source<'_>,
        path: &str,
    ) -> Result<LinkSpec, ScenarioError> {
        if rate.is_none() {
            let message = format!("`{path}` needs the key `rate`");
            return Err(source
                .error(Code::ScenarioMissingKey, &format!("{path}.rate"), message)
                .fix("write rate = \"50 Mbit/s\", or \"unlimited\" for an ideal wire"));
        }
        self.over(rate, &LinkSpec { queue, ..LinkSpec::IDEAL }, source, path)
    }

    /// Returns the text form of this link without its rate.
    pub fn of(link: &LinkSpec) -> Self {
        Self {
            queue: Some(link.queue.into()),
            loss: Some(Loss::of(&Losses::of(link))),
            arq: link.arq.map(Into::into),
            mtu: link.mtu.map(|bytes| Q(Bytes::new(bytes.into()))),
            policer: link.policer.map(format::Policer::of),
            ecn_bleach: link.ecn_bleach.then_some(true),
            extra_delay: link.changes.as_ref().and_then(|changes| {
                let step = |(at, delay, to): (Time, Span, Option<Span>)| DelayStep {
                    at: Q::moment(at),
                    delay: Q(delay),
                    ramp_to: to.map(Q),
                };
                let steps = written_steps(&changes.extra_delay, changes.ramps.delays.first());
                steps.map(|steps| steps.into_iter().map(step).collect())
            }),
            jitter: link.jitter.map(format::Jitter::of),
            reorder: Some(link.reorder),
            warn_above: link.warning.map(|warning| warning.above),
        }
    }
}

impl Loss {
    /// Reads random and listed losses from the table at `at`.
    pub fn read(&self, source: &Source<'_>, at: &str) -> Result<Losses, ScenarioError> {
        let (steps, ramps) = match &self.steps {
            Some(steps) => {
                let steps = steps.iter().map(|step| (step.at.0, step.per.0, step.ramp_to.map(|q| q.0)));
                moving(steps, "per = 0.01", source, &format!("{at}.steps"))?
            }
            None => (Arc::default(), None),
        };
        let (chance, listed) = (self.drawn_losses(source, at)?, self.listed(source, at)?);
        Ok(Losses { chance, listed, steps, ramps })
    }

    fn drawn_losses(&self, source: &Source<'_>, at: &str) -> Result<Impairment, ScenarioError> {
        if let Some(Fraction(per)) = self.per {
            return Ok(Impairment::PacketErrorRate(per));
        }
        if let Some(Fraction(ber)) = self.ber {
            return Ok(Impairment::BitErrorRate(ber));
        }
        if let Some(format::Bursts { to_bad, to_good, loss, bin }) = self.bursts {
            let bin = bin.map_or(BURST_BIN, |q| q.0);
            return Ok(Impairment::Bursts(Bursts {
                bin,
                to_bad: to_bad.0,
                to_good: to_good.0,
                loss: loss.0,
            }));
        }
        let chain = self.chain.as_ref().map(|chain| chain.read(source, &format!("{at}.chain")));
        let netem = self.netem.map(|netem| netem.read(source, &format!("{at}.netem")));
        let drive = self.land_mobile.map(|drive| Ok(link::LossChain::land_mobile(drive.into())));
        let two_state = self.two_state.map(|drive| drive.read(source, &format!("{at}.two_state")));
        let chain = chain.or(netem).or(drive).or(two_state).transpose()?;
        Ok(chain.map_or(Impairment::None, |chain| Impairment::Chain(Arc::new(chain))))
    }

    /// Reads the listed losses.
    fn listed(&self, source: &Source<'_>, at: &str) -> Result<Option<Arc<LossList>>, ScenarioError> {
        if self.packets.is_none() && self.spans.is_none() && self.period.is_none() {
            return Ok(None);
        }
        let fault =
            |key: &str, message: String| source.error(Code::ScenarioValue, &format!("{at}.{key}"), message);
        let packets = self.packets.as_deref().unwrap_or_default();
        if self.packets.is_some() && packets.is_empty() {
            let message = "the list is empty";
            return Err(
                fault("packets", message.to_owned()).fix("write packets = [400, 1400], or remove `packets`")
            );
        }
        if let Some((before, after)) =
            packets.iter().zip(packets.iter().skip(1)).find(|(before, after)| before >= after)
        {
            let message = format!("{after} follows {before}, but the numbers must rise");
            return Err(fault("packets", message).fix("sort them, and list each number once"));
        }
        match (self.period, packets.last()) {
            (Some(period), Some(&last)) if period < last => {
                let message =
                    format!("`period` = {period} is less than {last}, the last number of `packets`");
                return Err(fault("period", message).fix(format!("write {last} or more")));
            }
            _ => {}
        }
        if self.spans.as_ref().is_some_and(Vec::is_empty) {
            let message = "the list is empty";
            return Err(fault("spans", message.to_owned())
                .fix("write spans = [[\"20 s\", \"22 s\"]], or remove `spans`"));
        }
        let spans =
            spans(self.spans.as_deref().unwrap_or_default()).map_err(|message| fault("spans", message))?;
        let list = LossList { packets: packets.into(), period: self.period, spans: spans.into() };
        Ok(Some(Arc::new(list)))
    }

    /// Returns the text form of these losses.
    pub fn of(losses: &Losses) -> Self {
        let step = |(at, per, ramp_to): (Time, f64, Option<f64>)| LossStep {
            at: Q::moment(at),
            per: Fraction(per),
            ramp_to: ramp_to.map(Fraction),
        };
        let steps = written_steps(&losses.steps, losses.ramps.as_ref());
        let steps = steps.map(|steps| steps.into_iter().map(step).collect());
        let drawn = Self { steps, ..Self::drawn(&losses.chance) };
        let Some(list) = &losses.listed else { return drawn };
        let span = |&(from, to): &(Time, Time)| vec![Q::moment(from), Q::moment(to)];
        Self {
            packets: (!list.packets.is_empty()).then(|| list.packets.to_vec()),
            period: list.period,
            spans: (!list.spans.is_empty()).then(|| list.spans.iter().map(span).collect()),
            ..drawn
        }
    }

    fn drawn(impairment: &Impairment) -> Self {
        match impairment {
            Impairment::None => Self::default(),
            &Impairment::PacketErrorRate(per) => Self { per: Some(Fraction(per)), ..Self::default() },
            &Impairment::BitErrorRate(ber) => Self { ber: Some(Fraction(ber)), ..Self::default() },
            &Impairment::Bursts(Bursts { bin, to_bad, to_good, loss }) => {
                let [to_bad, to_good, loss] = [to_bad, to_good, loss].map(Fraction);
                let bursts = format::Bursts { to_bad, to_good, loss, bin: Some(Q(bin)) };
                Self { bursts: Some(bursts), ..Self::default() }
            }
            Impairment::Chain(chain) => match chain.spec() {
                ChainSpec::States(states) => {
                    Self { chain: Some(format::LossChain::of(states)), ..Self::default() }
                }
                ChainSpec::Netem(netem) => Self { netem: Some(netem.into()), ..Self::default() },
                ChainSpec::LandMobile(drive) => Self { land_mobile: Some(drive.into()), ..Self::default() },
                ChainSpec::TwoState(drive) => Self { two_state: Some(drive.into()), ..Self::default() },
            },
        }
    }
}

impl Losses {
    /// Returns the losses of a link.
    pub fn of(link: &LinkSpec) -> Self {
        let changes = link.changes.as_ref();
        let steps = changes.map(|changes| changes.loss.clone()).unwrap_or_default();
        let ramps = changes.and_then(|changes| changes.ramps.losses.first().cloned());
        Self { chance: link.loss.clone(), listed: link.listed.clone(), steps, ramps }
    }
}

/// Returns values and the times from which they apply. The times must rise.
fn in_order<T>(
    steps: impl Iterator<Item = (Span, T)>,
    source: &Source<'_>,
    path: &str,
) -> Result<Arc<[(Time, T)]>, ScenarioError> {
    let fault = |message: String| source.error(Code::ScenarioValue, path, message);
    let mut read: Vec<(Time, T)> = Vec::new();
    for (index, (at, value)) in steps.enumerate() {
        let at = Time::ZERO + at;
        if let Some(&(before, _)) = read.last().filter(|&&(before, _)| at <= before) {
            return Err(fault(format!(
                "entry {index} at {at} is not later than the entry before it at {before} (sort the entries, and list \
                 each time once)"
            )));
        }
        read.push((at, value));
    }
    if read.is_empty() {
        return Err(fault("the list is empty (write at least one step, or remove this key)".to_owned()));
    }
    Ok(read.into())
}

/// A value over time: in steps, or in linear legs if a step is a ramp.
type Moving<T> = (Arc<[(Time, T)]>, Option<Legs<T>>);

/// Returns values and the times from which they apply. A ramp also has an end value. The times must rise. `example`
/// shows a step in messages.
fn moving<T: Linear>(
    steps: impl Iterator<Item = (Span, T, Option<T>)>,
    example: &str,
    source: &Source<'_>,
    path: &str,
) -> Result<Moving<T>, ScenarioError> {
    let steps: Vec<_> = steps.collect();
    let read = in_order(steps.iter().map(|&(at, value, _)| (at, value)), source, path)?;
    if steps.iter().all(|(.., to)| to.is_none()) {
        return Ok((read, None));
    }
    let legs = steps.iter().zip(read.iter());
    let legs = legs.map(|(&(.., to), &(from, start))| Leg { from, start, end: to.unwrap_or(start) });
    if let Some(legs) = Legs::new(legs.collect()) {
        return Ok((Arc::default(), Some(legs)));
    }
    // The times rise, so this step is the last one.
    let message =
        format!("entry {} has `ramp_to`, but no later entry defines the end of the ramp", steps.len() - 1);
    Err(source
        .error(Code::ScenarioValue, path, message)
        .fix(format!("add an entry such as {{ at = \"60 s\", {example} }}, or remove `ramp_to`")))
}

/// Returns the text form of steps or legs; `None` if there are none.
fn written_steps<T: Linear>(
    steps: &[(Time, T)],
    legs: Option<&Legs<T>>,
) -> Option<Vec<(Time, T, Option<T>)>> {
    let ramp = |leg: &Leg<T>| (leg.from, leg.start, (leg.end != leg.start).then_some(leg.end));
    match legs {
        Some(legs) => Some(legs.legs().iter().map(ramp).collect()),
        None => (!steps.is_empty()).then(|| steps.iter().map(|&(at, value)| (at, value, None)).collect()),
    }
}

/// Returns intervals of time, in order and without overlap.
fn spans(spans: &[Vec<Q<Span>>]) -> Result<Vec<(Time, Time)>, String> {
    let mut read: Vec<(Time, Time)> = Vec::new();
    for (index, span) in spans.iter().enumerate() {
        let [Q(from), Q(to)] = span.as_slice() else {
            return Err(format!("entry {index} is not a pair of times (write [\"20 s\", \"22 s\"])"));
        };
        if to <= from {
            return Err(format!(
                "entry {index} ends at {to}, which is before its start at {from} (write the earlier time first)"
            ));
        }
        let (from, to) = (Time::ZERO + *from, Time::ZERO + *to);
        if let Some(&(_, before)) = read.last().filter(|&&(_, before)| from < before) {
            return Err(format!(
                "entry {index} starts at {from}, but the previous entry ends later, at {before} (sort the entries, \
                 or merge these two entries)"
            ));
        }
        read.push((from, to));
    }
    Ok(read)
}

/// Returns a link's rate, either as text (if constant) or as a schedule.
fn rates(
    rate: RateText,
    steps: Option<&[RateStep]>,
    source: &Source<'_>,
    path: &str,
) -> Result<(RateText, Option<RateSchedule>), ScenarioError> {
    let Some(steps) = steps else { return Ok((rate, None)) };
    let schedule = schedule(steps, source, &format!("{path}.rate_steps"))?;
    Ok((Some(Q(Unlimited(schedule.highest()))), Some(schedule)))
}

/// Reads a schedule of rates from the key at `path`.
pub fn schedule(steps: &[RateStep], source: &Source<'_>, path: &str) -> Result<RateSchedule, ScenarioError> {
    let piece = |step: &RateStep| Piece {
        from: Time::ZERO + step.at.0,
        start: step.rate.0,
        end: step.ramp_to.unwrap_or(step.rate).0,
    };
    RateSchedule::new(steps.iter().map(piece).collect())
        .map_err(|error| source.error(Code::ScenarioValue, path, error.to_string()))
}

/// Returns the text form of a schedule of rates.
pub fn rate_steps(schedule: &RateSchedule) -> Vec<RateStep> {
    let step = |piece: &Piece| RateStep {
        at: Q::moment(piece.from),
        rate: Q(piece.start),
        ramp_to: (piece.end != piece.start).then_some(Q(piece.end)),
    };
    schedule.pieces().iter().map(step).collect()
}

/// Returns the text forms of a link's constant rate and of its rate over time.
fn rates_of(link: &LinkSpec) -> (RateText, Option<Vec<RateStep>>) {
    let changes = link.changes.as_deref();
    match changes.and_then(|changes| changes.rate.as_ref()) {
        Some(Service::Schedule(schedule)) => (None, Some(rate_steps(schedule))),
        _ if has_no_rate(link) => (None, None),
        _ => (Some(Q(Unlimited(link.rate))), None),
    }
}

/// Returns the link with a rate over time.
fn with_rates(link: LinkSpec, schedule: Option<RateSchedule>) -> LinkSpec {
    let Some(schedule) = schedule else { return link };
    let old = link.changes.as_deref().cloned().unwrap_or_default();
    let rate = Some(Service::Schedule(schedule));
    LinkSpec { changes: Some(Arc::new(Changes { rate, ..old })), ..link }
}

impl MovingLink {
    /// Returns the link `base` with the values of the file. Without a base, the rate is required. A rate or a recording
    /// in the file replaces the rates and recordings of the base.
    pub fn read(
        self,
        base: Option<&LinkSpec>,
        source: &Source<'_>,
        path: &str,
    ) -> Result<LinkSpec, ScenarioError> {
        let mut recorded = self.recorded.read(source, path)?;
        let (rate, schedule) = rates(self.rate, self.rate_steps.as_deref(), source, path)?;
        let sight = self.sight.read(source, path)?;
        let own = recorded.is_some() || rate.is_some() || sight.is_some();
        let by_sight = sight.as_ref().is_some_and(BySight::has_rate);
        let rateless = !by_sight && base.is_none_or(has_no_rate);
        if let Some(recorded) = &mut recorded {
            recorded.needs_rate = rateless && rate.is_none() && recorded.deliveries.is_none();
        }
        let base = base.map(|base| if own { unvaried(base) } else { base.clone() });
        let link = match base {
            Some(base) => self.medium.over(rate, &base, source, path)?,
            None if (recorded.is_some() || by_sight) && rate.is_none() => {
                let base = LinkSpec { queue: MOVING_QUEUE, ..LinkSpec::IDEAL };
                self.medium.over(None, &base, source, path)?
            }
            None => self.medium.whole(rate, MOVING_QUEUE, source, path)?,
        };
        let link = with_recorded(with_rates(link, schedule), recorded, source, path)?;
        with_sight(link, sight, source, path)
    }

    /// Returns the text form of this link.
    pub fn of(link: &LinkSpec) -> Self {
        let (rate, rate_steps) = rates_of(link);
        let (sight, recorded) = (format::BySight::of(link), format::Recorded::of(link));
        Self { rate, rate_steps, sight, recorded, medium: Medium::of(link) }
    }
}

impl format::AccessLink {
    /// Returns an ideal link with the values of the file.
    pub fn read(self, source: &Source<'_>, path: &str) -> Result<AccessLink, ScenarioError> {
        let recorded = self.recorded.read(source, path)?;
        let (rate, schedule) = rates(self.rate, self.rate_steps.as_deref(), source, path)?;
        let by_hour = self.rate_by_hour.as_ref().map(|by| by.whole(source, path)).transpose()?;
        let hours = BySight { rate_by_hour: by_hour, ..self.hours.read(source, path)? };
        let link = with_rates(self.medium.over(rate, &LinkSpec::IDEAL, source, path)?, schedule);
        let link = with_recorded(link, recorded, source, path)?;
        let link = with_sight(link, (hours != BySight::default()).then_some(hours), source, path)?;
        Ok(AccessLink { link, delay: self.delay.map_or(Span::ZERO, |q| q.0) })
    }

    /// Returns the text form of this link.
    pub fn of(AccessLink { link, delay }: &AccessLink) -> Self {
        let (rate, rate_steps) = rates_of(link);
        let (recorded, medium) = (format::Recorded::of(link), Medium::of(link));
        let (rate_by_hour, hours) = (format::BySight::of(link).rate_by_hour, format::ByDay::of(link));
        Self { rate, rate_steps, rate_by_hour, hours, delay: Some(Q(*delay)), recorded, medium }
    }
}
