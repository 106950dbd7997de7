# Everything the project does. `make help` lists the targets.

VENV ?= .venv
JOBS ?= 2
FUZZ_COUNT ?= 1000000
FUZZ_EXAMPLES ?= 10000

BIN := $(VENV)/bin
STAMPS := $(VENV)/stamps
# Tools of the environment (cmake and ninja too, if the machine has none) come first.
export VENV JOBS
export PATH := $(abspath $(BIN)):$(PATH)

# Folders are listed as well: their times change when a file is added or removed.
SOURCES := pyproject.toml CMakeLists.txt LICENSE README.md \
    $(shell find core bindings src -name __pycache__ -prune -o ! -name '*.so' -print)
CPP_TESTS := $(shell find tests/core)
CPP_FILES := $(shell find core bindings tests/core -name '*.hpp' -o -name '*.cpp')

CLANG_TIDY := clang-tidy==23.1.4

PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check
# The environment has the build tools, so building needs no second, hidden environment
# and its build folder can be used again: only what changed is compiled.
INSTALL := $(PIP) install --no-build-isolation --no-deps
STRICT := --config-settings=build-dir=build/test \
    --config-settings=cmake.define.TANOAK_STRICT=ON \
    --config-settings=cmake.define.TANOAK_TESTS=ON

.DEFAULT_GOAL := help
.NOTPARALLEL:
.DELETE_ON_ERROR:
.PHONY: help demo test lint types imports test-core test-python dev tidy stubs format \
    sanitize sanitize-core sanitize-python fuzz bench clean

help:  ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-16s %s\n", $$1, $$2 }' Makefile

demo: $(STAMPS)/installed  ## set up, build, install, run the demonstration
	@$(BIN)/python -m tanoak.demo

test: $(STAMPS)/strict  ## all that must pass before a change lands
	@scripts/system_packages.sh install
	@$(MAKE) --no-print-directory --keep-going lint types imports test-core test-python
	@scripts/system_packages.sh report

lint: $(STAMPS)/test  ## ruff, clang-format and codespell
	@echo "== lint"
	@ruff check --quiet .
	@ruff format --quiet --diff .
	@clang-format --dry-run -Werror $(CPP_FILES)
	@codespell

types: $(STAMPS)/test  ## mypy, strict, on src
	@echo "== types"
	@mypy --no-error-summary

imports: $(STAMPS)/test  ## the import contract of the package
	@echo "== imports"
	@mkdir -p build
	@PYTHONPATH=src lint-imports > build/imports.log || { cat build/imports.log; exit 1; }

test-core: $(STAMPS)/strict  ## the C++ tests
	@echo "== C++ tests"
	@cmake --build build/test -j $(JOBS) > build/test.log || { cat build/test.log; exit 1; }
	@ctest --test-dir build/test --output-on-failure -j $(JOBS) > build/test.log \
	    || { cat build/test.log; exit 1; }
	@tail -n 4 build/test.log | grep 'tests passed'

test-python: $(STAMPS)/strict  ## the Python tests, and every example in a docstring
	@echo "== Python tests"
	@TANOAK_LEFT_OUT="$$(scripts/system_packages.sh missing)" \
	    pytest -q -n $(JOBS) --pyargs ./tests tanoak

dev: $(STAMPS)/test  ## install editable: an import rebuilds what changed
	@rm -f $(STAMPS)/installed $(STAMPS)/strict
	@$(INSTALL) --config-settings=build-dir=build/dev \
	    --config-settings=editable.rebuild=true \
	    --config-settings=editable.verbose=false --editable .
	@echo "tanoak is installed editable; run pytest, or start $(BIN)/python"

tidy: $(STAMPS)/strict  ## clang-tidy on the core (a large download, once)
	@$(PIP) install $(CLANG_TIDY)
	@# The compiler's warnings are gcc's matter; some of clang's are about its library.
	@clang-tidy --quiet -p build/test --warnings-as-errors='*' --extra-arg=-w \
	    $(filter core/%.cpp, $(CPP_FILES))

stubs: $(STAMPS)/strict  ## write src/tanoak/_core.pyi anew from the compiled core
	@$(BIN)/python -m nanobind.stubgen -q -m tanoak._core -o src/tanoak/_core.pyi

format: $(STAMPS)/test  ## let ruff and clang-format rewrite the sources
	@ruff check --quiet --fix-only .
	@ruff format --quiet .
	@clang-format -i $(CPP_FILES)

sanitize: sanitize-core sanitize-python  ## core and its tests under the sanitizers

sanitize-core: $(STAMPS)/test  ## C++ tests: address + undefined behaviour, then threads
	@scripts/sanitize.sh core address
	@scripts/sanitize.sh core thread

sanitize-python: $(STAMPS)/test  ## Python tests of the core: address + undefined behaviour
	@scripts/sanitize.sh python address

fuzz: $(STAMPS)/strict  ## damaged tree files by the million, drawn trees by ten thousand
	@$(BIN)/python tests/fuzz_format.py --count $(FUZZ_COUNT)
	@TANOAK_EXAMPLES=$(FUZZ_EXAMPLES) pytest -q -n $(JOBS) tests/test_grow_properties.py

bench: $(STAMPS)/strict  ## side by side with scikit-learn
	@for question in grow greedy predict solve_oblique tao; do echo "== $$question"; \
	    $(BIN)/python benchmarks/compare/$$question.py || exit 1; done

clean:  ## remove what was built; the environment stays
	@rm -rf build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	@rm -f $(STAMPS)/installed $(STAMPS)/strict
	@find src tests benchmarks scripts -name __pycache__ -prune -exec rm -rf {} +

$(STAMPS)/run: pyproject.toml scripts/environment.sh scripts/requirements.py
	@scripts/environment.sh $(VENV)
	@mkdir -p $(@D) && touch $@

$(STAMPS)/test: pyproject.toml scripts/environment.sh scripts/requirements.py
	@scripts/environment.sh $(VENV) test dev
	@mkdir -p $(@D) && touch $(STAMPS)/run $@

$(STAMPS)/installed: $(SOURCES) | $(STAMPS)/run
	@echo "== build and install"
	@$(INSTALL) --config-settings=build-dir=build/demo .
	@rm -f $(STAMPS)/strict && touch $@

$(STAMPS)/strict: $(SOURCES) $(CPP_TESTS) | $(STAMPS)/test
	@echo "== build, warnings are errors"
	@$(INSTALL) $(STRICT) .
	@touch $(STAMPS)/installed $@
