// SPDX-License-Identifier: MIT OR Apache-2.0
//! Satellites with known elements, propagated by SGP4.
//!
//! SGP4 runs in its improved mode with WGS72 constants and the AFSPC sidereal time, as for the official verification
//! vectors (AIAA 2006-6753). Its frame (TEME) is rotated to the Earth-fixed frame by the Greenwich mean sidereal time
//! of 1982. Two effects are neglected. Polar motion is below 15 m. UT1-UTC is below 0.9 s; at the equator, it moves
//! satellites and sites together by up to 420 m.

use crate::earth::{ROTATION_RAD_S, norm, turn, turning};
use crate::elements::{Record, YEARS, name};
use crate::objects::{self, Objects, Other};
use crate::planes::MU_KM3_S2;
use crate::sets::Nearest;
use crate::{Catalogue, Note, OrbitError, Refusal, Walker, accuracy};
use sgp4::chrono::{DateTime, Datelike, Duration, NaiveDateTime, TimeDelta};
use sgp4::{Classification, Constants, Elements, MinutesSinceEpoch, Orbit, Prediction, WGS72};
use std::collections::BTreeSet;
use std::f64::consts::{PI, TAU};
use units::{Span, Time};

/// Height below which a satellite soon decays, in km. It is the entry interface of 400,000 ft, at which atmospheric
/// entry begins (NASA, JSC-09084, "Coordinate Systems for the Space Shuttle Program").
const ATMOSPHERE_KM: f64 = 121.92;
/// Largest allowed relative difference between the semi-major axes of the propagated orbit and of the elements. A
/// larger difference is a contradiction, because drag only lowers an orbit, and elements do not describe thrust.
/// Periodic terms are 0.2 % in low orbits (J2), and below 2 % in the highest orbits that SGP4 supports.
const CONTRADICTION: f64 = 0.05;
/// Radius of the Earth's sphere of influence, in km (Curtis, Orbital Mechanics for Engineering Students, table A.2).
const SPHERE_OF_INFLUENCE_KM: f64 = 925_000.0;
/// Elements are checked at several ages between one day after the epoch and the start of the run. Each age is the
/// previous age times this factor.
///
/// SGP4's semi-major axis is the square of a polynomial of the age t (tempa in Hoots and Roehrich 1980, of degree 4 at
/// most). At some age, the polynomial can be zero; afterwards, the axis grows again. In an interval around this age,
/// the axis is too small for an orbit. The end of this interval is at least 1.33 times its beginning (for an axis of
/// 24,000 km and degree 4). Therefore at least one check is inside the interval.
const AGE_FACTOR: f64 = 1.1;

/// Satellites with their elements, and the time at which the run starts.
#[derive(Clone, Debug, PartialEq)]
pub struct Fleet {
    satellites: Vec<Member>,
    start: NaiveDateTime,
}

/// Options for creating a fleet from a catalogue.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FleetOptions<'a> {
    /// Start of the run (UTC, RFC 3339). The default is the newest epoch of the catalogue. With this default, every set
    /// is propagated forward, in the direction for which it was fitted. (With the median epoch as the start, the mean
    /// age of the built-in Starlink catalogue would be four hours instead of ten, but half of the sets would be
    /// propagated backward. Both starts are accurate to a kilometre or two.)
    pub start: Option<&'a str>,
    /// Time that is added to `start`.
    pub offset: Span,
    /// Largest time between the epoch of a set and the start, in either direction. Sets with a larger difference are
    /// left out.
    pub max_age: Option<Span>,
    /// What happens if a satellite cannot be propagated at the start.
    pub on_bad: OnBad,
    /// Which objects of the catalogue are used.
    pub objects: Objects,
    /// Catalogue numbers of satellites that are left out, because another file of the constellation contains them.
    pub elsewhere: Option<&'a BTreeSet<u64>>,
}

/// What happens if a satellite cannot be propagated at the start of the run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnBad {
    /// The catalogue is refused with an error.
    #[default]
    Refuse,
    /// The satellite is left out, with a note.
    Skip,
}

