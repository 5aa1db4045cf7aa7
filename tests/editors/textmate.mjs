// The grammar in editors/vscode colours each token of CIR as circ's lexer has it: node textmate.mjs TOKENS FILE_OR_FOLDER...
// TOKENS is the program of tests/tools/tokens.c. Folders are searched for .cir and .cir.xz.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import url from "node:url";

const here = path.dirname(url.fileURLToPath(import.meta.url)), root = path.join(here, "../..");
const require = createRequire(path.join(root, "build/npm/any.js"));
let textmate, oniguruma;
try {
	textmate = require("vscode-textmate");
	oniguruma = require("vscode-oniguruma");
} catch {
	console.log("SKIPPED: no vscode-textmate: install it with ./bootstrap deps npm");
	process.exit(77);
}
const GRAMMAR = path.join(root, "editors/vscode/syntaxes/cir.tmLanguage.json");
const SCOPES = {
	value: /^variable\.other\.cir$/, block: /^entity\.name\.label\.cir$/, symbol: /^entity\.name\.function\.cir$/,
	type: /^(support|entity\.name)\.type\.cir$/, attr: /^entity\.other\.attribute-name\.cir$/, number: /^constant\.numeric\.cir$/,
	string: /^(string\.quoted\.double|keyword\.(control|other\.operation))\.cir$/, operation: /^keyword\.(control|other\.operation)\.cir$/,
	key: /^variable\.parameter\.key\.cir$/,
};
const operations = new Set();
for (const table of ["src/ir/ops.def", "src/text/old/ops.def"])
	for (const row of fs.readFileSync(path.join(root, table), "utf8").matchAll(/^[A-Z_]+\(.*?"(circ?\.[\w.]+)"/gm))
		operations.add(row[1]);

async function load() {
	await oniguruma.loadWASM(fs.readFileSync(path.join(path.dirname(require.resolve("vscode-oniguruma")), "onig.wasm")));
	const library = { createOnigScanner: (p) => new oniguruma.OnigScanner(p), createOnigString: (s) => new oniguruma.OnigString(s) };
	const registry = new textmate.Registry({
		onigLib: Promise.resolve(library),
		loadGrammar: async () => textmate.parseRawGrammar(fs.readFileSync(GRAMMAR, "utf8"), GRAMMAR),
	});
	return registry.loadGrammar("source.cir");
}

function find(name) {
	if (!fs.statSync(name).isDirectory())
		return [name];
	return fs.readdirSync(name).sort().flatMap((n) => (/^[^.]+$|\.cir(\.xz)?$/.test(n) ? find(path.join(name, n)) : [])).filter((n) => /\.cir(\.xz)?$/.test(n));
}

// Latin-1: a character is a byte, as offsets of the lexer are.
function read(name) {
	if (!name.endsWith(".xz"))
		return [name, fs.readFileSync(name, "latin1")];
	const text = spawnSync("xz", ["-dc", name], { maxBuffer: 1 << 30 }).stdout;
	const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), "cir-")), path.basename(name, ".xz"));
	fs.writeFileSync(file, text);
	return [file, text.toString("latin1")];
}

function tokens(tool, file) {
	const run = spawnSync(tool, [file], { maxBuffer: 1 << 30, encoding: "latin1" });
	if (run.status !== 0)
		throw new Error(`${tool} ${file}: ${run.stderr}`);
	return run.stdout.split("\n").slice(1, -1).map((line) => {
		const [kind, at, length] = line.split(" ");
		return { kind, at: Number(at), length: Number(length) };
	});
}

// A word is an operation where a statement begins, or behind the names of its results; a key in front of '='.
function wanted(text, all, i) {
	const token = all[i], word = text.substr(token.at, token.length), former = all[i - 1];
	if (token.kind === "attr" && former?.kind === "value" && former.at + former.length === token.at)
		return "value"; // %0#1: one of several results
	if (token.kind !== "word")
		return token.kind === "other" ? null : token.kind;
	const next = all[i + 1] ? text.substr(all[i + 1].at, all[i + 1].length) : "";
	const before = text.slice(text.lastIndexOf("\n", token.at) + 1, token.at);
	const begins = /^\s*$/.test(before) || /%[\w$.-]+(:\d+)? *= *$/.test(before);
	if (next === "=")
		return word.includes(".") ? "key" : null;
	return operations.has(word) && begins ? "operation" : null;
}

function scopes(grammar, text) {
	let state = textmate.INITIAL, offset = 0;
	const spans = []; // [begin, scope], in order
	for (const line of text.split("\n")) {
		const result = grammar.tokenizeLine(line, state, 0);
		state = result.ruleStack;
		for (const t of result.tokens)
			spans.push([offset + t.startIndex, t.scopes.at(-1)]);
		offset += line.length + 1;
	}
	return spans;
}

const seen = {}, failures = [];
let spanned = 0;
function check(name, text, all, spans) {
	let span = 0;
	const scope_at = (at) => {
		while (span + 1 < spans.length && spans[span + 1][0] <= at)
			span++;
		return spans[span][1];
	};
	all.forEach((token, i) => {
		const kind = wanted(text, all, i);
		if (!kind)
			return;
		seen[kind] = (seen[kind] ?? 0) + 1;
		const first = scope_at(token.at), end = kind === "string" ? first : scope_at(token.at + token.length - 1);
		spanned++;
		if (!SCOPES[kind].test(first) || !SCOPES[kind].test(end))
			failures.push(`${name}: offset ${token.at}: ${kind} '${text.substr(token.at, Math.min(token.length, 60))}' is ${first} ... ${end}`);
	});
}

const [tool, ...folders] = process.argv.slice(2);
const grammar = await load();
const files = folders.flatMap(find);
for (const name of files) {
	const [file, text] = read(name);
	check(name, text, tokens(tool, file), scopes(grammar, text));
	if (file !== name)
		fs.rmSync(path.dirname(file), { recursive: true });
}
for (const kind of Object.keys(SCOPES))
	if ((seen[kind] ?? 0) < 100)
		failures.push(`${kind} was seen ${seen[kind] ?? 0} times`);
console.log(failures.slice(0, 20).join("\n"));
console.log(`${files.length} files, ${spanned} tokens, ${failures.length} wrong: ${JSON.stringify(seen)}`);
process.exit(failures.length ? 1 : 0);
