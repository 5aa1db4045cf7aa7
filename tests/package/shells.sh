#!/bin/sh
# shells.sh FOLDER CIRC: the manual page, and what shells complete.
set -eu
folder=$1
circ=$2
missing=
here=$(dirname "$0")

fail() { echo "$*"; exit 1; }
one_of() { # WANTED... in the lines of standard input
	got=$(cat)
	for wanted; do
		printf '%s\n' "$got" | grep -qxF -e "$wanted" || fail "'$wanted' is not among: $got"
	done
}

echo "== man"
said=$(groff -man -ww -z "$folder/circ.1" 2>&1)
[ -z "$said" ] || fail "$said"
# Every option of --help, and every word of its explanation, in its order.
shown=$(MANWIDTH=1000 groff -man -Tutf8 -rLL=900n "$folder/circ.1" | sed 's/.\x08//g; s/\x1b\[[0-9;]*m//g' | tr -s ' \n' ' ')
"$circ" --help | awk '/^Output$/ { on = 1 } /^Examples$/ { on = 0 } on' | grep -o '^  -[^ ]*' | tr -d ' ' | while read -r option; do
	case $shown in *"$(printf '%s' "$option")"*) ;; *) fail "the manual page has no $option" ;; esac
done

echo "== bash"
bash --norc -c '. "$1"/circ.bash
complete_at() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); _circ; printf "%s\n" "${COMPREPLY[@]}"; }
cd "$2"
complete_at circ --em
complete_at circ --emit = o
complete_at circ -x ""
complete_at circ -O2 -OX; complete_at circ -O
complete_at circ help lin
complete_at circ exp
complete_at circ -c complete-me
' bash "$folder" "$here/shells" | one_of --emit= obj ir -Os linking explain complete-me.cir

echo "== fish"
if command -v fish >/dev/null; then
	(cd "$here/shells" && for line in 'circ --em' 'circ --emit=o' 'circ -x i' 'circ -ffile' 'circ help lin' 'circ exp' 'circ -c complete-me'; do
		fish --no-config -c "source $folder/circ.fish; complete -C '$line'" || fail "fish failed"
	done) | cut -f 1 | one_of --emit --emit=obj ir -ffile-prefix-map linking explain complete-me.cir
else
	missing="$missing fish"
fi

echo "== zsh"
if command -v zsh >/dev/null; then
	(cd "$here/shells" && zsh -f ../complete.zsh "$folder" 'circ --em' 'circ --emit=o' 'circ -x i' 'circ exp' 'circ -c complete-me') |
		one_of "circ --emit=" "circ --emit=obj " "circ -x ir " "circ explain " "circ -c complete-me.cir "
else
	missing="$missing zsh"
fi
[ -z "$missing" ] || { echo "SKIPPED: not found:$missing"; [ -z "${CIRC_SKIP_NOTHING:-}" ] && exit 77; exit 1; }
