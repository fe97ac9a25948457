// SPDX-License-Identifier: MIT OR Apache-2.0
//! Parts of loss recovery that stand alone: how much may be sent (PRR, the older pipe), what is lost by time (RACK), and
//! whether it was lost at all (undo).

pub(crate) mod pipe;
pub(crate) mod prr;
pub(crate) mod rack;
pub(crate) mod undo;