#[derive(Clone, Debug, PartialEq)]
struct Member {
    name: String,
    set: Elements,
    constants: Constants,
    /// Start of the run minus epoch of the elements, in minutes.
    minutes_at_start: f64,
    /// Lowest and highest specific energy of an orbit that does not contradict the elements, in km2/s2.
    energy: [f64; 2],
    /// Semi-major axis of the elements, in km.
    epoch_axis_km: f64,
    /// Time of decay according to the catalogue, in minutes after the start.
    decay_minutes: f64,
}

impl Fleet {
    /// Returns the satellites of a catalogue, and notes for the user. If an object has several sets, the set whose
    /// epoch is nearest to the start is used. If two sets are equally near, the older set is used, because it is
    /// propagated forward.
    ///
    /// # Errors
    /// [`OrbitError::StartSyntax`]; [`OrbitError::Propagation`] if a satellite cannot be propagated at the start and
    /// `on_bad` is [`OnBad::Refuse`]; [`OrbitError::FleetEmpty`] if no satellite is left.
    pub fn from_catalogue(
        catalogue: &Catalogue,
        options: FleetOptions<'_>,
    ) -> Result<(Self, Vec<Note>), OrbitError> {
        let start = options.start.map_or_else(|| Ok(catalogue.newest(options.objects)), moment)?
            + Duration::nanoseconds(options.offset.nanos().cast_signed());
        let mut notes = Vec::new();
        let Nearest { records, dropped, contradicting } = catalogue.nearest(start);
        let (records, mut others) = match options.objects {
            Objects::All => (records, Vec::new()),
            Objects::Satellites => objects::part(records),
        };
        let max_age_days = options.max_age.map_or(f64::INFINITY, |age| age.secs_f64() / 86_400.0);
        let (mut satellites, mut old, mut refused) = (Vec::new(), Vec::new(), Vec::new());
        let mut elsewhere = Vec::new();
        for record in records {
            let name = name(&record.set);
            let decayed = record.decay.is_some_and(|decay| decay <= start);
            if decayed && options.objects == Objects::Satellites {
                others.push((name, Other::Decayed));
            } else if options.elsewhere.is_some_and(|known| known.contains(&record.set.norad_id)) {
                elsewhere.push(name);
            } else if minutes(start - record.set.datetime).abs() / 1440.0 > max_age_days {
                old.push(name);
            } else {
                let label = format!("{name} ({})", record.set.norad_id);
                match Member::new(name.clone(), record, start) {
                    Ok(member) => satellites.push(member),
                    Err(why) if options.on_bad == OnBad::Skip => refused.push((name, why)),
                    Err(why) => {
                        return Err(OrbitError::Propagation { satellite: label, at: Time::ZERO, why });
                    }
                }
            }
        }
        if !others.is_empty() {
            notes.push(Note::NotSatellites { objects: others });
        }
        if !dropped.is_empty() {
            notes.push(Note::Duplicates { dropped });
        }
        if !contradicting.is_empty() {
            notes.push(Note::Contradicting { satellites: contradicting });
        }
        if !elsewhere.is_empty() {
            notes.push(Note::Elsewhere { satellites: elsewhere });
        }
        if !old.is_empty() {
            notes.push(Note::TooOld { satellites: old, max_age_days });
        }
        if !refused.is_empty() {
            notes.push(Note::Refused { satellites: refused });
        }
        notes.extend(far(&satellites, Span::ZERO));
        let fleet = Self { satellites, start };
        if fleet.is_empty() {
            let why: Vec<String> = notes.iter().map(Note::to_string).collect();
            let all_elsewhere =
                notes.iter().all(|note| matches!(note, Note::Elsewhere { .. } | Note::Duplicates { .. }));
            let fix = if all_elsewhere {
                "remove this shell"
            } else {
                "start nearer to the epochs of the elements, allow older ones, or write objects = \"all\" to use \
                every object"
            };
            return Err(OrbitError::FleetEmpty { start: fleet.start(), why: why.join("; "), fix });
        }
        Ok((fleet, notes))
    }

    /// Returns the satellites of the text of a catalogue. This works as [`Fleet::from_catalogue`] with sets of any age,
    /// and refuses satellites that cannot be propagated. Notes are discarded.
    ///
    /// # Errors
    /// The errors of [`Catalogue::read`] and [`Fleet::from_catalogue`].
    pub fn from_tle(text: &str, start: Option<&str>) -> Result<Self, OrbitError> {
        let options = FleetOptions { start, ..FleetOptions::default() };
        Self::from_catalogue(&Catalogue::read(text)?, options).map(|(fleet, _)| fleet)
    }

