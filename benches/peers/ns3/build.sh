#!/bin/sh
# SPDX-License-Identifier: MIT OR Apache-2.0
# Builds the ns-3 peer, if an ns-3 can be had: build.sh [OUTPUT]   (default: target/peers/ns3-peer at the top of the tree)
#   NS3=wheel   the one below from PyPI, an optimised build with headers; pip fetches it (69 MB) beside OUTPUT. The default
#   NS3=system  what pkg-config finds, as Debian's libns3-dev (3.37 in Debian 12) or a build of one's own in PKG_CONFIG_PATH
# Where the wheel cannot be had, the system's is taken. NS3_BUILD names the build in the results.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
output=${1:-$here/../../../target/peers/ns3-peer}
python=${PYTHON:-$here/../../../.venv/bin/python}
command -v "$python" >/dev/null || python=python3
# The newest on PyPI (2026-11); any Python's pip can fetch the one for 3.11, of which only the C++ is used.
wheel_version=3.44
wheel_pin="ns3==3.44.post0 --hash=sha256:2a98479a4a3a1bb819b95ce061871a9d068268b42351b8f0ef598160939ba7ce"
names='core network internet point-to-point applications traffic-control'
mkdir -p "$(dirname "$output")"

fetch_wheel() {
    root=$(cd "$(dirname "$output")" && pwd)/ns3-$wheel_version
    [ -e "$root/ns3/include/ns3/core-module.h" ] && return 0
    mkdir -p "$root"
    echo "$wheel_pin" >"$root/requirements.txt"
    "$python" -m pip download -q --no-deps --only-binary=:all: --implementation cp --python-version 3.11 \
        --platform manylinux_2_28_x86_64 --require-hashes -r "$root/requirements.txt" -d "$root" &&
        "$python" -m zipfile -e "$root"/ns3-*.whl "$root" && rm "$root"/ns3-*.whl
}

build() { # VERSION BUILD FLAGS...
    version=$1 build=$2
    shift 2
    ${CXX:-g++} -O2 -Wall -Wextra -DNS3_VERSION="\"$version\"" -DNS3_BUILD="\"${NS3_BUILD:-$build}\"" \
        "$here/main.cc" -o "$output" -Wl,--as-needed "$@"
    echo "built: $output (ns-3 $version, ${NS3_BUILD:-$build})"
}

if [ "${NS3:-wheel}" = wheel ]; then
    if fetch_wheel; then
        libraries=$(for name in $names; do echo "-l:libns$wheel_version-$name.so"; done)
        # shellcheck disable=SC2086
        build "$wheel_version" wheel -std=c++20 -isystem "$root/ns3/include" -L"$root/ns3/lib64" \
            -Wl,-rpath,"$root/ns3/lib64" $libraries
        exit 0
    fi
    echo "note: no wheel of ns-3 $wheel_version for this machine or no network; trying the system's" >&2
fi
modules=$(for name in $names; do echo "ns3-$name"; done)
# shellcheck disable=SC2086
if ! command -v pkg-config >/dev/null || ! pkg-config --exists $modules; then
    echo "skipped: ns-3 is not there (needs PyPI, or on Debian, Ubuntu: apt-get install libns3-dev pkg-config)"
    exit 0
fi
# Without the libraries that ns-3 itself leans on (gsl, sqlite): their development packages need not be there.
# shellcheck disable=SC2046,SC2086
build "$(pkg-config --modversion ns3-core)" packaged -std=c++17 $(pkg-config --cflags $modules) \
    $(pkg-config --libs $modules | tr ' ' '\n' | grep '^-')
