#!/usr/bin/env python3
"""`circ lsp`, next to what the command says of the same texts.

    server.py --circ CIRC CASE              one of the functions below, by its name
    server.py --circ CIRC edits --count 10000 --seed 1      the target lsp-edits
"""
import argparse
import glob
import lzma
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time

from client import Client, span

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAMS = os.path.join(HERE, "..", "e2e", "programs")
SEVERITIES = {1: "error", 2: "warning", 3: "remark"}

failures = []


def expect(what, found, wanted):
    if found != wanted:
        failures.append(f"{what}\n  found    {str(found)[:2000]}\n  expected {str(wanted)[:2000]}")


def read(path):
    with open(path, encoding="utf-8") as source:
        return source.read()


def program(name):
    return read(os.path.join(PROGRAMS, name + ".cir"))


def command(text, *arguments):
    path = os.path.join(options.folder, "text.cir")
    with open(path, "w", encoding="utf-8", newline="") as out:
        out.write(text)
    done = subprocess.run([options.circ, *arguments, path], capture_output=True, check=False)
    return done.returncode, done.stdout.decode(), done.stderr.decode().replace(path, "text.cir")


def said_by_command(text):
    """(severity, line, column, message) of each message. Without a place: line 1, column 1."""
    if not text.strip():
        return None  # the command refuses such a file at a glance
    said = []
    for line in command(text, "--verify-only")[2].split("\n"):
        found = re.fullmatch(r"text\.cir(?::(\d+):(\d+))?: (error|warning|remark|note): (.*)", line)
        if found:
            said.append((found[3], int(found[1] or 1), int(found[2] or 1), found[4]))
    return said


def said_by_server(diagnostics):
    """Positions are in UTF-8, so that characters are bytes."""
    said = []
    for one in diagnostics:
        line, column = span(one["range"])[:2]
        said.append((SEVERITIES[one["severity"]], line + 1, column + 1, one["message"]))
        for note in one.get("relatedInformation", ()):
            line, column = span(note["location"]["range"])[:2]
            said.append(("note", line + 1, column + 1, note["message"]))
    return said


def spoiled(text, rng):
    """A text with an edit that people make: a character, a line, a word gone, doubled or another's."""
    begin = rng.randrange(len(text) + 1)
    end = min(len(text), begin + rng.choice((0, 0, 1, 1, 3, 8, 40)))
    pieces = ("", "", "%", "}", "{", "\n", "(", ")", '"', "// ", "%x", "^bb1", "@f", "!s32i", "#a", "cir.", "cir.add %0, %1 : !s32i", " ", "é", "😀", ":", "=", "0",
              text[end:end + 30], text[max(0, begin - 20):begin])
    return begin, end, rng.choice(pieces)


def position(text, offset):
    """In UTF-8."""
    before = text[:offset]
    line = before.count("\n")
    return line, len(before[before.rfind("\n") + 1:].encode())


def sources():
    return sorted(glob.glob(os.path.join(HERE, "..", "ir", "*", "*.cir")) + glob.glob(os.path.join(PROGRAMS, "*.cir")))


# What is said of a text is what the command says of it.

def diagnostics():
    uri, count = "file:///t.cir", 0
    with Client(options.circ) as client:
        client.open(uri, "")
        for path in sources()[::options.every]:
            text = read(path)
            client.change(uri, text)
            wanted = said_by_command(text)
            expect(path, said_by_server(client.diagnostics(uri)), wanted)
            count += len(wanted)
    expect("messages", count * options.every > 100, True)
    print(f"{count} messages")


