#!/bin/sh
# words.sh SOURCE_DIR: no string of src/ and no page for users has a phrase that its readers must read twice. A diagnostic says
# subject, verb, cause, and "does not specify" of what a text leaves open.
set -eu
cd "$1"

phrases='is not told|are not told|by their own word|by its own word|tells whether|does not tell|goes along|has a way to|the time before|what it is of|behind it'
status=0

# Strings that follow each other are one string, so that no line break hides a phrase. Comments may say what they like.
find src -name '*.[ch]' -o -name '*.def' | sort | xargs awk -v phrases="$phrases" '
	function check() {
		if (held ~ ("^[^\"]*(\"[^\"]*\"[^\"]*)*\"[^\"]*(" phrases ")")) {
			print place ": " held
			bad = 1
		}
		held = ""
	}
	FNR == 1 { check() }
	/^[ \t]*\*/ { next }
	{
		gsub(/\/\*.*\*\/|\/\*.*$/, "")
		gsub(/\\"/, "\047")
		if (held ~ /"[ \t]*$/ && /^[ \t]*"/) {
			sub(/"[ \t]*$/, "", held)
			sub(/^[ \t]*"/, "")
			held = held $0
		} else {
			check()
			held = $0
			place = FILENAME ":" FNR
		}
	}
	END { check(); exit bad }' || status=1
! grep -nE "$phrases" README.md docs/*.md || status=1

[ "$status" = 0 ] || echo "say it in plain words; tests/style/words.sh lists the phrases to avoid"
exit "$status"
