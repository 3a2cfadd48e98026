# Inside the Batch. `make help` lists what can be done.
#
# Needed: Python 3.11 or later, git, make. Everything else is fetched into this folder, pinned.

SHELL := /bin/sh
.DEFAULT_GOAL := help
HOST ?= 127.0.0.1
PORT ?= 8000

# The first Python that is new enough; a name that can't be run, or is too old, is passed over.
ifndef PYTHON
PYTHON := $(shell for name in .venv/bin/python python3.14 python3.13 python3.12 python3.11 python3 python; do \
	"$$name" -c 'import sys, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo "$$name" && break; \
	done)
endif
KIT := .venv/bin/python -m coursekit

.PHONY: help
help: ## list the targets
	@echo "make TARGET, one of:"
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/  \1\t\2/p' Makefile | expand -t 14

.PHONY: env
env: ## make or update the environment: .venv, Node, npm packages
	@test -n '$(PYTHON)' || { echo "Python 3.11 or later, able to make environments, is needed and none is on the PATH."; \
		echo "Install one (Debian, Ubuntu: python3 and python3-venv), or name one: make PYTHON=/path/to/python3"; exit 1; }
	@'$(PYTHON)' site-build/bootstrap.py

.PHONY: build
build: env ## build the site into build/site, for any static host
	@$(KIT) build

.PHONY: serve
serve: env ## build what changed and serve the site (HOST=127.0.0.1 PORT=8000)
	@$(KIT) serve --host '$(HOST)' --port '$(PORT)'

.PHONY: author
author: env ## preview for authors: pages reload as lessons, checks and modules are saved
	@$(KIT) author --host '$(HOST)' --port '$(PORT)'

.PHONY: test
test: env ## run every check and every test, browsers included
	@$(KIT) test

.PHONY: test-long
test-long: build ## run the tests that take minutes: random operations, and every variant in a browser
	@.venv/bin/python -m pytest -q -m long

WITH_VLLM = vllm="$${VLLM_PYTHON:-$$(.venv/bin/python tests/live/set_up_vllm.py)}" && \
	"$$vllm" -c 'import importlib.util as known, sys; sys.exit(not known.find_spec("vllm"))' || \
	{ echo "No Python with vLLM 0.32.0: name one with VLLM_PYTHON=/path/to/python"; exit 1; }; \
	VLLM_PYTHON="$$vllm" PYTHONPATH=.

.PHONY: test-live
test-live: env ## try the live link on a real vLLM, on this processor (VLLM_PYTHON=... to use one that is there)
	@$(WITH_VLLM) BURST_SECONDS=60 .venv/bin/python -m pytest -q -s tests/live/test_real.py tests/live/test_burst.py

.PHONY: recordings
recordings: env ## make the shipped recordings anew, with the live link and a real vLLM
	@$(WITH_VLLM) .venv/bin/python tests/live/make_recordings.py

.PHONY: prediction
prediction: env ## record one server's runs anew, predict from one to the others, and write the table
	@$(WITH_VLLM) .venv/bin/python tests/live/make_prediction.py

.PHONY: check
check: env ## check style, types, import contracts, modules and lessons
	@$(KIT) standards

.PHONY: bench
bench: env ## measure how fast the scheduler decides and the simulator runs (OPTIONS=--million for memory)
	@$(KIT) bench $(OPTIONS)

.PHONY: bench-web
bench-web: env ## measure how long a student waits for Python and for a trace (OPTIONS=--only-player)
	@$(KIT) bench-web $(OPTIONS)

.PHONY: clean
clean: ## remove everything that was built (the environment stays)
	rm -rf build

.PHONY: lock
lock: env ## pin anew, after a change to requirements.in or package.json
	@$(KIT) lock
