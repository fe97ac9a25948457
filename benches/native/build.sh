#!/usr/bin/env bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# Builds the programs of this folder into target/optimised, with profile-guided optimisation, as `make wheel` builds the
# package: an instrumented build counts which code the workload runs, and a second build uses the counts.
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=$PWD/target/optimised
host=$(rustc -vV | sed -n 's/^host: //p')
merge=$(rustc --print sysroot)/lib/rustlib/$host/bin/llvm-profdata
[ -x "$merge" ] || { echo "error: $merge does not exist (run: rustup component add llvm-tools)" >&2; exit 2; }
build() { # Without --target, the flags would also apply to build scripts.
    RUSTFLAGS=$1 cargo build --release --locked -p bentpipe-benches --bins --target "$host" --target-dir "$folder/build"
}
built=$folder/build/$host/release
rm -rf "$folder/counts"
build "-Cprofile-generate=$folder/counts"
.venv/bin/python tools/train.py "$built/scenario_bench"
"$built/survey_bench" starlink-550 50 300 1000 1 >/dev/null
"$merge" merge -o "$folder/counts.profdata" "$folder/counts"
build "-Cprofile-use=$folder/counts.profdata"
cp "$built/scenario_bench" "$built/survey_bench" "$folder/"
