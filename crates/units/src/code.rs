// SPDX-License-Identifier: MIT OR Apache-2.0
//! The list of all error codes. A code is stable: scripts and tests may match on it.

macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $name:ident = $text:literal,)+) => {
        /// Error as a stable code. Every error type of every crate maps to one of these codes.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Code { $($(#[doc = $doc])+ $name,)+ }
        impl Code {
            /// All codes, in the order of this list.
            pub const ALL: &'static [Self] = &[$(Self::$name,)+];
            /// Returns the code as it is printed, for example `unit-syntax`.
            pub const fn as_str(self) -> &'static str { match self { $(Self::$name => $text,)+ } }
            /// Returns one sentence that says when this code occurs.
            pub const fn meaning(self) -> &'static str {
                match self { $(Self::$name => concat!($($doc),+),)+ }
            }
        }
    };
}

codes! {
    /// A quantity is not written as a number, a space and a unit.
    UnitSyntax = "unit-syntax",
    /// The unit does not exist for this kind of quantity.
    UnitUnknown = "unit-unknown",
    /// The number is negative, not finite or too large for the quantity.
    UnitRange = "unit-range",
    /// The scenario is not valid TOML.
    ScenarioSyntax = "scenario-syntax",
    /// The scenario contains an unknown key.
    ScenarioUnknownKey = "scenario-unknown-key",
    /// A required key is missing.
    ScenarioMissingKey = "scenario-missing-key",
    /// A value has the wrong type, for example a number without a unit instead of a quantity.
    ScenarioWrongType = "scenario-wrong-type",
    /// A value is outside its allowed range, or two keys contradict each other.
    ScenarioValue = "scenario-value",
    /// The scenario file, or a file that it names, could not be read.
    ScenarioUnreadable = "scenario-unreadable",
    /// There is no controller with this name.
    ControllerUnknown = "controller-unknown",
    /// A controller of the user has the name of a controller in the catalogue.
    ControllerNameTaken = "controller-name-taken",
    /// A controller of the user failed.
    ControllerRaised = "controller-raised",
    /// A file with controllers of the user cannot be read, fails, or registers no controller.
    PluginFailed = "plugin-failed",
    /// There is no reproduced paper with this name.
    PaperUnknown = "paper-unknown",
    /// The paper has no row with this name.
    RowUnknown = "row-unknown",
    /// The recordings of another implementation (networks, traces) are missing or cannot be read.
    TracesMissing = "traces-missing",
    /// There is no model with this name.
    ModelUnknown = "model-unknown",
    /// The controller or the model has no parameter with this name.
    ParameterUnknown = "parameter-unknown",
    /// A parameter of a controller or a model has the wrong type or is out of range.
    ParameterValue = "parameter-value",
    /// The controller needs a signal that this platform does not provide.
    SignalMissing = "signal-missing",
    /// There is no constellation preset with this name.
    PresetUnknown = "preset-unknown",
    /// There is no ground site with this name.
    SiteUnknown = "site-unknown",
    /// A ground site sees no satellite above the minimum elevation.
    NoSatelliteInView = "no-satellite-in-view",
    /// Two sites have no path at any time of the run.
    NoPath = "no-path",
    /// A two-line element set is malformed.
    TleSyntax = "tle-syntax",
    /// The checksum of a line of a two-line element set is wrong.
    TleChecksum = "tle-checksum",
    /// A CCSDS orbit mean-elements message (OMM, in any format) is malformed.
    ElementsSyntax = "elements-syntax",
    /// No satellite of a catalogue is left for the run: all epochs are too far from its start, or SGP4 refuses them.
    FleetEmpty = "fleet-empty",
    /// The propagator refuses a satellite, because it has decayed or its elements are outside the domain of SGP4.
    OrbitPropagation = "orbit-propagation",
    /// A run would need more memory or more disk space than is free.
    CostTooHigh = "cost-too-high",
    /// An argument of a Python function has the wrong type or is out of bounds.
    ArgumentValue = "argument-value",
    /// The output of a command cannot be written.
    OutputUnwritable = "output-unwritable",
    /// The run folder cannot be written.
    FolderUnwritable = "folder-unwritable",
    /// The disk filled up while the run folder was written.
    DiskFull = "disk-full",
    /// The folder is not a run folder.
    FolderNotARun = "folder-not-a-run",
    /// The folder for a run or a report contains other files, which are not replaced without `force`.
    FolderOccupied = "folder-occupied",
    /// The run folder is incomplete.
    FolderCutOff = "folder-cut-off",
    /// A file that a scenario names was changed while runs of it were made.
    FileChanged = "file-changed",
    /// A file of a run folder has content that no run writes.
    FolderDamaged = "folder-damaged",
    /// The scheduler of a cluster cannot be reached, or the connection to it was lost.
    SchedulerUnreachable = "scheduler-unreachable",
    /// The connection to a scheduler is neither encrypted nor local to this machine.
    SchedulerInsecure = "scheduler-insecure",
    /// A worker of a cluster has another version of Bentpipe, or Bentpipe is not installed there.
    WorkerDiffers = "worker-differs",
    /// Workers of a cluster ended repeatedly during a run.
    WorkerLost = "worker-lost",
    /// A UDP address cannot be used: the port is taken, the host has no address, or nothing listens there.
    AddressUnusable = "address-unusable",
    /// The certificate of a QUIC server was not accepted, or could not be made.
    CertificateRefused = "certificate-refused",
    /// A QUIC connection failed: no common application protocol, timeout, reset, closed with an error.
    ConnectionFailed = "connection-failed",
    /// A QUIC server refused a request: the file does not exist, or the server cannot read it.
    RequestRefused = "request-refused",
    /// The Linux kernel did not load, trace or remove a congestion controller.
    KernelRefused = "kernel-refused",
    /// The run was interrupted by the user.
    Interrupted = "interrupted",
    /// Packets were lost or invented by the engine itself: a defect of Bentpipe.
    Conservation = "conservation",
}

impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}
