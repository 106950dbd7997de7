#!/bin/sh
# Runs tests under a sanitizer: scripts/sanitize.sh core|python address|thread
# address also finds undefined behaviour. Any finding fails the run.
set -eu
part=$1
kind=$2
folder=build/sanitize-$part-$kind
jobs=${JOBS:-2}
venv=${VENV:-.venv}

export ASAN_OPTIONS=abort_on_error=0:strict_string_checks=1:detect_stack_use_after_return=1
export UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1
export TSAN_OPTIONS=halt_on_error=1:second_deadlock_stack=1

quietly() { "$@" >"$folder.log" 2>&1 || { cat "$folder.log" && exit 1; }; }

core() {
    quietly cmake -S . -B "$folder" -G Ninja -DTANOAK_PYTHON=OFF -DTANOAK_TESTS=ON \
        -DTANOAK_STRICT=ON -DTANOAK_SANITIZE="$kind"
    quietly cmake --build "$folder" -j "$jobs"
    ctest --test-dir "$folder" --output-on-failure -j "$jobs"
}

# The interpreter itself is not instrumented, so the sanitizer's library must be loaded
# before it, and what the interpreter never frees is no finding (detect_leaks=0).
python() {
    quietly "$venv/bin/python" -m pip --quiet install --no-build-isolation --no-deps \
        --upgrade --target "$folder/site" \
        --config-settings=build-dir="$folder/build" \
        --config-settings=cmake.define.TANOAK_SANITIZE="$kind" .
    compiler=${CXX:-g++}
    libraries=$("$compiler" -print-file-name=libasan.so):$("$compiler" -print-file-name=libstdc++.so)
    ASAN_OPTIONS=$ASAN_OPTIONS:detect_leaks=0 LD_PRELOAD=$libraries \
        PYTHONPATH="$folder/site" PYTHONMALLOC=malloc \
        "$venv/bin/python" -m pytest -q -n "$jobs" -p no:cacheprovider tests \
        --ignore tests/test_codebase.py --ignore tests/test_project.py
}

mkdir -p build
echo "== $part under the $kind sanitizer"
"$part"
