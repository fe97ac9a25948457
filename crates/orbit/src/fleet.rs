// SPDX-License-Identifier: MIT OR Apache-2.0
//! Satellites with known elements, propagated by SGP4.
//!
//! WGS72 constants and the AFSPC sidereal time, in the improved mode, as for the official verification vectors (AIAA
//! 2006-6753). SGP4's frame (TEME) is rotated to Earth-fixed by Greenwich mean sidereal time of 1982. Polar motion
//! (below 15 m) and UT1-UTC (below 0.9 s, that is 420 m at the equator for satellite and site alike) are left out.

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

/// Height below which a satellite soon decays: the entry interface, 400,000 ft (NASA, JSC-09084, "Coordinate Systems
/// for the Space Shuttle Program": where atmospheric entry begins).
const ATMOSPHERE_KM: f64 = 121.92;
/// Largest relative difference of a semi-major axis from that of the elements. Drag lowers an orbit and thrust is not
/// in the elements; periodic terms of low orbits are 0.2 % (J2), and those of the highest orbits that SGP4 supports
/// below 2 %.
const CONTRADICTION: f64 = 0.05;
/// Radius of the Earth's sphere of influence, km (Curtis, Orbital Mechanics for Engineering Students, table A.2).
const SPHERE_OF_INFLUENCE_KM: f64 = 925_000.0;
/// Elements are checked from their epoch to the start at ages that grow by this factor, from a day on.
///
/// SGP4's semi-major axis is the square of a polynomial of the age t (tempa in Hoots and Roehrich 1980, at most of
/// degree 4): after the age at which it is zero the axis grows again. The axis is too small for an orbit during an
/// interval around that age. The end of that interval is at least 1.33 times its beginning (an axis of 24,000 km,
/// degree 4).
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
    /// Start of the run (UTC, RFC 3339). Default: the newest epoch of the catalogue, so that every set is propagated
    /// forward, for which it was fitted. (The median epoch would reduce the mean age of the built-in Starlink catalogue
    /// from ten hours to four, and propagate half of the sets backward; either is accurate to a kilometre or two.)
    pub start: Option<&'a str>,
    /// Time from that start to the start of the run.
    pub offset: Span,
    /// Leaves out sets whose epoch is more than this before or after the start.
    pub max_age: Option<Span>,
    /// Treatment of a satellite that cannot be propagated at the start.
    pub on_bad: OnBad,
    /// Which objects are used.
    pub objects: Objects,
    /// Numbers of satellites in another file of the constellation: left out.
    pub elsewhere: Option<&'a BTreeSet<u64>>,
}

/// Treatment of a satellite that cannot be propagated at the start of the run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnBad {
    /// The fleet is refused.
    #[default]
    Refuse,
    /// It is left out, with a note.
    Skip,
}

#[derive(Clone, Debug, PartialEq)]
struct Member {
    name: String,
    set: Elements,
    constants: Constants,
    /// Start of the run minus epoch of the elements, minutes.
    minutes_at_start: f64,
    /// Specific energy of the orbit, km2/s2: within these bounds it is consistent with the elements.
    energy: [f64; 2],
    /// Semi-major axis of the elements.
    epoch_axis_km: f64,
    /// Time of decay in the catalogue, minutes after the start.
    decay_minutes: f64,
}

impl Fleet {
    /// The satellites of a catalogue, with notes for the user. Of several sets of one object the one whose epoch is
    /// nearest to the start is used (of two equally near ones the older, which is propagated forward).
    ///
    /// # Errors
    /// [`OrbitError::StartSyntax`]; [`OrbitError::Propagation`] if a satellite cannot be propagated at the start and
    /// none may be left out; [`OrbitError::FleetEmpty`].
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

    /// [`Fleet::from_catalogue`] for the text of a catalogue with sets of any age, none of which may be refused; its
    /// notes are dropped.
    ///
    /// # Errors
    /// Those of [`Catalogue::read`] and [`Fleet::from_catalogue`].
    pub fn from_tle(text: &str, start: Option<&str>) -> Result<Self, OrbitError> {
        let options = FleetOptions { start, ..FleetOptions::default() };
        Self::from_catalogue(&Catalogue::read(text)?, options).map(|(fleet, _)| fleet)
    }

    /// A shell as two-line elements, as in Hypatia (`satgenpy`, `generate_tles_from_scratch`): the nodes, phases and
    /// inclination of `walker` with the mean motion (revolutions per day) and the eccentricity given, perigee in the
    /// node, no drag; angles to four decimals, eccentricity to seven, mean motion to eight. The altitude of `walker` is
    /// not used. The run starts at `epoch` (UTC, RFC 3339); satellites are named "plane/slot".
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

    /// Note about satellites far from the epochs of their elements at the end of a run of a day or more; for a shorter
    /// run, the notes of [`Fleet::from_catalogue`] suffice.
    pub fn far_at_end(&self, length: Span) -> Option<Note> {
        Self::ends_later(length).then(|| far(&self.satellites, length)).flatten()
    }