    /// Returns a Walker shell as two-line elements, as Hypatia does (`satgenpy`, `generate_tles_from_scratch`).
    ///
    /// Nodes, phases and inclination are the values of `walker`; its altitude is not used. The mean motion (revolutions
    /// per day) and the eccentricity are given. The perigee is at the ascending node, and there is no drag. Angles are
    /// rounded to four decimals, the eccentricity to seven, and the mean motion to eight. The run starts at `epoch`
    /// (UTC, RFC 3339). Satellites are named "plane/slot".
    ///
    /// # Errors
    /// [`OrbitError::StartSyntax`]; [`OrbitError::Propagation`] if SGP4 refuses the orbit.
    pub fn from_walker(
        walker: &Walker,
        mean_motion_rev_day: f64,
        eccentricity: f64,
        epoch: &str,
    ) -> Result<Self, OrbitError> {
        let start = moment(epoch)?;
        let round = |x: f64, decimals: i32| (x * 10_f64.powi(decimals)).round() / 10_f64.powi(decimals);
        let angle = |deg: f64| round(deg.rem_euclid(360.0), 4);
        let satellite = |index: usize| {
            let (plane, slot) = (index as u32 / walker.per_plane, index as u32 % walker.per_plane);
            let name = walker.name(index);
            let set = Elements {
                object_name: Some(name.clone()),
                international_designator: None,
                norad_id: index as u64 + 1,
                classification: Classification::Unclassified,
                datetime: start,
                mean_motion_dot: 0.0,
                mean_motion_ddot: 0.0,
                drag_term: 0.0,
                element_set_number: 0,
                inclination: angle(walker.inclination.deg()),
                right_ascension: angle(walker.ascending_node(plane).deg()),
                eccentricity: round(eccentricity, 7),
                argument_of_perigee: 0.0,
                mean_anomaly: angle(walker.argument_of_latitude(plane, slot).deg()),
                mean_motion: round(mean_motion_rev_day, 8),
                revolution_number: 0,
                ephemeris_type: 0,
            };
            Member::new(name.clone(), set.into(), start).map_err(|why| OrbitError::Propagation {
                satellite: name,
                at: Time::ZERO,
                why,
            })
        };
        let satellites = (0..walker.len()).map(satellite).collect::<Result<_, _>>()?;
        Ok(Self { satellites, start })
    }

    /// Returns a note on satellites that are far from the epochs of their elements at the end of a run of this length.
    /// For a run shorter than a day, returns `None`, because the notes of [`Fleet::from_catalogue`] suffice.
    pub fn far_at_end(&self, length: Span) -> Option<Note> {
        Self::ends_later(length).then(|| far(&self.satellites, length)).flatten()
    }

    /// Returns whether a run of this length lasts a day or more. For such a run, a separate note describes the end.
    pub fn ends_later(length: Span) -> bool {
        length.secs_f64() >= accuracy::FAR_DAYS * 86_400.0
    }

    /// Returns the number of satellites.
    pub fn len(&self) -> usize {
        self.satellites.len()
    }

    /// Returns whether the fleet has no satellites.
    pub fn is_empty(&self) -> bool {
        self.satellites.is_empty()
    }

    /// Returns the name of a satellite in the file, or its catalogue number if it has no name.
    pub fn name(&self, index: usize) -> &str {
        &self.satellites[index].name
    }

    /// Returns the catalogue number of a satellite.
    pub fn norad_id(&self, index: usize) -> u64 {
        self.satellites[index].set.norad_id
    }

    /// Returns the epoch of a satellite's elements, UTC.
    pub fn epoch(&self, index: usize) -> String {
        utc(self.satellites[index].set.datetime)
    }

    /// Returns the start of the run minus the epoch of a satellite's elements, in days.
    pub fn age_days(&self, index: usize) -> f64 {
        self.satellites[index].minutes_at_start / 1440.0
    }

    /// Returns the elements of a satellite.
    pub fn elements(&self, index: usize) -> &Elements {
        &self.satellites[index].set
    }

    /// Returns the start of the fleet's time, UTC.
    pub fn start(&self) -> String {
        self.date(Span::ZERO)
    }