def edits():
    """Random edits, with a question after some; at times the whole is compared."""
    rng, uri, compared, shown = random.Random(options.seed), "file:///t.cir", 0, 0
    paths = [path for path in sources() if os.path.getsize(path) < 20000]
    questions = ("hover", "definition", "references", "completion", "documentHighlight")
    with Client(options.circ) as client:
        client.open(uri, "")
        for number in range(options.count):
            if number % 40 == 0:
                text = read(rng.choice(paths))
                client.change(uri, text)
            changes = []
            for _ in range(rng.choice((1, 1, 1, 3))):
                begin, end, piece = spoiled(text, rng)
                changes.append((position(text, begin), position(text, end), piece))
                text = text[:begin] + piece + text[end:]
            client.change(uri, *changes)
            line, character = position(text, rng.randrange(len(text) + 1))
            if number % 3 == 0:
                shown += bool(client.at(rng.choice(questions), uri, line, character, context={"includeDeclaration": True}))
            if number % 17 == 0:
                client.answer("textDocument/rename", textDocument={"uri": uri}, position={"line": line, "character": character}, newName="fresh")
                client.request("textDocument/foldingRange", textDocument={"uri": uri})
                client.answer("textDocument/formatting", textDocument={"uri": uri}, options={})
            if number % 10 == 9 and "\r" not in text:
                wanted = said_by_command(text)
                if wanted is not None:
                    expect(f"seed {options.seed}, edit {number}", said_by_server(client.diagnostics(uri)), wanted)
                    compared += 1
    expect("texts compared", compared > options.count // 20, True)
    expect("questions answered", shown > options.count // 20, True)
    print(f"{options.count} edits, {compared} texts compared, {shown} questions with an answer")


# Names: with another name for one thing the module is the same.

def renamed(text, result, encoding="utf-8"):
    lines = [line.encode(encoding) for line in text.split("\n")]
    (changes,) = result["changes"].values()
    for edit in sorted(changes, key=lambda e: span(e["range"]), reverse=True):
        line, begin, last, end = span(edit["range"])
        expect("lines of a name", last, line)
        lines[line] = lines[line][:begin] + edit["newText"].encode() + lines[line][end:]
    return b"\n".join(lines).decode(), len(changes)


def names():
    """Values and blocks have no names in the module: it prints the same. Symbols and aliases: undone by another rename."""
    rng, uri, count = random.Random(options.seed), "file:///t.cir", {"%": 0, "^": 0, "@": 0, "!": 0}
    with Client(options.circ) as client:
        client.open(uri, "")
        paths = [path for path in sources() if os.path.getsize(path) < 60000]
        for path in rng.sample(paths, min(len(paths), options.count)):
            text = read(path)
            status, printed, _ = command(text, "--emit=cir", "-o", "-")
            found = [m for m in re.finditer(r'[%^@!](?!__)[A-Za-z0-9_$][\w$]*', re.sub(r'//.*|"(?:\\.|[^"\\\n])*"', lambda m: " " * len(m[0]), text))]
            if status or not found:
                continue
            client.change(uri, text)
            blocks = [m for m in found if m[0][0] == "^"]
            for match in rng.sample(found, min(len(found), 4)) + rng.sample(blocks, min(len(blocks), 2)):
                line, character = position(text, match.start())
                asked = {"textDocument": {"uri": uri}, "position": {"line": line, "character": character}}
                answer = client.answer("textDocument/rename", newName="new_name_1", **asked)
                sigil = match[0][0]
                if "error" in answer:
                    if sigil in "%^":
                        expect(f"{path}: {match[0]} at {line + 1}:{character + 1}", answer["error"], None)
                    continue
                other, n = renamed(text, answer["result"])
                expect(f"{path}: references of {match[0]}", len(client.request("textDocument/references", context={"includeDeclaration": True}, **asked)), n)
                count[sigil] += 1
                if sigil in "%^":
                    expect(f"{path}: {match[0]} at {line + 1}:{character + 1} with another name", command(other, "--emit=cir", "-o", "-")[:2], (0, printed))
                elif sigil == "!":
                    expect(f"{path}: {match[0]} with another name", command(other, "--emit=cir", "-o", "-")[:2], (0, printed))
                else:
                    again = command(other, "--emit=cir", "-o", "-")
                    expect(f"{path}: {match[0]} with another name is read", (again[0], "error: " in again[2]), (0, False))
                    expect(f"{path}: {match[0]} is gone", re.findall(rf"{re.escape(match[0])}(?![\w$.-])", again[1]), [])
    print(count)
    expect("what was renamed of each", [k for k, n in count.items() if n < 5], [])


# One of each, by hand.

SMALL = """!s32i = !cir.int<s, 32>
!rec_P = !cir.struct<"P" {data !s32i, data !cir.ptr<!s32i>}>
cir.func private @work(!s32i) -> !s32i
cir.func @f(%n: !s32i, %p: !cir.ptr<!rec_P>) -> !s32i {
  %one = cir.const #cir.int<1> : !s32i
  %sum = cir.add %n, %n : !s32i
  cir.try {
    %sum2 = cir.call @work(%sum) : (!s32i) -> !s32i
    cir.yield
  } catch all (%token: !cir.eh_token) {
    %caught, %object = cir.begin_catch %token : !cir.eh_token -> (!cir.catch_token, !cir.ptr<!cir.void>)
    cir.end_catch %caught : !cir.catch_token
    cir.yield
  }
  cir.br ^end(%sum : !s32i)
^end(%r: !s32i):
  cir.return %r : !s32i
}
"""


def hover(client, uri, line, character):
    found = client.at("hover", uri, line, character)
    return found and found["contents"]["value"]


def small():
    uri = "file:///s.cir"
    lines = SMALL.split("\n")

    def at(line, text):
        return line, lines[line].index(text) + 1
    with Client(options.circ) as client:
        client.open(uri, SMALL)
        expect("diagnostics", client.diagnostics(uri), [])

        def definition(line, text):
            found = client.at("definition", uri, *at(line, text))
            return found and (found["uri"], lines[found["range"]["start"]["line"]][found["range"]["start"]["character"]:found["range"]["end"]["character"]],
                              found["range"]["start"]["line"])
        for line, text, name, where in ((7, "%sum)", "%sum", 5), (5, "%n, %n", "%n", 3), (14, "^end", "^end", 15), (14, "%sum", "%sum", 5), (7, "@work", "@work", 2),
                                        (7, "!s32i", "!s32i", 0), (3, "!rec_P", "!rec_P", 1), (16, "%r", "%r", 15), (11, "%caught", "%caught", 10)):
            expect(f"definition of {text}", definition(line, text), (uri, name, where))
        used = client.at("references", uri, *at(5, "%sum"), context={"includeDeclaration": False})
        expect("references", [span(one["range"])[0] for one in used], [7, 14])
        for line, text, words in ((5, "%sum", "%sum : !cir.int<s, 32>"), (3, "%p", "size 8, alignment 8"), (1, "!rec_P", "size 16, alignment 8"), (0, "!s32i", "size 4, alignment 4"),
                                  (5, "cir.add", "written `cir.add ?nsw ?nuw ?sat $0 , $1 : t0`"), (7, "@work", "cir.func private @work"), (9, "%token", "no size"), (10, "%object", "%object : !cir.ptr<!cir.void>")):
            expect(f"hover of {text}", words in (hover(client, uri, *at(line, text)) or ""), True)
        folds = client.request("textDocument/foldingRange", textDocument={"uri": uri})
        expect("folds", sorted((f["startLine"], f["endLine"]) for f in folds), [(3, 16), (6, 8), (9, 12)])
        formatted = client.request("textDocument/formatting", textDocument={"uri": uri}, options={})
        expect("formatted", formatted[0]["newText"], command(SMALL, "--emit=cir", "-o", "-")[1])
        for stage, emit in (("flat", "flat"), ("abi", "abi"), ("cir", "cir")):
            shown = client.request("workspace/executeCommand", command="circ.show", arguments=[uri, stage, "x86_64-pc-windows-msvc"])
            expect(f"shown: {stage}", shown, command(SMALL, f"--emit={emit}", "--target=x86_64-pc-windows-msvc", "-o", "-")[1])
        completion(client, uri)
        refused(client, uri)
        status = client.leave()
    expect("end", status, (0, ""))


def comments():
    """Texts with comments, whose indentation is lost: formatting gives them that of the printer, and keeps every line."""
    def formatted(client, uri, text):
        client.change(uri, text)
        edits_ = client.request("textDocument/formatting", textDocument={"uri": uri}, options={})
        return edits_[0]["newText"] if edits_ else text
    uri, count, rng = "file:///t.cir", 0, random.Random(options.seed)
    with Client(options.circ) as client:
        client.open(uri, "")
        for path in sources()[::options.every]:
            for emit in ("cir", "flat"):
                status, text = command(read(path), f"--emit={emit}", "-o", "-")[:2]
                if status != 0 or "\n" not in text:
                    continue
                text = "// the first\n" + "".join(line + (" // here" if rng.randrange(9) == 0 else "") + "\n" for line in text.splitlines())
                lost = "".join(" \t"[rng.randrange(2)] * rng.randrange(6) + line.strip(" ") + " " * rng.randrange(2) + "\n" for line in text.splitlines())
                expect(f"{path}, --emit={emit}", formatted(client, uri, lost), text)
                expect(f"{path}, --emit={emit}, again", formatted(client, uri, text), text)
                count += 1
        own = "// a\ncir.func @f() {  // b\n\n      // c\ncir.br ^end\n  // d\n      ^end:\n cir.return // e\n\t}  \n// f"
        wanted = "// a\ncir.func @f() {  // b\n\n  // c\n  cir.br ^end\n  // d\n^end:\n  cir.return // e\n}\n// f"
        expect("a text of its own", formatted(client, uri, own), wanted)
    expect("texts", count * options.every > 200, True)
    print(f"{count} texts with comments")


def completion(client, uri):
    def labels(line, character):
        return [item["label"] for item in client.at("completion", uri, line, character)]
    client.change(uri, ((5, 0), (5, 0), "  %new = cir.\n"))
    expect("ops", {"cir.add", "cir.call", "cir.try"} - set(labels(5, 13)), set())
    client.change(uri, ((5, 0), (6, 0), "  %new = cir.add n\n"))
    expect("words of an op", labels(5, 18), ["nsw", "nuw", "sat"])
    client.change(uri, ((5, 0), (6, 0), "  %new = cir.cast \n"))
    expect("words of an enumeration", {"integral", "bitcast"} - set(labels(5, 18)), set())
    client.change(uri, ((5, 0), (6, 0), "  %new = cir.add %\n"))
    expect("values", labels(5, 18), ["%n", "%p", "%one"])
    client.change(uri, ((5, 0), (6, 0), "  cir.br ^\n"))
    expect("blocks", labels(5, 10), ["^end"])
    client.change(uri, ((5, 0), (6, 0), "  cir.call @\n"))
    expect("symbols", labels(5, 12), ["@work", "@f"])
    client.change(uri, ((5, 0), (6, 0), "  cir.alloca !\n"))
    expect("types", {"!s32i", "!rec_P", "!cir.int"} - set(labels(5, 14)), set())
    client.change(uri, SMALL)


def refused(client, uri):
    def code(method, **params):
        return client.answer(method, **params).get("error", {}).get("code")
    place = {"textDocument": {"uri": uri}, "position": {"line": 5, "character": 3}}
    expect("a name that is taken", code("textDocument/rename", newName="n", **place), -32803)
    expect("no name", code("textDocument/rename", newName="a b", **place), -32602)
    expect("unknown method", code("textDocument/nothing"), -32601)
    expect("no document", code("textDocument/hover", textDocument={"uri": "file:///none"}, position={"line": 0, "character": 0}), -32602)
    expect("no position", code("textDocument/hover", textDocument={"uri": uri}), -32602)
    expect("initialized twice", code("initialize"), -32600)
    client.change(uri, "cir.nothing\n")
    expect("errors", code("textDocument/formatting", textDocument={"uri": uri}), -32803)
    expect("errors of a stage", code("workspace/executeCommand", command="circ.show", arguments=[uri, "flat"]), -32803)
    client.send(b"{ not json")
    expect("no JSON", client.receive_error(), -32700)
    client.change(uri, SMALL)


def utf16():
    """Positions are in UTF-16 unless the client can read others."""
    uri, text = "file:///u.cir", 'cir.func @"é😀"() {\n  cir.call @"é😀"() : () -> ()\n  cir.call @"é😀x"() : () -> ()\n  cir.return\n}\n'
    with Client(options.circ, encoding="utf-16") as client:
        expect("encoding", client.server["capabilities"]["positionEncoding"], "utf-16")
        client.open(uri, text)
        expect("definition", span(client.at("definition", uri, 1, 16)["range"]), (0, 9, 0, 15))
        expect("diagnostic", [span(d["range"]) for d in client.diagnostics(uri)], [(2, 2, 2, 10)])
        client.change(uri, ((2, 16), (2, 17), ""))
        expect("diagnostics after the edit", client.diagnostics(uri), [])


def ends():
    """A client that dies leaves no process, whatever it holds."""
    for how in ("closes", "half a message", "killed"):
        client = Client(options.circ)
        client.open("file:///t.cir", SMALL)
        if how == "half a message":
            client.process.stdin.write(b"Content-Length: 100\r\n\r\n{")
            client.process.stdin.flush()
        if how == "killed":
            continue
        client.process.stdin.close()
        expect(f"{how}: status", client.process.wait(20), 3)
        expect(f"{how}: message", "client is gone" in client.process.stderr.read().decode(), True)
    child = subprocess.Popen([sys.executable, "-c", "import sys, time; sys.path.insert(0, sys.argv[1]); from client import Client\n"
                              "c = Client(sys.argv[2]); c.open('file:///t', 'x'); print(c.process.pid, flush=True); time.sleep(60)",
                              HERE, options.circ], stdout=subprocess.PIPE)
    server = int(child.stdout.readline())
    child.send_signal(signal.SIGKILL)
    child.wait()
    deadline = time.monotonic() + 20
    while os.path.exists(f"/proc/{server}") and time.monotonic() < deadline:
        time.sleep(0.05)
    expect("process of a client that was killed", os.path.exists(f"/proc/{server}"), False)
    bad = subprocess.run([options.circ, "lsp"], input=b"Content-Length: many\r\n\r\n{}", capture_output=True, check=False)
    expect("header", (bad.returncode, b"Content-Length" in bad.stderr), (3, True))
    told = subprocess.run([options.circ, "lsp", "a.cir"], capture_output=True, check=False)
    expect("a file", (told.returncode, b"takes no 'a.cir'" in told.stderr), (2, True))


def speed():
    """Time from an edit to an answer and to diagnostics. --text: a file; else one made of a program, for a bound on what hangs."""
    text = lzma.open(options.text, "rt", encoding="utf-8").read() if options.text else program("json_parser")
    uri = "file:///t.cir"
    with Client(options.circ) as client:
        client.open(uri, text)
        client.diagnostics(uri)
        lines = text.count("\n")
        times = {"definition": [], "hover": [], "diagnostics": []}
        for i in range(20):
            line = lines * (i + 1) // 22
            client.change(uri, ((line, 0), (line, 0), " "))
            begin = time.monotonic()
            client.at("definition", uri, line, 8)
            times["definition"].append(time.monotonic() - begin)
            client.diagnostics(uri)
            times["diagnostics"].append(time.monotonic() - begin)
            client.at("hover", uri, line, 8)
            times["hover"].append(time.monotonic() - begin)
        with open(f"/proc/{client.process.pid}/stat", encoding="ascii") as stat:
            ticks = sum(map(int, stat.read().rsplit(")", 1)[1].split()[11:13]))
    print(f"{ticks * 1000 / os.sysconf('SC_CLK_TCK') / 21:.0f} ms of processor time for each state of the text")
    for what, all_ in times.items():
        print(f"{len(text)} bytes: {what} after an edit: median {sorted(all_)[10] * 1000:.0f} ms, most {max(all_) * 1000:.0f} ms")


CASES = {f.__name__: f for f in (comments, diagnostics, edits, names, small, utf16, ends, speed)}

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--circ", required=True)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--every", type=int, default=1, help="only every n-th text")
    parser.add_argument("--text", help="for `speed`: a text, packed by xz")
    parser.add_argument("case", choices=CASES)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="circ-lsp-") as options.folder:
        CASES[options.case]()
    print("\n".join(failures[:20]))
    sys.exit(bool(failures))
