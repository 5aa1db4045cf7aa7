#!/bin/sh
# meson.sh BUILD_DIR PROJECT_DIR PAGE: builds a project of C++ and CIR as the page says.
set -eu
build=$1 project=$2 page=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
cp "$project/main.cpp" "$work"
cp "$project/thrower.cir" "$work/parser.cir"
awk '/^```meson$/ { on = 1; next } /^```$/ { on = 0 } on' "$page" >"$work/meson.build"
[ -s "$work/meson.build" ] || { echo "$page shows no meson.build"; exit 1; }
cd "$work"
export PATH="$build/bin:$PATH"
{ meson setup out && meson compile -C out; } >log 2>&1 || { cat log; exit 1; }
[ "$(out/app)" = "caught 41" ] || { echo "the program failed"; exit 1; }
meson compile -C out >log 2>&1
grep -q 'no work to do' log || { cat log; echo "built again without need"; exit 1; }
sleep 1
touch parser.cir
meson compile -C out >log 2>&1
! grep -q 'no work to do' log || { cat log; echo "not built again after a change"; exit 1; }
