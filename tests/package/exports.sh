#!/bin/sh
# exports.sh LIBCIRC_SO NM: libcirc.so exports functions of its public interface and nothing else.
set -eu
strangers=$("$2" -D --defined-only "$1" | awk '$2 ~ /[TDBRVW]/ && $3 !~ /^circ_/ { print $3 }')
[ -z "$strangers" ] || {
	echo "exported, but not circ_*: mark them static or leave out CIRC_API:"
	echo "$strangers"
	exit 1
}
