#!/bin/sh
# pack.sh SOURCE_DIR VSCE OUT: packs editors/vscode with what npm gives it, and looks into the package.
set -eu
source=$1 vsce=$2 out=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
cp -r "$source/editors/vscode" "$work/cir"
cp "$source/LICENSE" "$work/cir/LICENSE"
cd "$work/cir"
npm install --omit=dev --no-audit --no-fund --ignore-scripts >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
"$vsce" package --allow-missing-repository -o "$work/cir.vsix" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
unzip -l "$work/cir.vsix" >"$work/list"
for file in extension.js language-configuration.json syntaxes/cir.tmLanguage.json package.json node_modules/vscode-languageclient/node.js; do
	grep -q " extension/$file\$" "$work/list" || { echo "the package has no $file"; cat "$work/list"; exit 1; }
done
unzip -p "$work/cir.vsix" extension/syntaxes/cir.tmLanguage.json | cmp - "$source/editors/vscode/syntaxes/cir.tmLanguage.json"
mv "$work/cir.vsix" "$out"
echo "$out: $(wc -c <"$out") bytes"
