#!/bin/sh
# readme.sh SOURCE: every folder of src/ has a README of at most ten lines: what comes in, what goes out, where to start, where to add.
# A word in backticks is a file there, with or without its extension, a folder, or a word of the files there; a path is from there or from the top.
cd "$1" || exit 1
status=0
for folder in $(find src -type d | sort); do
	[ "$folder" != src ] || continue
	readme=$folder/README.md
	if [ ! -s "$readme" ]; then
		echo "$folder has no README.md"
		status=1
	elif [ "$(wc -l <"$readme")" -gt 10 ]; then
		echo "$readme has more than ten lines"
		status=1
	elif ! head -n 1 "$readme" | grep -q "^# "; then
		echo "$readme must begin with a title"
		status=1
	fi
	for file in $(grep -oE '`[a-z0-9_]+\.(c|h|def)`' "$readme" 2>/dev/null | tr -d '`'); do
		[ -n "$(find "$folder" -name "$file")" ] || ls src/*/"$file" >/dev/null 2>&1 || { echo "$readme names $file, which is not there"; status=1; }
	done
	for word in $(grep -oE '`[a-z0-9_]+(/[a-z0-9_]+)*/?`' "$readme" 2>/dev/null | tr -d '`'); do
		[ ! -e "$word" ] && [ ! -e "$folder/$word" ] && [ ! -e "src/$word" ] || continue
		[ -z "$(find "$folder" -name "$word.[chd]*")" ] || continue
		grep -rqE --include="*.[chd]*" "(^|[^a-z0-9_])$word" "$folder" || { echo "$readme names $word, which is not there"; status=1; }
	done
done
exit $status
