# make lab         JupyterLab on copies of the lessons without solutions; LECTURE=1: on fresh copies
#                  in large type, solutions on buttons; TEACHER=1: on the lessons, to write them
# make playground  the page of lesson 16 alone: data of your own, without code
# make slides      a deck of 45 minutes for each core lesson, in build/slides/
# make site        the lessons as pages in build/site/, which need neither a server nor the net
# make web         the lessons with a Python in the browser, nothing to install: build/web/
# make kit         slides, handouts, solutions, questions, plans and tasks for marks: build/kit/
# make test        everything that is tested each day
# make quick       at most a minute: lint, types, plain forms against fast ones, recorded answers
# make help-all    the other commands, and what can be set
#
# All of them first build their own .venv.
#
## make lint, unit, doctest, notebooks-check, browser   the parts of make test
## make test-long    the tests that take too long for every day
## make processors   oracles and lessons once more, as on another processor
## make test-lowest  unit tests and doctests with the lowest versions that pyproject.toml allows
## make test-next    the same with the newest ones, previews included
## make release-check  wheel and sdist, held to the rules of an index, installed afresh, two lessons
## make bench        the benchmark tables
## make findings     what other tools do, and which of it has changed; NAMES= for some of it
## make notebooks    format, execute, strip the lessons, and check their form
## make student      copies without solutions
## make lecture      fresh copies, solutions on buttons
## make clean        remove what was built, no copy
##
## PYTHON=python3.12 names the Python of .venv; CONSTRAINTS= takes the newest packages, not the
## versions of constraints.txt; LAB_FLAGS=--no-browser goes to JupyterLab and the playground.
## STATES=2000 draws so many states of each explorer of the site (else 600). SEED= sets the numbers
## of the tasks for marks; FROM=ADDRESS of a wheel is what the kit's hosted notebooks install.
## PYODIDE=FOLDER, with the files of Pyodide, puts them into build/web/, for a hall without network;
## WEB=ADDRESS of build/web/ is where pages of the site lead to run a lesson (else: web/ beside it).

PYTHON ?=
LAB_FLAGS ?=
TEACHER ?=
LECTURE ?=
FROM =
SEED =
STATES =
PYODIDE =
WEB =
CONSTRAINTS ?= constraints.txt
VENV := .venv
PY := $(VENV)/bin/python
STAMP := $(VENV)/.ready
CANDIDATES := python3.13 python3.12 python3.11 python3.14 python3
LESSONS := $(PY) tools/lessons.py
PYTEST := $(PY) -m pytest
NEEDS := --editable '.[lab,kit]' --group test
CONSTRAINED := $(if $(CONSTRAINTS),--constraint $(CONSTRAINTS))
FRESH := $(VENV)-wheel/bin/python
LITE := $(VENV)-web/.ready
UNIT := -q -n auto --dist loadfile -p no:nbval --ignore=tests/browser
QUICK := tests/plain tests/tools/test_house.py
DOCTEST := -q --doctest-modules ranktrees ranktrees_engine ranktrees_files ranktrees_lab
# So that a file too large for the playground gets its sentence: what is larger is dropped in silence.
UPLOADS := {"websocket_max_message_size": 209715200}
# Each kernel and each worker would compile the package again.
unexport PYTHONDONTWRITEBYTECODE
AS_ROOT := $(shell [ "$$(id -u)" != 0 ] || echo --allow-root)

.PHONY: help help-all setup lab playground test quick lint unit doctest notebooks-check browser processors \
  test-long test-lowest test-next bench findings release-check notebooks student lecture slides site \
  web kit clean
.NOTPARALLEL:

help:
	@sed -n -e '/^##/q' -e 's/^# \{0,1\}//p' Makefile

help-all:
	@sed -n -e '/^#/!q' -e 's/^##* \{0,1\}//p' Makefile

setup: $(STAMP)

# The stamp holds the folder's name: a .venv that was moved, or whose Python is gone, is set up again.
ifneq "$(shell [ -x $(PY) ] && cat $(STAMP) 2>/dev/null)" "$(CURDIR)"
.PHONY: $(STAMP)
endif

$(STAMP): pyproject.toml $(CONSTRAINTS)
	@for python in $(if $(PYTHON),"$(PYTHON)",$(CANDIDATES)); do \
	  "$$python" -c '' >/dev/null 2>&1 || continue; \
	  exec "$$python" tools/setup.py $(STAMP) "$(CONSTRAINTS)" $(if $(PYTHON),"$(PYTHON)",$(CANDIDATES)); \
	done; \
	echo "make: no Python >= 3.11 among: $(or $(PYTHON),$(CANDIDATES)). Install one, or name it: make PYTHON=/path/to/python3" >&2; exit 1

# Of JupyterLab's settings for type only those of a user take effect: a lecture has its own folder,
# with large type, nothing saved by itself, and a workspace without the bars at the sides.
lab: COPIES := $(if $(LECTURE),lecture,$(if $(TEACHER),,student))
lab: export RANKTREES_LETTERS := $(if $(LECTURE),1.35,1)
lab: STAGE := $(CURDIR)/$(VENV)/lecture
lab: $(or $(if $(LECTURE),lecture),$(if $(TEACHER),$(STAMP)),student)
	$(if $(LECTURE),rm -rf $(VENV)/lecture && mkdir -p $(VENV) && cp -R tools/lecture $(VENV)/lecture)
	$(if $(TEACHER),$(PY) -c 'from ranktrees_lab import student; student.write_sources([student.Path("notebooks")])')
	$(PY) -m jupyterlab $(AS_ROOT) --ServerApp.ip=127.0.0.1 --ServerApp.root_dir=notebooks \
	  --ServerApp.tornado_settings='$(UPLOADS)' \
	  --LabApp.default_url=/$(if $(LECTURE),doc,lab)/tree/$(addsuffix /,$(COPIES))00_ranking.ipynb \
	  $(if $(LECTURE),--LabApp.user_settings_dir='$(STAGE)' --LabApp.workspaces_dir='$(STAGE)/workspaces') \
	  $(LAB_FLAGS)

