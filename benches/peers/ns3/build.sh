#!/bin/sh
# SPDX-License-Identifier: MIT OR Apache-2.0
# Builds the ns-3 peer, if ns-3 is there: build.sh [OUTPUT]   (default: target/peers/ns3-peer at the top of the tree)
# NS3_BUILD names the build in the results (default: what pkg-config finds); PKG_CONFIG_PATH points to another one.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
output=${1:-$here/../../../target/peers/ns3-peer}
modules='ns3-core ns3-network ns3-internet ns3-point-to-point ns3-applications ns3-traffic-control'

if ! command -v pkg-config >/dev/null || ! pkg-config --exists $modules; then
    echo "skipped: ns-3 is not installed (Debian, Ubuntu: apt-get install libns3-dev pkg-config)"
    exit 0
fi
version=$(pkg-config --modversion ns3-core)
mkdir -p "$(dirname "$output")"
# Without the libraries that ns-3 itself leans on (gsl, sqlite): their development packages need not be there.
libraries=$(pkg-config --libs $modules | tr ' ' '\n' | grep '^-')
${CXX:-g++} -std=c++17 -O2 -Wall -Wextra -DNS3_VERSION="\"$version\"" -DNS3_BUILD="\"${NS3_BUILD:-packaged}\"" \
    $(pkg-config --cflags $modules) "$here/main.cc" -o "$output" -Wl,--as-needed $libraries
echo "built: $output (ns-3 $version)"
