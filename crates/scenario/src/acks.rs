// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads and writes how a narrow link thins acknowledgements.

use crate::ScenarioError;
use crate::check::Source;
use crate::format;
use crate::text::Q;
use crate::words::{W, words};
use link::{Acks, Discipline, LinkSpec, Thinning};
use units::{Bytes, Code};

/// Which acknowledgements are dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThinningWord {
    Filter,
    Aggressive,
    Decimate,
}

words! {
    /// Which acknowledgements are dropped.
    ThinningWord { Filter = "filter", Aggressive = "filter-aggressive", Decimate = "decimate" }
}

/// Message for a link that thins acknowledgements and sends congestion warnings.
pub const NO_WARNINGS: &str = "a link that thins acknowledgements sends no congestion warnings";

impl format::Acks {
    /// Reads how the link treats acknowledgements. `sends_at_once` states whether the link never has a rate, so that no
    /// packet waits.
    pub fn read(
        self,
        spec: &LinkSpec,
        sends_at_once: bool,
        source: &Source<'_>,
        path: &str,
    ) -> Result<Acks, ScenarioError> {
        let fault =
            |key: &str, message: &str| source.error(Code::ScenarioValue, &format!("{path}{key}"), message);
        if spec.queue.discipline != Discipline::DropTail {
            let message = format!(
                "only a drop-tail queue can thin or compress acknowledgements, but this queue has the discipline \
                 \"{}\"",
                spec.queue.discipline.word()
            );
            return Err(fault("", &message).fix("write queue = \"50 packets\", or remove `acks`"));
        }
        if spec.warning.is_some() {
            return Err(fault("", NO_WARNINGS).fix("remove `warn_above`, or `acks`"));
        }
        if sends_at_once {
            let message = "`acks` has no effect on a link without a rate: the link sends packets at once, so no \
                           acknowledgement waits";
            return Err(fault("", message).fix("write rate = \"128 kbit/s\", or remove `acks`"));
        }
        let keep = |W(word)| match word {
            ThinningWord::Filter => Thinning::Filter { aggressive: false },
            ThinningWord::Aggressive => Thinning::Filter { aggressive: true },
            ThinningWord::Decimate => Thinning::Decimate { keep: self.keep.unwrap_or(1) as usize },
        };
        Ok(Acks {
            thinning: self.thinning.map(keep),
            compressed: self.compressed.map(|Q(bytes)| bytes.get() as u16),
        })
    }

    /// Returns the text form of these settings.
    pub fn of(acks: Acks) -> Self {
        let (word, keep) = match acks.thinning {
            None => (None, None),
            Some(Thinning::Filter { aggressive: false }) => (Some(ThinningWord::Filter), None),
            Some(Thinning::Filter { aggressive: true }) => (Some(ThinningWord::Aggressive), None),
            Some(Thinning::Decimate { keep }) => (Some(ThinningWord::Decimate), Some(keep as u32)),
        };
        Self {
            thinning: word.map(W),
            keep,
            compressed: acks.compressed.map(|bytes| Q(Bytes::new(bytes.into()))),
        }
    }
}