    /// Returns the date that is this long after the start of the fleet's time, UTC.
    pub fn date(&self, after: Span) -> String {
        utc(self.start + Duration::nanoseconds(after.nanos().cast_signed()))
    }

    /// Returns the time from the last multiple of `period` to the start of the run. Multiples are counted from
    /// 1970-01-01T00:00:00Z in Unix time, without leap seconds. The result is the phase of the start in a schedule that
    /// follows UTC.
    ///
    /// # Panics
    /// If `period` is zero.
    pub fn past(&self, period: Span) -> Span {
        let start = self.start.and_utc();
        let nanos =
            i128::from(start.timestamp()) * 1_000_000_000 + i128::from(start.timestamp_subsec_nanos());
        Span::from_nanos(nanos.rem_euclid(i128::from(period.nanos())) as u64)
    }

    /// Returns Greenwich mean sidereal time at `at`, in radians.
    pub(crate) fn sidereal_rad(&self, at: Time) -> f64 {
        let moment = self.start + Duration::nanoseconds(at.nanos().cast_signed());
        sgp4::iau_epoch_to_sidereal_time(sgp4::julian_years_since_j2000(&moment))
    }

    /// Returns the Earth-fixed position of a satellite, in metres. `sidereal_rad` is the sidereal time at `at`.
    pub(crate) fn position(&self, index: usize, at: Time, sidereal_rad: f64) -> Result<[f64; 3], OrbitError> {
        Ok(turn(self.inertial_km(index, at)?.position, sidereal_rad).map(|km| km * 1e3))
    }

    /// Returns the Earth-fixed position (m) and velocity (m/s). SGP4 computes the velocity, which differs from the
    /// derivative of the position by up to centimetres per second.
    pub(crate) fn state(&self, index: usize, at: Time) -> Result<([f64; 3], [f64; 3]), OrbitError> {
        let sidereal_rad = self.sidereal_rad(at);
        let inertial = self.inertial_km(index, at)?;
        let [position, velocity] =
            [inertial.position, inertial.velocity].map(|v| turn(v, sidereal_rad).map(|km| km * 1e3));
        Ok((position, turning(position, velocity, ROTATION_RAD_S)))
    }

    /// Returns position (km) and velocity (km/s) in the frame of SGP4 (TEME).
    pub(crate) fn inertial_km(&self, index: usize, at: Time) -> Result<Prediction, OrbitError> {
        let member = &self.satellites[index];
        member.inertial_km(at).map_err(|why| OrbitError::Propagation {
            satellite: format!("{} ({})", member.name, member.set.norad_id),
            at,
            why,
        })
    }
}

impl Member {
    /// Creates a satellite. Refuses the satellite if it cannot be propagated to the start of the run, or to a checked
    /// time between its epoch and the start.
    fn new(name: String, record: Record, start: NaiveDateTime) -> Result<Self, Refusal> {
        let Record { set, decay, .. } = record;
        let constants = constants(&set)?;
        let minutes_at_start = minutes(start - set.datetime);
        // Mean motion in radians per second. The axis follows from Kepler's third law, with the constant of SGP4's
        // elements.
        let motion = set.mean_motion * TAU / 86_400.0;
        let epoch_axis_km = (MU_KM3_S2 / (motion * motion)).cbrt();
        let apogee_km = epoch_axis_km * (1.0 + set.eccentricity);
        if apogee_km > SPHERE_OF_INFLUENCE_KM {
            return Err(Refusal::Escape { apogee_km });
        }
        // E = -mu / 2a (vis viva).
        let energy =
            [1.0 - CONTRADICTION, 1.0 + CONTRADICTION].map(|a| -MU_KM3_S2 / (2.0 * a * epoch_axis_km));
        let decay_minutes = decay.map_or(f64::INFINITY, |decay| minutes(decay - start));
        let member = Self { name, set, constants, minutes_at_start, energy, epoch_axis_km, decay_minutes };
        let mut age = 1440.0;
        while age < minutes_at_start.abs() {
            member.at_age(age.copysign(minutes_at_start))?;
            age *= AGE_FACTOR;
        }
        member.inertial_km(Time::ZERO)?;
        Ok(member)
    }

