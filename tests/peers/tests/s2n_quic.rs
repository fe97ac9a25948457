// SPDX-License-Identifier: MIT OR Apache-2.0
//! Our server with the client of s2n-quic, and our client with its server, over the loopback interface.

#![expect(clippy::unwrap_used, reason = "a test fails by panic")]

use quic::Setup;
use quic_socket::{ALPN, Get, Identity, Observer, Output, Report, Serve, Trust, Url, get, serve};
use s2n_quic::client::Connect;
use s2n_quic::provider::tls::s2n_tls;
use s2n_quic::{Client, Server};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

const MIB: usize = 1 << 20;
const CASES: [(&str, usize); 4] = [("cubic", 1), ("bbr1", 1), ("cubic", 10), ("bbr1", 10)];

/// A folder that is removed at the end, with a certificate and a file of a number of MiB.
struct Folder {
    path: PathBuf,
    content: Vec<u8>,
    certificate: String,
    key: String,
}

impl Folder {
    fn new(name: &str, mib: usize) -> Self {
        let path = std::env::temp_dir().join(format!("bentpipe-{name}-{mib}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        // A sequence without repetition of packets.
        let content: Vec<u8> = (0..mib * MIB / 4).flat_map(|word| (word as u32).to_le_bytes()).collect();
        std::fs::write(path.join("file"), &content).unwrap();
        let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
        let (certificate, key) = (made.cert.pem(), made.signing_key.serialize_pem());
        std::fs::write(path.join("cert.pem"), &certificate).unwrap();
        std::fs::write(path.join("key.pem"), &key).unwrap();
        Self { path, content, certificate, key }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.path);
    }
}

/// Tells where the server listens, and what it reports.
struct Told {
    address: Sender<SocketAddr>,
    reports: Sender<Report>,
}

impl Observer for Told {
    fn stops(&mut self) -> bool {
        false
    }
    fn listening(&mut self, address: SocketAddr) {
        self.address.send(address).unwrap();
    }
    fn closed(&mut self, report: Report) {
        self.reports.send(report).unwrap();
    }
}

fn our_server(folder: &Folder, controller: &str) -> (SocketAddr, Receiver<Report>, thread::JoinHandle<()>) {
    let identity = Identity::read(&folder.path.join("cert.pem"), &folder.path.join("key.pem")).unwrap();
    let options = Serve {
        root: folder.path.clone(),
        listen: ([127, 0, 0, 1], 0).into(),
        identity,
        controller: Setup::new(controller, &[]).unwrap(),
        label: controller.to_owned(),
        qlog: None,
        once: true,
    };
    let ((address, listens), (reports, reported)) = (channel(), channel());
    let server = thread::spawn(move || serve(options, &mut Told { address, reports }).unwrap());
    (listens.recv().unwrap(), reported, server)
}

async fn their_fetch(address: SocketAddr, certificate: &str) -> Vec<u8> {
    let tls = s2n_tls::Client::builder();
    let tls = tls.with_certificate(certificate).unwrap().with_application_protocols([ALPN]).unwrap();
    let client = Client::builder().with_tls(tls.build().unwrap()).unwrap();
    let client = client.with_io("127.0.0.1:0").unwrap().start().unwrap();
    let connect = Connect::new(address).with_server_name("localhost");
    let mut connection = client.connect(connect).await.unwrap();
    let mut stream = connection.open_bidirectional_stream().await.unwrap();
    stream.send("GET /file\r\n".into()).await.unwrap();
    stream.finish().unwrap();
    let mut content = Vec::new();
    while let Some(chunk) = stream.receive().await.unwrap() {
        content.extend_from_slice(&chunk);
    }
    connection.close(0_u32.into());
    let mut client = client;
    client.wait_idle().await.unwrap();
    content
}

#[tokio::test]
async fn their_client_fetches_from_our_server() {
    for (controller, mib) in CASES {
        let folder = Folder::new(&format!("ours-{controller}"), mib);
        let (address, reports, server) = our_server(&folder, controller);
        let content = their_fetch(address, &folder.certificate).await;
        assert!(content == folder.content, "{controller}, {mib} MiB");
        server.join().unwrap();
        let report = reports.recv().unwrap();
        assert_eq!((report.bytes, report.error), ((mib * MIB) as u64, None));
    }
}

/// Serves one file over any number of connections, each with any number of requests.
async fn their_server(mut server: Server, content: Vec<u8>) {
    while let Some(mut connection) = server.accept().await {
        while let Ok(Some(mut stream)) = connection.accept_bidirectional_stream().await {
            let mut request = Vec::new();
            while let Some(chunk) = stream.receive().await.unwrap() {
                request.extend_from_slice(&chunk);
            }
            assert_eq!(request, b"GET /file\r\n");
            stream.send(content.clone().into()).await.unwrap();
            stream.finish().unwrap();
        }
    }
}

#[tokio::test]
async fn our_client_fetches_from_their_server() {
    for (controller, mib) in CASES {
        let folder = Folder::new(&format!("theirs-{controller}"), mib);
        let tls = s2n_tls::Server::builder();
        let tls = tls.with_certificate(folder.certificate.as_str(), folder.key.as_str()).unwrap();
        let tls = tls.with_application_protocols([ALPN]).unwrap();
        let server = Server::builder().with_tls(tls.build().unwrap()).unwrap();
        let server = server.with_io("127.0.0.1:0").unwrap().start().unwrap();
        let port = server.local_addr().unwrap().port();
        let serving = tokio::spawn(their_server(server, folder.content.clone()));
        let url: Url = format!("https://localhost:{port}/file").parse().unwrap();
        let target = folder.path.join("got");
        let options = Get {
            files: vec![(url, Output::File(target.clone()))],
            trust: Trust::Authorities(folder.path.join("cert.pem")),
            controller: Setup::new(controller, &[]).unwrap(),
            label: controller.to_owned(),
            resume: false,
            timeout: Duration::from_mins(30),
            qlog: None,
        };
        let fetched = tokio::task::spawn_blocking(|| get(options, &mut Never).unwrap()).await.unwrap();
        assert_eq!(fetched.failure, None);
        assert_eq!(fetched.reports[0].bytes, (mib * MIB) as u64);
        assert!(std::fs::read(&target).unwrap() == folder.content, "{controller}, {mib} MiB");
        serving.abort();
    }
}

struct Never;

impl Observer for Never {
    fn stops(&mut self) -> bool {
        false
    }
}
