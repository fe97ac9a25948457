// SPDX-License-Identifier: MIT OR Apache-2.0
//! A site as a network namespace with a TUN device, in which programs run.
//!
//! The namespaces have no names. They exist as long as a thread of this process or a program uses them. Every program is
//! a descendant of the first process of a PID namespace, and this first process ends together with the thread. Therefore
//! nothing is left when this process ends, for whatever reason.

use crate::addresses::{Addresses, V4_PREFIX, V6_PREFIX, addresses_of};
use crate::interface::Tun;
use crate::{Cable, EmulateError, SocketReader};
use netconfig_rs::Interface as Device;
use netconfig_rs::sys::InterfaceExt as _;
use rustix::mount::{MountPropagationFlags, mount_bind, mount_change};
use rustix::process::{Signal, set_parent_process_death_signal};
use rustix::thread::UnshareFlags;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead as _, BufReader};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;
use tun_rs::DeviceBuilder;

/// Largest number of packets that wait at a device for this process. It is enough for half a second of acknowledgements
/// at 1 Gbit/s.
const DEVICE_QUEUE: u32 = 10_000;
/// Name of the device in each namespace.
const DEVICE: &str = "bentpipe";
/// The script of the first process in the PID namespace of a site. It mounts `/proc`, reports that it is ready, and
/// waits. It does not reap other processes. The arguments of the script are a command under which the rest of the
/// script runs.
const FIRST_PROCESS: &str =
    r#"mount -t proc proc /proc && exec "$@" sh -c 'echo ready; exec sleep infinity'"#;

/// A program to start at a site.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The program and its arguments.
    pub arguments: Vec<String>,
    /// Environment variables that replace those of this process.
    pub environment: BTreeMap<String, String>,
    /// Whether the program is a helper. The standard output of a helper goes to the standard error of this process. The
    /// standard input of a helper is empty. Ctrl-C does not reach a helper.
    pub is_helper: bool,
}

type Request = (Program, Sender<io::Result<u32>>);

/// A site. When the site is dropped, its programs are killed and its namespaces are removed.
#[derive(Debug)]
pub struct Site {
    requests: Option<Sender<Request>>,
    thread: Option<JoinHandle<()>>,
}

impl Site {
    /// Creates the site with the index `number`, and returns the site and its cable. `hosts` is the text of a hosts
    /// file with the names of all sites. The device of the site accepts packets of up to `mtu` bytes. `user` is the
    /// user and the group to which this process will change later, or `None` if it will keep its present user. The user
    /// matters because a process can only end processes of its own user.
    ///
    /// # Errors
    /// [`EmulateError::System`] if the system refuses a namespace or the device.
    pub fn new(
        number: usize,
        hosts: &Path,
        mtu: u16,
        user: Option<(u32, u32)>,
    ) -> Result<(Self, Cable), EmulateError> {
        let (requests, asked) = channel();
        let (ready, made) = channel();
        let hosts = hosts.to_owned();
        let name = format!("site {number}");
        let thread = std::thread::Builder::new().name(name);
        let thread = thread.spawn(move || match Namespaces::new(addresses_of(number), &hosts, mtu, user) {
            Ok((namespaces, cable)) => {
                // The caller waits for it.
                let _ = ready.send(Ok(cable));
                namespaces.serve(&asked);
            }
            Err(error) => {
                let _ = ready.send(Err(error));
            }
        });
        let thread = thread.map_err(|error| EmulateError::system("starting a thread for a site", error))?;
        let made = made.recv().unwrap_or_else(|_| {
            Err(EmulateError::system("making a site", io::Error::other("the thread of the site ended")))
        });
        let this = Self { requests: Some(requests), thread: Some(thread) };
        made.map(|cable| (this, cable))
    }

    /// Starts a program at the site, and returns its process ID. The program is a child of this process, and the caller
    /// must wait for its end.
    ///
    /// # Errors
    /// [`EmulateError::System`] if the program cannot be started.
    pub fn start(&self, program: Program) -> Result<u32, EmulateError> {
        let attempt = format!("starting \"{}\"", program.arguments.join(" "));
        let (answer, answered) = channel();
        let gone = || io::Error::other("the site is gone");
        let sent = self.requests.as_ref().is_some_and(|requests| requests.send((program, answer)).is_ok());
        let started = if sent { answered.recv().unwrap_or_else(|_| Err(gone())) } else { Err(gone()) };
        started.map_err(|error| {
            let fix = match error.kind() {
                io::ErrorKind::NotFound => {
                    "check the name of the program, and check that the program is installed"
                }
                io::ErrorKind::PermissionDenied => "make the file executable for the user that runs it",
                _ => "the system's message contains the cause",
            };
            EmulateError::System { attempt, error, fix: fix.to_owned() }
        })
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        self.requests = None;
        if let Some(thread) = self.thread.take() {
            // A panic of the thread has been printed.
            let _ = thread.join();
        }
    }
}

/// The namespaces of the current thread.
struct Namespaces {
    first: Child,
}