    fn inertial_km(&self, at: Time) -> Result<Prediction, Refusal> {
        let elapsed = at.secs_f64() / 60.0;
        if elapsed >= self.decay_minutes {
            return Err(Refusal::Declared);
        }
        self.at_age(self.minutes_at_start + elapsed)
    }

    /// Returns the state at this time after the epoch.
    fn at_age(&self, minutes: f64) -> Result<Prediction, Refusal> {
        let state = self.constants.propagate(MinutesSinceEpoch(minutes))?;
        let radius_km = norm(state.position);
        if !(radius_km + norm(state.velocity)).is_finite() {
            return Err(Refusal::Diverged);
        }
        // Error 6 of the reference code. The `sgp4` crate does not check this condition.
        if radius_km < WGS72.ae {
            return Err(Refusal::Decayed { radius_km });
        }
        let height_km = radius_km - WGS72.ae;
        if height_km < ATMOSPHERE_KM {
            return Err(Refusal::Atmosphere { height_km });
        }
        let speed2: f64 = state.velocity.iter().map(|v| v * v).sum();
        let energy = speed2 / 2.0 - MU_KM3_S2 / radius_km;
        // After the epoch, drag may lower the orbit by any amount.
        if energy > self.energy[1] || (energy < self.energy[0] && minutes < 0.0) {
            let (axis_km, epoch_axis_km) = (-MU_KM3_S2 / (2.0 * energy), self.epoch_axis_km);
            if energy >= 0.0 {
                return Err(Refusal::Escape { apogee_km: f64::INFINITY });
            }
            return Err(Refusal::Contradiction { axis_km, epoch_axis_km });
        }
        Ok(state)
    }
}

/// Returns SGP4's constants for an element set, with WGS72 and the AFSPC sidereal time. The crate's `from_elements`
/// would use WGS84. Elements are fitted with WGS72, so the position would be wrong by 39 m at the epoch, and by more
/// later.
///
/// # Errors
/// The reason of SGP4 if the elements are outside its domain.
pub fn constants(set: &Elements) -> Result<Constants, Refusal> {
    let orbit = Orbit::from_kozai_elements(
        &WGS72,
        set.inclination.to_radians(),
        set.right_ascension.to_radians(),
        set.eccentricity,
        set.argument_of_perigee.to_radians(),
        set.mean_anomaly.to_radians(),
        // Revolutions per day to radians per minute: 2 pi / 1440.
        set.mean_motion * (PI / 720.0),
    )
    .map_err(sgp4::ElementsError::from)?;
    let constants = Constants::new(
        WGS72,
        sgp4::afspc_epoch_to_sidereal_time,
        set.epoch_afspc_compatibility_mode(),
        set.drag_term,
        orbit,
    )
    .map_err(sgp4::ElementsError::from)?;
    Ok(constants)
}

/// Returns a note on the satellites that are far from the epochs of their elements at the time `after` the start.
fn far(satellites: &[Member], after: Span) -> Option<Note> {
    let age = |member: &Member| (member.minutes_at_start + after.secs_f64() / 60.0).abs() / 1440.0;
    let mut far: Vec<&Member> = satellites.iter().filter(|member| age(member) > accuracy::FAR_DAYS).collect();
    far.sort_by(|a, b| age(b).total_cmp(&age(a)));
    let days = age(far.first()?);
    let orbits =
        far.iter().map(|member| (age(member), member.epoch_axis_km - WGS72.ae, member.set.eccentricity));
    let (off, unknown) = accuracy::off(orbits);
    let satellites = far.iter().map(|member| member.name.clone()).collect();
    Some(Note::FarFromEpoch { satellites, days, off, unknown, after })
}

pub(crate) fn moment(text: &str) -> Result<NaiveDateTime, OrbitError> {
    DateTime::parse_from_rfc3339(text)
        .ok()
        .map(|moment| moment.naive_utc())
        .filter(|moment| YEARS.contains(&moment.year()))
        .ok_or_else(|| OrbitError::StartSyntax { text: text.to_owned() })
}

pub(crate) fn utc(moment: NaiveDateTime) -> String {
    moment.format("%Y-%m-%dT%H:%M:%S%.fZ").to_string()
}

fn minutes(span: TimeDelta) -> f64 {
    span.num_seconds() as f64 / 60.0 + f64::from(span.subsec_nanos()) / 60e9
}
