// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads and writes how a terminal transmits without a grant.

use crate::ScenarioError;
use crate::check::Source;
use crate::format;
use crate::text::Q;
use crate::words::{W, words};
use link::{Dama, RandomAccess};
use units::{Bytes, Code, Rate};

/// How bursts of several terminals share slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessWord {
    SlottedAloha,
    Crdsa,
}

words! {
    /// How bursts of several terminals share slots.
    AccessWord { SlottedAloha = "slotted-aloha", Crdsa = "crdsa" }
}

impl format::RandomAccess {
    /// Reads the random access of a terminal with `dama`. Its carrier has `capacity` bytes in a superframe.
    pub fn read(
        self,
        dama: Dama,
        capacity: u64,
        source: &Source<'_>,
        path: &str,
    ) -> Result<RandomAccess, ScenarioError> {
        let fault =
            |key: &str, message: &str| source.error(Code::ScenarioValue, &format!("{path}{key}"), message);
        if dama.cra > Rate::default() || dama.fca > 0.0 {
            let message = "`random_access` has no effect: it is for superframes without a grant, but `cra` and `fca` \
                           grant capacity in every superframe";
            return Err(fault("", message).fix("remove `cra` and `fca`, or `random_access`"));
        }
        let access = RandomAccess {
            replicas: match self.scheme {
                W(AccessWord::SlottedAloha) => 1,
                W(AccessWord::Crdsa) => self.replicas.unwrap_or(2),
            },
            slots: self.slots.unwrap_or(64),
            load: self.load,
            burst: self.burst.0.get(),
            bursts: self.bursts.unwrap_or(1),
            back_off: self.back_off.unwrap_or(8),
        };
        let needs = access.replicas * access.bursts;
        if needs > access.slots {
            let message = format!(
                "the bursts of the terminal need {needs} slots in each superframe, but a superframe has only {} slots",
                access.slots
            );
            return Err(
                fault(".slots", &message).fix(format!("write slots = {needs} or more, or fewer bursts"))
            );
        }
        let sent = access.burst * u64::from(access.bursts);
        if sent > capacity {
            let message = format!(
                "the bursts of a superframe carry {sent} bytes, but a superframe of the carrier has only {capacity} \
                 bytes"
            );
            return Err(fault(".burst", &message).fix("write a smaller burst, or a longer superframe"));
        }
        Ok(access)
    }

    /// Returns the text form of random access.
    pub fn of(access: RandomAccess) -> Self {
        let aloha = access.replicas == 1;
        Self {
            scheme: W(if aloha { AccessWord::SlottedAloha } else { AccessWord::Crdsa }),
            replicas: (!aloha).then_some(access.replicas),
            slots: Some(access.slots),
            load: access.load,
            burst: Q(Bytes::new(access.burst)),
            bursts: Some(access.bursts),
            back_off: Some(access.back_off),
        }
    }
}
