#!/bin/sh
# words.sh SOURCE_DIR: no string of src/ and no page for users has a phrase that its readers must read twice. A diagnostic says
# subject, verb, cause, and "does not specify" of what a text leaves open. The library names no option of the command: what a message
# names as a remedy is a row of src/base/setting.def.
set -eu
cd "$1"

phrases='is not told|are not told|by their own word|by its own word|tells whether|does not tell|goes along|has a way to|the time before|what it is of|behind it'
status=0

# Strings that follow each other are one string, so that no line break hides a phrase. Comments may say what they like.
strings_without() { # PHRASES, files from standard input
	sort | xargs awk -v phrases="$1" '
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
	END { check(); exit bad }'
}
find src -name '*.[ch]' -o -name '*.def' | strings_without "$phrases" || status=1
find src -name '*.[ch]' | grep -vE '^src/(driver|link|runtime)/' | strings_without "[ (\047]--[a-z]|^--(from|repair|max)" || status=1
! grep -nE "$phrases" README.md docs/*.md || status=1

[ "$status" = 0 ] || echo "say it in plain words; tests/style/words.sh lists what to avoid"
exit "$status"
