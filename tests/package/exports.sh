#!/bin/sh
# exports.sh LIBCIRC_SO NM: libcirc.so exports functions of its public interface and nothing else.
set -eu
# Some linkers export the ends of the sections.
strangers=$("$2" -D --defined-only "$1" |
	awk '$2 ~ /[TDBRVW]/ && $3 !~ /^circ_/ && $3 !~ /^(__bss_start|_edata|_end)$/ { print $3 }')
[ -z "$strangers" ] || {
	echo "exported, but not circ_*: mark them static or leave out CIRC_API:"
	echo "$strangers"
	exit 1
}