    /// Whether a run of this length is a day or more: its end has a note of its own.
    pub fn ends_later(length: Span) -> bool {
        length.secs_f64() >= accuracy::FAR_DAYS * 86_400.0
    }

    /// How many satellites.
    pub fn len(&self) -> usize {
        self.satellites.len()
    }

    /// True of a fleet without satellites.
    pub fn is_empty(&self) -> bool {
        self.satellites.is_empty()
    }

    /// Name of a satellite: as in the file, or its catalogue number.
    pub fn name(&self, index: usize) -> &str {
        &self.satellites[index].name
    }

    /// Catalogue number of a satellite.
    pub fn norad_id(&self, index: usize) -> u64 {
        self.satellites[index].set.norad_id
    }

    /// Epoch of a satellite's elements, UTC.
    pub fn epoch(&self, index: usize) -> String {
        utc(self.satellites[index].set.datetime)
    }

    /// Start of the run minus epoch of a satellite's elements, days.
    pub fn age_days(&self, index: usize) -> f64 {
        self.satellites[index].minutes_at_start / 1440.0
    }

    /// The elements of a satellite.
    pub fn elements(&self, index: usize) -> &Elements {
        &self.satellites[index].set
    }

    /// Start of the run, UTC.
    pub fn start(&self) -> String {
        utc(self.start)
    }

    /// Time from the last multiple of `period` since 1970-01-01T00:00:00Z to the start of the run, without leap seconds
    /// (Unix time): the position of the start in periods that follow the clock.
    ///
    /// # Panics
    /// If `period` is zero.
    pub fn past(&self, period: Span) -> Span {
        let start = self.start.and_utc();
        let nanos =
            i128::from(start.timestamp()) * 1_000_000_000 + i128::from(start.timestamp_subsec_nanos());
        Span::from_nanos(nanos.rem_euclid(i128::from(period.nanos())) as u64)
    }

    /// Greenwich mean sidereal time at `at`, radians.
    pub(crate) fn sidereal_rad(&self, at: Time) -> f64 {
        let moment = self.start + Duration::nanoseconds(at.nanos().cast_signed());
        sgp4::iau_epoch_to_sidereal_time(sgp4::julian_years_since_j2000(&moment))
    }

    /// Earth-fixed position of satellite `index` when the sidereal time is `sidereal_rad`, metres.
    pub(crate) fn position(&self, index: usize, at: Time, sidereal_rad: f64) -> Result<[f64; 3], OrbitError> {
        Ok(turn(self.inertial_km(index, at)?.position, sidereal_rad).map(|km| km * 1e3))
    }

    /// Earth-fixed position and velocity, metres and m/s. SGP4's own velocity differs from the derivative of its
    /// position by up to centimetres per second.
    pub(crate) fn state(&self, index: usize, at: Time) -> Result<([f64; 3], [f64; 3]), OrbitError> {
        let sidereal_rad = self.sidereal_rad(at);
        let inertial = self.inertial_km(index, at)?;
        let [position, velocity] =
            [inertial.position, inertial.velocity].map(|v| turn(v, sidereal_rad).map(|km| km * 1e3));
        Ok((position, turning(position, velocity, ROTATION_RAD_S)))
    }

    /// Position and velocity in SGP4's own frame (TEME), km and km/s.
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
    /// Refuses a satellite that cannot be propagated at the start of the run, or at a time between that and its epoch.
    fn new(name: String, record: Record, start: NaiveDateTime) -> Result<Self, Refusal> {
        let Record { set, decay, .. } = record;
        let constants = constants(&set)?;
        let minutes_at_start = minutes(start - set.datetime);
        // Kepler's third law, with the constant that goes with SGP4's elements; radians per second.
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

    /// State at this time after the epoch.
    fn at_age(&self, minutes: f64) -> Result<Prediction, Refusal> {
        let state = self.constants.propagate(MinutesSinceEpoch(minutes))?;
        let radius_km = norm(state.position);
        if !(radius_km + norm(state.velocity)).is_finite() {
            return Err(Refusal::Diverged);
        }
        // Error 6 of the reference code, which the `sgp4` crate leaves to its caller.
        if radius_km < WGS72.ae {
            return Err(Refusal::Decayed { radius_km });
        }
        let height_km = radius_km - WGS72.ae;
        if height_km < ATMOSPHERE_KM {
            return Err(Refusal::Atmosphere { height_km });
        }
        let speed2: f64 = state.velocity.iter().map(|v| v * v).sum();
        let energy = speed2 / 2.0 - MU_KM3_S2 / radius_km;
        // After the epoch drag may lower the orbit by any amount.
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

/// SGP4's constants for an element set: WGS72 and the AFSPC sidereal time (the crate's `from_elements` would take
/// WGS84, 39 m off at epoch and more later, for elements that were fitted with WGS72).
///
/// # Errors
/// SGP4's reason, if the elements are outside its domain.
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

/// Which satellites are far from the epochs of their elements this long after the start.
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
