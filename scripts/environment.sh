#!/bin/sh
# Makes the virtual environment: scripts/environment.sh FOLDER [EXTRA...]
# IN: Python 3.11 or newer, a C++17 compiler; PYTHON=... chooses among several.
# OUT: FOLDER with what building, running and the extras named need.
set -eu
folder=$1
shift
here=$(dirname "$0")

say() { printf '%s\n' "$*" >&2; }

find_python() {
    for name in ${PYTHON:-python3 python3.14 python3.13 python3.12 python3.11}; do
        if "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            echo "$name"
            return
        fi
    done
    say "tanoak needs Python 3.11 or newer; found: $(python3 --version 2>&1 || true)."
    say "Install one, or name it: make PYTHON=/path/to/python3.12 demo"
    return 1
}

find_compiler() {
    for name in ${CXX:-c++ g++ clang++}; do
        command -v "$name" >/dev/null 2>&1 && return
    done
    say "tanoak needs a C++17 compiler; found none of: ${CXX:-c++ g++ clang++}."
    say "Install one (Debian and Ubuntu: apt install g++), or name it: make CXX=... demo"
    return 1
}

# Debian splits Python: venv and the headers are packages of their own.
python_part() { # what, check in Python, package
    "$python" -c "$2" 2>/dev/null && return
    "$here/system_packages.sh" add "$3" && "$python" -c "$2" && return
    say "$python has no $1. Debian and Ubuntu: apt install $3"
    return 1
}

make_environment() {
    version=$("$python" -c 'import sys; print("python%d.%d" % sys.version_info[:2])')
    python_part "venv" "import ensurepip, venv" "$version-venv"
    python_part "C headers" "$has_headers" "$version-dev"
    say "== environment in $folder ($("$python" --version))"
    rm -rf "$folder"
    "$python" -m venv "$folder"
}

has_headers='
import pathlib, sysconfig
assert (pathlib.Path(sysconfig.get_path("include")) / "Python.h").exists()'

find_compiler
if ! "$folder/bin/python" -c 'import pip' 2>/dev/null; then
    python=$(find_python)
    make_environment
fi

say "== packages:" "$([ $# -eq 0 ] && echo run || echo "run $*")"
"$folder/bin/python" "$here/requirements.py" "$@" |
    "$folder/bin/python" -m pip --quiet --disable-pip-version-check install \
        --requirement /dev/stdin
