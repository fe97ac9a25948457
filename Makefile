# SPDX-License-Identifier: MIT OR Apache-2.0
# The one list of commands. `make help` prints it; CI calls `test-tools`, `setup`, `lint` and `test` and nothing else.
SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
OUT ?= out/demo
export MPLBACKEND := Agg
# Notes how long a command takes where BENTPIPE_TIMES names a file, as .ci/run does.
timed = $(if $(BENTPIPE_TIMES),$(PYTHON) tools/timed.py $(1))

PYTHON_SOURCES := python papers tests tools benches
RUST_SOURCES := Cargo.toml Cargo.lock $(shell find crates data -not -path 'data/*/*' -type f \( -name '*.rs' -o -name '*.toml' -o -name '*.csv' -o -name '*.tle' \) 2>/dev/null) $(wildcard data/presets/*.toml)
# Whether this machine can build bentpipe-kernel, which nothing else needs.
can_build_kernel = printf "\#include <libelf.h>\n\#include <zlib.h>\n" | clang -E - >/dev/null 2>&1
kernel_features = $(shell if $(can_build_kernel); then echo --features bentpipe-kernel/bpf; fi)

.PHONY: help setup demo kernel test-tools test nightly storms flips fuzz fuzz-coverage consistency lint page wheel bench docs site starlink presets league papers emulator-agree kernel-agree emulator-bench emulator-soak linux-comparison linux-traces ns2-traces lock clean

help: ## this list
	@grep -hE '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 18

setup: ## virtual environment in .venv and the native build (the other commands do it themselves)
	@# Packages for tests and lint come while the compiler works.
	@$(MAKE) --no-print-directory -j2 $(VENV)/.native $(VENV)/.packages

demo: $(VENV)/.native ## the question of the day: Hybla against Hybla-IM over Iridium, with report and picture
	@$(BIN)/bentpipe demo --out "$(OUT)"

kernel: $(VENV)/.native ## bentpipe-kernel, for bentpipe kernel: controllers in the running kernel (needs clang, libelf-dev, zlib1g-dev)
	@$(can_build_kernel) || { echo "error: clang, libelf.h or zlib.h is missing; on Debian: apt-get install clang libelf-dev zlib1g-dev" >&2; exit 2; }
	@# With the extension module, both need the same features of the libraries, which are then compiled once.
	$(call timed,kernel) cargo build --locked -p bentpipe-python -p bentpipe-kernel --features bentpipe-kernel/bpf --bin bentpipe-kernel
	@install -m 755 $(or $(CARGO_TARGET_DIR),target)/debug/bentpipe-kernel $(BIN)/bentpipe-kernel

test-tools: ## install what tests need beyond `make setup` (Debian, as root): browser, tshark, ns-2, QEMU and kernels
	@$(call timed,test-tools) $(PYTHON) tools/test_tools.py

test: setup ## all tests: Rust, then Python
	@if $(can_build_kernel); then $(MAKE) --no-print-directory kernel; fi
	$(call timed,tests-rust-build) cargo test --locked --no-run
	$(call timed,tests-rust) cargo test --locked
	@# QUIC libraries that only tests need, in one build.
	$(call timed,tests-quic) cargo test --locked -p bentpipe-quic-peers -p bentpipe-quic --features bentpipe-quic/s2n,bentpipe-quic/test-quinn --test s2n_quic --test quinn --test s2n
	@# Tests start hundreds of processes: without bytecode a Dask worker takes 8 s of CPU time to import what it needs, with it 2.
	PYTHONDONTWRITEBYTECODE= PYTHONPYCACHEPREFIX=$(CURDIR)/$(VENV)/.bytecode $(call timed,tests-python) $(BIN)/python -m pytest -n auto --dist worksteal
	@echo "make test: all passed (what was skipped is listed above, under 'skipped')"

nightly: setup ## recoveries of every controller in 2,420 runs, and 100 MB over QUIC with every controller: ten CPU minutes
	PYTHONPATH=tests/support $(BIN)/python tests/long/recoveries.py
	$(BIN)/python tests/long/quic_transfers.py

storms: setup ## kill -9 at random moments while runs, comparisons, reproductions and sweeps are written: 250 each, some minutes
	PYTHONPATH=tests/support $(BIN)/python tests/long/storms.py $(or $(KILLS),250)

flips: setup ## bytes flipped in stores, run folders and sweeps, each then read: 1,000, a quarter of an hour (FLIPS=100)
	MPLBACKEND=Agg PYTHONPATH=tests/support $(BIN)/python tests/long/flips.py $(or $(FLIPS),1000)

fuzz: setup ## changed files read and random scenarios run for an hour on one core (ARGUMENTS="--minutes 600 --cores 2 --seed 7")
	PYTHONPATH=tests/long:tests/support $(BIN)/python -m fuzz $(ARGUMENTS)

fuzz-coverage: setup ## AFL++ and Atheris on each reader for 20 minutes; installs them (ARGUMENTS="--minutes 1 --target tables")
	PYTHONPATH=tests/long:tests/support $(BIN)/python tests/long/fuzz_coverage.py $(ARGUMENTS)

consistency: setup ## 5,000 random scenarios of which every number of the summary is computed again from the tables
	PYTHONPATH=tests/long:tests/support $(BIN)/python -m fuzz --targets numbers --cases 5000 --minutes 600 --seed 43 $(ARGUMENTS)

lint: setup ## formatting, clippy, ruff, strict types, licences; warnings are errors
	$(call timed,lint-fmt) cargo fmt --all --check
	@# Without clang, the program that talks to the kernel is left out.
	$(call timed,lint-clippy) cargo clippy --locked --workspace --all-targets $(kernel_features) -- -D warnings
	$(call timed,lint-ruff) $(BIN)/ruff check $(PYTHON_SOURCES)
	$(call timed,lint-ruff-format) $(BIN)/ruff format --check $(PYTHON_SOURCES)
	$(call timed,lint-mypy) $(BIN)/mypy
	$(call timed,lint-licences) $(BIN)/python tools/licences.py
	@echo "make lint: clean"

page: web/node_modules/.package-lock.json ## build the viewer's page from web/ into the package, after its lint and tests (for maintainers; needs Node)
	cd web && npm run lint && npm test && npm run build

wheel: $(VENV)/.running ## a wheel for others in target/wheels, fat LTO, profile-guided (a quarter of an hour); needs no toolchain where it is installed
	rustup component add llvm-tools
	rm -rf target/wheels
	$(BIN)/maturin build --release --locked --pgo --out target/wheels
	@ls -l target/wheels

bench: setup wheel ## all benchmarks, an hour on an idle machine, half of it for the builds; writes the tables of benches/README.md and DESIGN.md (PARTS="flows memory")
	benches/native/build.sh
	benches/peers/ns3/build.sh target/peers/ns3-peer
	@# Parts that call Bentpipe from Python measure the library of the wheel. The next change of Rust code brings the build for work back.
	$(BIN)/python -m zipfile -e target/wheels/*.whl target/wheels/content
	mv target/wheels/content/bentpipe/_core.abi3.so python/bentpipe/
	$(BIN)/python benches/measure.py $(PARTS)

docs: setup ## write docs/reference, the scenario classes and the types of JSON from the code; run every example of the guide
	PYTHONPATH=tools $(BIN)/python -m doc_pages.reference docs/reference
	$(BIN)/python -m pytest -q tests/project/test_docs.py

site: setup ## the website from README, docs and docstrings, for any web server or none; writes target/site
	$(BIN)/sphinx-build -W -q -j auto -c tools/site . target/site
	@echo "make site: open target/site/index.html"

starlink: setup ## what the paths over Starlink owe to what nobody measured; writes the tables of docs/starlink.md
	PYTHONPATH=tools $(BIN)/python -m doc_pages.starlink docs/starlink.md

presets: setup ## the networks by name beside what was measured over the real ones; writes docs/presets.md (some minutes)
	PYTHONPATH=tools $(BIN)/python -m doc_pages.presets docs/presets.md

league: setup ## every controller over the suite and each against each, a quarter of an hour on two cores; writes docs/league.md and its pictures
	$(BIN)/bentpipe league --out out/league --markdown docs/league.md --pictures docs/img || [ $$? = 1 ] # 1: some runs failed, and the page says so

# With a release build: the build for work and tests takes 1.7 times as long here. The next change of Rust code brings that one back.
papers: setup ## the five papers measured again with 10 to 100 seeds; writes docs/papers.md, README's sentences and the pictures
	@$(BIN)/python tools/build_extension.py $(VENV) --release
	$(BIN)/bentpipe reproduce all --out report --markdown docs/papers.md
	$(BIN)/python -m bentpipe_papers.front report README.md docs/img/papers.png

emulator-agree: $(VENV)/.native ## the emulator with this machine's TCP beside the simulator, as root, on an idle machine; three hours (RUNS=1: 40 minutes); writes docs/emulator-agreement.md
	@$(BIN)/python tools/build_extension.py $(VENV) --release
	PYTHONPATH=tools $(BIN)/python -m doc_pages.agreement docs/emulator-agreement.md $(or $(RUNS),5) 1

kernel-agree: kernel ## each controller of bpf/ and the kernel's cubic, bbr and reno beside the simulator, as root, on an idle machine; eight hours (RUNS=1 JOBS=3: 40 minutes); writes docs/kernel-agreement.md
	@$(BIN)/python tools/build_extension.py $(VENV) --release
	PYTHONPATH=tools $(BIN)/python -m doc_pages.agreement docs/kernel-agreement.md $(or $(RUNS),5) $(or $(JOBS),1)

emulator-bench: $(VENV)/.native ## delay, lateness and rate of the emulator, as root, on an idle machine; five rounds, six minutes
	$(BIN)/python benches/emulator.py

emulator-soak: $(VENV)/.native ## 1,000 starts of the emulator and an hour of traffic: nothing stays, memory does not grow; as root
	PYTHONPATH=tests/support $(BIN)/python tests/long/emulator_starts.py tests/long/emulator.toml $(or $(STARTS),1000)
	PYTHONPATH=tests/support $(BIN)/python tests/long/emulator_soak.py tests/long/emulator.toml $(or $(SECONDS_OF_TRAFFIC),3600)

linux-comparison: setup ## the simulator beside the traces of Linux; writes docs/linux-comparison.md and its pictures
	$(BIN)/bentpipe validate linux --markdown docs/linux-comparison.md --pictures docs/img || [ $$? = 1 ] # 1: some numbers are outside, and the page lists them

ns2-traces: $(VENV)/.packages ## run ns-2 over data/oracles/cases.toml into data/ns2 (for maintainers; needs the package ns2)
	$(BIN)/python tools/ns2_traces

linux-traces: $(VENV)/.packages ## run Linux's own TCP in virtual time into data/linux (for maintainers; QEMU, hours; goes on where it stopped)
	$(BIN)/python tools/linux_traces $(ARGUMENTS)

lock: $(VENV)/.running ## compile requirements/dev.txt and run.txt again (for maintainers; needs the network)
	$(BIN)/python -m pip install -q uv
	$(BIN)/uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-header requirements/dev.in -o requirements/dev.txt
	$(BIN)/uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-header -c requirements/dev.txt requirements/run.in -o requirements/run.txt
	@echo "make lock: now make setup, and $(BIN)/python tools/licences.py --write"

clean: ## remove everything that was built
	rm -rf target $(VENV) build out runs .mypy_cache .ruff_cache .pytest_cache
	rm -f python/bentpipe/*.so

# ---- how they stand on each other ------------------------------------------------------------------------------

# The build, the package and its demo.
$(VENV)/.running: requirements/run.txt papers/pyproject.toml
	@command -v cargo >/dev/null || { echo "error: no Rust toolchain (cargo); see https://rustup.rs, or: apt-get install rustup" >&2; exit 2; }
	@command -v cc >/dev/null || { echo "error: no C compiler (cc); on Debian: apt-get install gcc libc6-dev" >&2; exit 2; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "error: Python 3.11 or later is needed; choose one: make PYTHON=python3.12 ..." >&2; exit 2; }
	@$(PYTHON) -c 'import ensurepip' || { echo "error: Python's venv module is missing; on Debian: apt-get install python3-venv" >&2; exit 2; }
	@echo "setup: Python packages into $(VENV): $$(grep -c == requirements/run.txt), pinned" >&2
	@$(PYTHON) -m venv $(VENV)
	@$(call timed,setup-pip-run) $(BIN)/python -m pip install -qq --no-compile --disable-pip-version-check --require-hashes -r requirements/run.txt
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --no-deps --no-build-isolation -e papers
	@touch $@

# Tests and lint.
$(VENV)/.packages: $(VENV)/.running requirements/dev.txt
	@echo "setup: more of them for tests and lint: $$(grep -c == requirements/dev.txt) in all" >&2
	@$(call timed,setup-pip-dev) $(BIN)/python -m pip install -qq --no-compile --disable-pip-version-check --require-hashes -r requirements/dev.txt
	@touch $@

$(VENV)/.native: $(VENV)/.running pyproject.toml $(RUST_SOURCES)
	@$(call timed,setup-native) $(BIN)/python tools/build_extension.py $(VENV)
	@touch $@

web/node_modules/.package-lock.json: web/package-lock.json
	@command -v npm >/dev/null || { echo "error: no Node with npm; on Debian: apt-get install nodejs npm" >&2; exit 2; }
	cd web && npm ci --no-audit --no-fund --ignore-scripts
	@touch $@
