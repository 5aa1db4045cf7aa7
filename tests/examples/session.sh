#!/bin/sh
# session.sh NAME PROGRAM [ARGUMENT...]: given NAME.in, the program prints NAME.out.
set -eu
name=$1
shift
"$@" <"$name.in" >session.out
diff -u "$name.out" session.out