playground: $(STAMP)
	$(PY) -m voila notebooks/16_playground.ipynb --Voila.config_file_paths=tools/playground $(LAB_FLAGS)

# Browser and lessons wait for others at times: the unit tests take the cores that they leave.
test: lint
	@mkdir -p build && $(MAKE) --no-print-directory -k browser notebooks-check >build/beside.log 2>&1 & \
	beside=$$!; $(MAKE) --no-print-directory unit doctest; here=$$?; \
	wait $$beside; beside=$$?; cat build/beside.log; exit $$((here || beside))

quick: lint
	$(PYTEST) -q -n auto -p no:nbval $(QUICK)

lint: $(STAMP)
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) tools/texts.py
	$(PY) -m basedpyright

unit: $(STAMP)
	$(PYTEST) $(UNIT)

doctest: $(STAMP)
	$(PYTEST) $(DOCTEST)

notebooks-check: $(STAMP)
	$(PYTEST) -q --nbval --nbval-current-env --nbval-cell-timeout=60 notebooks

# Without what the course in a browser needs its tests are skipped, and say so.
browser: $(STAMP)
	-@$(MAKE) --no-print-directory $(LITE)
	$(PYTEST) -q -rs -n 2 --dist loadfile tests/browser

processors: $(STAMP)
	$(PY) tools/processors.py

test-long: $(STAMP)
	$(PYTEST) -q -n auto --dist loadfile -p no:nbval -m long --durations=10

# Without the lessons' stored outputs and the browser, which depend on versions.
test-lowest: RESOLVE := --resolution lowest-direct
test-next: RESOLVE := --prerelease allow
test-lowest test-next: test-%: $(STAMP)
	rm -rf $(VENV)-$* && $(PY) -m venv $(VENV)-$*
	$(VENV)-$*/bin/python -m pip install --disable-pip-version-check --quiet uv
	$(VENV)-$*/bin/uv pip install --python $(VENV)-$* $(RESOLVE) $(NEEDS)
	$(VENV)-$*/bin/python -m pytest $(UNIT)
	$(VENV)-$*/bin/python -m pytest $(DOCTEST)

bench: $(STAMP)
	$(PY) -m benchmarks

findings:
	@$(or $(firstword $(wildcard $(PY))),python3) tools/findings.py $(NAMES)

# pyroma's two tests that ask for an address wait until the project has one.
release-check: $(STAMP)
	rm -rf dist build/release $(VENV)-release $(VENV)-wheel
	$(PY) -m build --no-isolation
	$(PY) -m twine check --strict dist/*
	$(PY) -m venv $(VENV)-release
	$(VENV)-release/bin/python -m pip install --disable-pip-version-check --quiet 'pip>=25.1'
	$(VENV)-release/bin/python -m pip install --disable-pip-version-check --quiet --group release
	$(VENV)-release/bin/check-wheel-contents dist/*.whl
	$(VENV)-release/bin/pyroma --min=10 --skip-tests=AuthorEmail,Url dist/*.tar.gz
	$(PY) -m venv $(VENV)-wheel
	$(FRESH) -m pip install --disable-pip-version-check --quiet $(CONSTRAINED) "$$(echo dist/*.whl)[lab]"
	mkdir -p build/release
	cd build/release && ../../$(FRESH) -m ranktrees lessons --teacher course
	cd build/release && ../../$(FRESH) -m nbconvert --to notebook --execute --output-dir executed \
	  course/00_ranking.ipynb course/08_c44.ipynb

notebooks: $(STAMP)
	$(PY) -m ruff format notebooks
	$(LESSONS) run
	$(LESSONS) check

student: $(STAMP)
	$(PY) -m ranktrees student

lecture: $(STAMP)
	$(PY) -m ranktrees lecture

slides: $(STAMP)
	$(PY) -m tools.slides

kit: slides
	$(PY) -m tools.kit $(if $(FROM),--from '$(FROM)') $(if $(SEED),--seed '$(SEED)')

site: $(STAMP)
	$(PY) -m tools.site $(if $(STATES),--states '$(STATES)') $(if $(WEB),--web '$(WEB)')

web: $(LITE)
	$(PY) -m tools.web.lite $(if $(PYODIDE),--pyodide '$(PYODIDE)')

$(LITE): pyproject.toml $(CONSTRAINTS) $(STAMP)
	rm -rf $(VENV)-web && $(PY) -m venv $(VENV)-web
	$(VENV)-web/bin/python -m pip install --disable-pip-version-check --quiet 'pip>=25.1'
	$(VENV)-web/bin/python -m pip install --disable-pip-version-check --quiet $(CONSTRAINED) --group web
	touch $@

clean:
	rm -rf $(VENV) $(VENV)-lowest $(VENV)-next $(VENV)-release $(VENV)-wheel $(VENV)-web build dist .pytest_cache .ruff_cache .hypothesis
