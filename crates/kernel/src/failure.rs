// SPDX-License-Identifier: MIT OR Apache-2.0
//! Errors of the program, and the messages of libbpf.

use kernel::parameters::ParameterError;
use libbpf_rs::{ErrorKind, PrintLevel, set_print};
use record::RecordError;
use std::sync::{Mutex, PoisonError};
use units::Code;

/// An error for the caller.
#[derive(Debug)]
pub struct Failure {
    /// Code of the error.
    pub code: Code,
    /// Message with the fix.
    pub message: String,
}

/// The messages of libbpf, including the log of the verifier.
static LOG: Mutex<String> = Mutex::new(String::new());

/// Collects the messages of libbpf.
pub fn collect_messages() {
    #[expect(clippy::needless_pass_by_value, reason = "the signature is that of libbpf-rs")]
    fn keep(_: PrintLevel, message: String) {
        LOG.lock().unwrap_or_else(PoisonError::into_inner).push_str(&message);
    }
    set_print(Some((PrintLevel::Info, keep)));
}

impl Failure {
    /// A request that cannot be answered.
    pub fn argument(message: impl Into<String>) -> Self {
        Self { code: Code::ArgumentValue, message: message.into() }
    }

    /// The error of a call that the kernel or libbpf refused. The messages of libbpf are kept in a file.
    pub fn refused(what: &str, error: &libbpf_rs::Error) -> Self {
        let reason = match error.kind() {
            ErrorKind::PermissionDenied => format!("{error} (use sudo)"),
            _ => format!("{error:#}"),
        };
        let log = LOG.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let file = std::env::temp_dir().join(format!("bentpipe-kernel-{}.log", std::process::id()));
        let kept = std::fs::File::options().write(true).create_new(true).open(&file);
        let kept = kept.and_then(|mut file| std::io::Write::write_all(&mut file, log.as_bytes()));
        let place = match kept {
            Ok(()) => format!("the log of the verifier is in {}", file.display()),
            Err(_) => log,
        };
        Self { code: Code::KernelRefused, message: format!("{what}: {reason}; {place}") }
    }

    /// Something of the system failed.
    pub fn system(what: &str, error: impl std::fmt::Display) -> Self {
        Self { code: Code::KernelRefused, message: format!("{what}: {error}") }
    }
}

impl From<ParameterError> for Failure {
    fn from(error: ParameterError) -> Self {
        Self { code: error.code, message: error.message }
    }
}

impl From<RecordError> for Failure {
    fn from(error: RecordError) -> Self {
        Self { code: error.code(), message: error.to_string() }
    }
}
