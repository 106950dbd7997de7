#!/bin/sh
# System packages for the tests, from scripts/system_packages.txt (LIST=... names another).
#   add PACKAGE...   installs with apt if we may (root, apt-get there); fails otherwise
#   install          adds what the list names and the machine lacks, never fails
#   missing          prints the packages of the list the machine lacks
#   report           names what was left out; a failure when CI=true
set -eu
list=${LIST:-$(dirname "$0")/system_packages.txt}
apt=${APT_GET:-apt-get}

add() {
    [ "$(id -u)" -eq 0 ] && command -v "$apt" >/dev/null 2>&1 || return 1
    echo "== apt: $*" >&2
    DEBIAN_FRONTEND=noninteractive "$apt" install -y -qq "$@" >/dev/null 2>&1 && return
    # A fresh machine has no package lists yet.
    "$apt" update -qq >/dev/null 2>&1 &&
        DEBIAN_FRONTEND=noninteractive "$apt" install -y -qq "$@" >/dev/null 2>&1
}

entries() { sed -e '/^#/d' -e '/^ *$/d' -e 's/ *| */|/g' "$list"; }

lacking() { # prints: package|what needs it
    entries | while IFS='|' read -r package check purpose; do
        sh -c "$check" >/dev/null 2>&1 </dev/null || echo "$package|$purpose"
    done
}

missing() { lacking | cut -d '|' -f 1; }

report() {
    left_out=$(lacking)
    [ -n "$left_out" ] || return 0
    echo "Left out, because a system package is missing:"
    echo "$left_out" | sed 's/\([^|]*\)|\(.*\)/  \2 (needs \1)/'
    [ "${CI:-}" != true ]
}

case $1 in
    add) shift && add "$@" ;;
    install) for package in $(missing); do add "$package" || true; done ;;
    missing) missing ;;
    report) report ;;
    *) echo "usage: $0 add PACKAGE... | install | missing | report" >&2 && exit 2 ;;
esac
