# make lab         JupyterLab on the first lesson  make test       everything that is tested
# make bench       the benchmark tables            make notebooks  format, execute, strip the lessons
# make student     copies without solutions        make clean      remove what was built here
# make processors  oracles and lessons once more, as on another processor
# make test-long   the tests that take too long for every day
#
# All of them first build their own .venv. PYTHON=python3.12 names its Python when it is built;
# LAB_FLAGS=--no-browser goes to JupyterLab.

PYTHON ?=
LAB_FLAGS ?=
VENV := .venv
PY := $(VENV)/bin/python
STAMP := $(VENV)/.ready
CANDIDATES := python3.13 python3.12 python3.11 python3.14 python3
LESSONS := $(PY) tools/lessons.py
PYTEST := $(PY) -m pytest
SETTINGS := $(VENV)/share/jupyter/lab/settings
NO_NEWS := {"@jupyterlab/apputils-extension:notification": {"fetchNews": "false"}}
AS_ROOT := $(shell [ "$$(id -u)" != 0 ] || echo --allow-root)

.PHONY: help setup lab test lint unit doctest notebooks-check browser processors test-long bench \
  notebooks student clean
.NOTPARALLEL:

help:
	@sed -n -e 's/^# //' -e '/^make /p' -e '/^All /p' -e '/^LAB_FLAGS=/p' Makefile

setup: $(STAMP)

# The stamp holds the folder's name: a .venv that was moved, or whose Python is gone, is set up anew.
ifneq "$(shell [ -x $(PY) ] && cat $(STAMP) 2>/dev/null)" "$(CURDIR)"
.PHONY: $(STAMP)
endif

$(STAMP): pyproject.toml
	@found=; bare=; \
	for python in $(if $(PYTHON),"$(PYTHON)",$(CANDIDATES)); do \
	  "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 || continue; \
	  if "$$python" -c 'import venv, ensurepip' >/dev/null 2>&1; then found=$$python; break; fi; \
	  bare=$${bare:-$$python}; \
	done; \
	if [ -z "$$found" ] && [ -n "$$bare" ]; then \
	  echo "make: $$bare cannot make a virtual environment: install venv (Debian, Ubuntu: apt install python3-venv)." >&2; exit 1; \
	elif [ -z "$$found" ]; then \
	  echo "make: no Python >= 3.11 among: $(or $(PYTHON),$(CANDIDATES)). Install one, or name it: make PYTHON=/path/to/python3" >&2; exit 1; \
	fi; \
	rm -f $(STAMP); \
	if [ -n "$(PYTHON)" ] || ! $(PY) -c 'import sys, pip; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then \
	  echo "Making $(VENV) with $$found"; "$$found" -m venv --clear $(VENV) || exit 1; \
	fi; \
	echo "Installing the packages into $(VENV) (once; a few minutes)"; \
	$(PY) -m pip install --disable-pip-version-check --quiet --editable '.[lab,test]' || exit 1; \
	mkdir -p $(SETTINGS) && printf '%s\n' '$(NO_NEWS)' > $(SETTINGS)/overrides.json || exit 1; \
	printf '%s\n' "$(CURDIR)" > $(STAMP)

lab: $(STAMP)
	$(PY) -m jupyterlab $(AS_ROOT) --ServerApp.ip=127.0.0.1 --ServerApp.root_dir=notebooks \
	  --LabApp.default_url=/lab/tree/00_ranking.ipynb $(LAB_FLAGS)

test: lint unit doctest notebooks-check browser

lint: $(STAMP)
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .

unit: $(STAMP)
	$(PYTEST) -q -n auto --dist loadfile -p no:nbval --ignore=tests/test_browser.py

doctest: $(STAMP)
	$(PYTEST) -q --doctest-modules ranktrees

notebooks-check: $(STAMP)
	$(PYTEST) -q --nbval --nbval-current-env --nbval-cell-timeout=60 notebooks

browser: $(STAMP)
	$(PYTEST) -q -rs tests/test_browser.py

processors: $(STAMP)
	$(PY) tools/processors.py

test-long: $(STAMP)
	$(PYTEST) -q -n auto -p no:nbval -m long --durations=10

bench: $(STAMP)
	$(PY) -m benchmarks

notebooks: $(STAMP)
	$(PY) -m ruff format notebooks
	$(LESSONS) run
	$(LESSONS) check

student: $(STAMP)
	$(PY) -m ranktrees student

clean:
	rm -rf $(VENV) build dist notebooks/student .pytest_cache .ruff_cache .hypothesis
