// SPDX-License-Identifier: MIT OR Apache-2.0
//! Endpoints of connections that proxies split.

use hosts::TcpSink;
use plan::Part;

/// Creates the receiver state at the end of a part.
pub(crate) fn receiver(config: &tcp::Config, part: Option<&Part>) -> tcp::Receiver {
    let receiver = tcp::Receiver::new(config);
    match part.and_then(|part| part.proxy) {
        Some(proxy) => receiver.relaying(proxy.buffer),
        None => receiver,
    }
}

/// Creates the endpoint that receives a part.
pub(crate) fn sink(config: &tcp::Config, part: Option<&Part>, transfer: tcp::Transfer) -> TcpSink {
    let mut sink = TcpSink::new(receiver(config, part), config);
    if let (Some(Part { proxy: None, .. }), tcp::Transfer::Finite(bytes)) = (part, transfer) {
        sink.expects(bytes);
    }
    sink
}