impl Namespaces {
    fn new(
        addresses: Addresses,
        hosts: &Path,
        mtu: u16,
        user: Option<(u32, u32)>,
    ) -> Result<(Self, Cable), EmulateError> {
        let flags = UnshareFlags::NEWNET | UnshareFlags::NEWNS | UnshareFlags::NEWPID;
        #[expect(unsafe_code, reason = "without FILES the call cannot part this thread from its descriptors")]
        // SAFETY: `flags` has no `FILES`.
        let unshared = unsafe { rustix::thread::unshare_unsafe(flags) };
        unshared.map_err(|error| EmulateError::system("making namespaces", error.into()))?;
        let private = MountPropagationFlags::PRIVATE | MountPropagationFlags::REC;
        mount_change("/", private)
            .and_then(|()| mount_bind(hosts, "/etc/hosts"))
            .map_err(|error| EmulateError::system("replacing /etc/hosts at a site", error.into()))?;
        let loopback = Device::try_from_name("lo").and_then(|device| device.set_up(true));
        loopback.map_err(|error| EmulateError::system("starting the loopback device", other(&error)))?;
        let device = DeviceBuilder::new()
            .name(DEVICE)
            .mtu(mtu)
            .offload(true)
            .ipv4(addresses.v4, V4_PREFIX, None)
            .ipv6(addresses.v6, V6_PREFIX)
            .build_sync()
            .map_err(|error| EmulateError::system("making a TUN device (/dev/net/tun)", error))?;
        device
            .set_nonblocking(true)
            .map_err(|error| EmulateError::system("setting up a TUN device", error))?;
        // Root of a user namespace may not change it: there the kernel's 500 packets stay.
        let _ = device.set_tx_queue_len(DEVICE_QUEUE);
        // Duplicate address detection (RFC 4862) would delay the first packets by a second; nobody else is there.
        let detection = format!("/proc/sys/net/ipv6/conf/{DEVICE}/accept_dad");
        let _ = std::fs::write(detection, "0");
        let sockets = SocketReader::new()
            .map_err(|error| EmulateError::system("opening sock_diag, which reports TCP sockets", error))?;
        let first = first_process(user).map_err(|error| EmulateError::system("starting a site", error))?;
        Ok((Self { first }, Cable { interface: Box::new(Tun::new(device)), sockets: Some(sockets) }))
    }

    /// Starts the requested programs until the sender of requests is dropped.
    fn serve(mut self, asked: &Receiver<Request>) {
        let mut programs = Vec::new();
        for (program, answer) in asked {
            let started = command(&program).and_then(start);
            // The caller waits for it.
            let _ = answer.send(started.map(|child| {
                let id = child.id();
                programs.push(child);
                id
            }));
        }
        // The first process takes all others with it, but it ends only when all of them have been waited for: here, if
        // the caller has not done so.
        let _ = self.first.kill();
        for mut program in programs {
            let _ = program.wait();
        }
        let _ = self.first.wait();
    }
}

/// Starts the first process of the PID namespace of this thread, and waits until it is ready.
fn first_process(user: Option<(u32, u32)>) -> io::Result<Child> {
    let mut first = Command::new("sh");
    // Ctrl-C is for the program in the foreground.
    first.args(["-c", FIRST_PROCESS, "sh"]).stdin(Stdio::null()).stdout(Stdio::piped()).process_group(0);
    if let Some((user, group)) = user {
        // A change of the user cancels the signal at the parent's death (prctl(2)).
        first.args(["setpriv", "--clear-groups", "--pdeathsig", "KILL"]);
        first.args([format!("--reuid={user}"), format!("--regid={group}")]);
    }
    let mut first = start(first)?;
    let mut said = String::new();
    if let Some(stdout) = first.stdout.take() {
        BufReader::new(stdout).read_line(&mut said)?;
    }
    if said.is_empty() {
        let status = first.wait()?;
        return Err(io::Error::other(format!("its first process ended with {status}")));
    }
    Ok(first)
}

fn other(error: &netconfig_rs::Error) -> io::Error {
    io::Error::other(error.to_string())
}

fn command(program: &Program) -> io::Result<Command> {
    let (name, arguments) =
        program.arguments.split_first().ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
    let mut command = Command::new(name);
    command.args(arguments).envs(&program.environment);
    if program.is_helper {
        let errors = File::options().append(true).open("/proc/self/fd/2");
        command.stdin(Stdio::null()).stdout(errors.map_or_else(|_| Stdio::null(), Stdio::from));
        command.process_group(0);
    }
    Ok(command)
}

/// Starts a process that ends when this thread ends.
fn start(mut command: Command) -> io::Result<Child> {
    let die = || Ok(set_parent_process_death_signal(Some(Signal::KILL))?);
    #[expect(unsafe_code, reason = "the only way to give a child a signal at its parent's death")]
    // SAFETY: between fork and exec the function makes one system call, and touches no memory.
    unsafe {
        command.pre_exec(die);
    }
    command.spawn()
}
