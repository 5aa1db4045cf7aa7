#!/usr/bin/env python3
"""The page of `circ view`, in headless Chromium.

    page.py --circ CIRC CASE          one of the functions below, by its name
    page.py --circ CIRC pictures FOLDER    the pictures of docs/view.md
"""
import argparse
import base64
import json
import os
import re
import subprocess
import sys
import tempfile
import time

from browser import Browser, find

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAMS = os.path.join(HERE, "..", "e2e", "programs")
TARGETS = ("x86_64-unknown-linux-gnu", "x86_64-pc-windows-msvc")
NOBODY = "(a type of its own)"  # the page's word for a type that nothing in the module names

failures = []


def expect(what, found, wanted):
    if found != wanted:
        failures.append(f"{what}\n  found    {found}\n  expected {wanted}")


def circ(*arguments, text=True):
    result = subprocess.run([options.circ, *arguments], capture_output=True, text=text, check=False)
    if result.returncode:
        sys.exit(f"circ {' '.join(arguments)}\n{result.stderr}")
    return result.stdout


def view(source, name="page.html", targets=TARGETS, *more):
    path = os.path.join(options.folder, name)
    circ("view", source, "-o", path, *(f"--target={t}" for t in targets), *more)
    return path


def program(name):
    return os.path.join(PROGRAMS, name + ".cir")


def no_errors(browser):
    expect("errors of the console", browser.errors, [])
    expect("what was loaded", [r for r in browser.requests if not r.startswith("file:")], [])


# What is chosen is shown in each column, and "throw here" is what `circ explain` says.

SHOWN = """[...document.querySelectorAll('.sides > section')].map(s => [s.dataset.target, [...s.querySelectorAll('.frame')].map(f => [
    Number(f.dataset.depth), Number(f.dataset.op), [...f.querySelectorAll('ol > li:not(.passed)')].map(li => [li.dataset.kind, Number(li.dataset.op), li.className]),
    f.querySelector('.end').className.replace('end ', '')])])"""
CLASSES = {"yes": "takes", "perhaps": "perhaps"}


def frames_at(source, target, thrown, site, op):
    """What the command says of an exception that leaves the calls of a line, as far as it begins at the op: a list of frames for each of its sites."""
    answer = json.loads(circ("explain", "--json", f"--throw={thrown}", f"--at={site['file']}:{site['line']}", f"--target={target}", source))
    begun = []
    for frame in answer["frames"]:
        if not frame["depth"]:
            begun.append([])
        steps = [[s["kind"], s.get("op", 0), CLASSES.get(s.get("taken"), "runs")] for s in frame["steps"]]
        begun[-1].append([frame["depth"], frame["site"]["op"], steps, frame["end"]])
    return [[target, frames] for frames in begun if frames[0][1] == op]


def throws(browser, source):
    document = json.loads(circ("explain", "--json", f"--target={TARGETS[0]}", source))
    sites = {site["op"]: site for f in document["functions"] for site in f["sites"]}
    count = depth = 0
    for thrown in browser.run("[...throwColumn.view.box.options].map(o => o.value).filter(Boolean)"):
        browser.run(f"(() => {{ const box = document.getElementById('throw-type'); box.value = {json.dumps(thrown)};"
                    "box.dispatchEvent(new Event('change')); })()")
        expect("type that can be chosen", browser.run("document.getElementById('throw-type').value"), thrown)
        for op, site in sites.items():
            browser.run(f"choose([{op}], null)")
            wanted = [frames for target in TARGETS for frames in frames_at(source, target, thrown, site, op)]
            expect(f"{source}: {thrown} leaves op {op}", browser.run(SHOWN), wanted)
            count += 1
            depth = max([depth, *(frame[0] for _, frames in wanted for frame in frames)])
    return count, depth


def answers():
    count = depth = 0
    with Browser(1600, 900) as browser:
        small = [os.path.join(HERE, "..", "ir", "explain", name + ".cir") for name in ("throw-conditional", "pointer-bases")]
        for source in [*map(program, ("bank_transfer", "catch_typed", "bases")), *small]:
            browser.open(view(source))
            more, deeper = throws(browser, source)
            count, depth = count + more, max(depth, deeper)
            no_errors(browser)
    expect("calls that were thrown at", count > 100, True)
    expect("frames above them", depth > 1, True)
    print(f"{count} throws, through {depth} callers")


# The marks of a throw are those steps, on the lines of their ops.

MARKS = """(kind, target) => {
    const { view } = columns.find(c => c.view instanceof Rows && c.view.stage.kind === kind && (!target || c.view.stage.target === target)), found = [];
    view.stage.lines.forEach((_, line) => {
        const row = view.make(line, 0), mark = row.querySelector('.mark').textContent;
        if (row.classList.contains('lit') || mark !== String(line + 1))
            found.push([view.stage.opsAt(line), row.classList.contains('lit') ? mark : 'a mark, and not lit']);
    });
    return found;
}"""


def marks_at(answer, op):
    """op → its marks, as the command has the path: cleanups count through the frames of one way; ? may take it, ✓ takes it, ✗ ends the program."""
    marks, ran, begun = {}, {}, None
    for frame in answer["frames"]:
        begun = begun if frame["depth"] else frame["site"]["op"]
        n = ran.get(frame["depth"] - 1, 0)
        for step in frame["steps"]:
            runs = step["kind"] in ("cleanup", "finally")
            n += runs
            mark = str(n) if runs else {"perhaps": "?", "yes": "✗" if step["kind"] == "terminate" else "✓"}.get(step.get("taken"))
            if mark and begun == op and mark not in marks.setdefault(step["op"], []):
                marks[step["op"]].append(mark)
        ran[frame["depth"]] = n
    return {op: " ".join(some) for op, some in marks.items()}


def expect_marks(browser, source, thrown, site):
    answers = [json.loads(circ("explain", "--json", f"--throw={thrown}", f"--at={site['file']}:{site['line']}", f"--target={t}", source)) for t in TARGETS]
    browser.run(f"thrown.type = {json.dumps(thrown)}; choose([{site['op']}], null)")
    wanted = [marks_at(answer, site["op"]) for answer in answers]
    what, shown = f"{source}: {thrown} leaves op {site['op']}", browser.run(f"({MARKS})('structured', '')")
    expect(f"{what}: marks", {op: mark for ops, mark in shown for op in ops if op in wanted[0]}, wanted[0])
    expect(f"{what}: lines that are marked and have no step", [ops for ops, _ in shown if not set(ops) & set(wanted[0])], [])
    seen = len(wanted[0])
    for target, wanted_here in zip(TARGETS, wanted):
        for kind in ("abi", "llvm", "assembly"):
            shown = browser.run(f"({MARKS})('{kind}', '{target}')")
            expect(f"{what}: marks of {kind}, {target}, of no step", [row for row in shown if row[1] not in [wanted_here.get(op) for op in row[0]]], [])
            seen += len(shown)
    return seen


def marks():
    count = 0
    with Browser(1600, 900) as browser:
        for name, step in (("bank_transfer", 3), ("json_parser", 9)):
            browser.open(view(program(name)))
            browser.run("columns.forEach(c => c.set(true))")
            document = json.loads(circ("explain", "--json", f"--target={TARGETS[0]}", program(name)))
            sites = [site for f in document["functions"] for site in f["sites"] if site["steps"]]
            for thrown in [*browser.run("typeNames()"), NOBODY]:
                for site in sites[::step]:
                    count += expect_marks(browser, program(name), thrown, site)
            no_errors(browser)
    expect("marks", count > 400, True)
    print(f"{count} marks")


# Colours: what the braces of the structured text say is a cleanup or a handler, in all stages; one for each scope.

COLOURS = """() => {
    const column = columns.find(c => c.name === 'Structured CIR'), text = column.view.stage, open = [], wanted = new Map(), wrong = [], colours = new Map();
    const inside = () => [...open].reverse().find(o => o && o.role);
    text.lines.forEach((line, i) => {
        const closes = /^\\s*}/.test(line);
        const before = closes ? open.pop() : null;
        for (const op of closes ? [] : text.opsAt(i))
            wanted.set(op, inside());
        if (/{$/.test(line)) {
            const begins = /^\\s*(%\\S+ = )?cir\\.(try|cleanup\\.scope)\\b/.test(line), goesOn = /^\\s*} (cleanup|catch|unwind)\\b/.exec(line);
            open.push(begins ? { scope: i, role: '' } : goesOn && before ? { scope: before.scope, role: goesOn[1] === 'cleanup' ? 'cleanup' : 'handler' } : null);
        }
    });
    const seen = { cleanup: 0, handler: 0, stages: 0, pads: 0 };
    const check = (what, role, style, at) => {
        const shown = style.borderLeftColor, is = /rgba\\(0, 0, 0, 0\\)/.test(shown) ? '' : style.borderLeftStyle === 'double' ? 'cleanup' : 'handler';
        if (is !== role)
            wrong.push(`${what}: looks as '${is}', is '${role}'`);
        else if (role) {
            seen[role]++;
            if (colours.has(at.scope) && colours.get(at.scope) !== shown)
                wrong.push(`${what}: ${shown}, other rows of its scope ${colours.get(at.scope)}`);
            colours.set(at.scope, shown);
        }
    };
    columns.forEach(c => c.set(true));
    dispatchEvent(new Event('beforeprint'));
    for (const { view } of columns.filter(c => c.view instanceof Rows && c.view.stage.kind !== 'tables')) {
        seen.stages++;
        for (const row of view.rows.querySelectorAll('.row')) {
            const op = view.stage.opsAt(Number(row.dataset.line))[0], at = wanted.get(op);
            if (!op || wanted.has(op))
                check(`${view.stage.name} line ${Number(row.dataset.line) + 1}`, at ? at.role : '', getComputedStyle(row), at);
        }
    }
    dispatchEvent(new Event('afterprint'));
    const graph = graphColumn.view;
    for (graph.name of graph.names)
        for (graph.stage of graph.stages) {
            graph.draw(true);
            for (const node of graph.body.querySelectorAll('.node')) {
                const block = graph.blocks.find(b => b.id === node.dataset.id), at = block.ops.map(op => wanted.get(op)).find(a => a && a.role);
                const shown = getComputedStyle(node).borderLeftColor;
                seen.pads += !!at;
                if (at && shown !== colours.get(at.scope))
                    wrong.push(`block ${block.id} of ${graph.name}, ${graph.stage.name}: ${shown}, its scope ${colours.get(at.scope)}`);
                else if (!at && [...colours.values()].includes(shown))
                    wrong.push(`block ${block.id} of ${graph.name}, ${graph.stage.name}: ${shown}, and is of no scope`);
            }
        }
    return { wrong: wrong.slice(0, 12), seen, scopes: colours.size, colours: new Set(colours.values()).size };
}"""


def colours():
    with Browser(1600, 900) as browser:
        for name in ("bank_transfer", "json_parser"):
            browser.open(view(program(name)))
            for scheme in ("light", "dark"):
                browser.scheme(scheme)
                found = browser.run(f"({COLOURS})()")
                print(name, scheme, found["seen"], found["scopes"])
                expect(f"{name}, {scheme}: colours", found["wrong"], [])
                expect(f"{name}, {scheme}: scopes of one colour", found["scopes"] - found["colours"], 0)
                expect(f"{name}, {scheme}: what was seen of each", [k for k, n in found["seen"].items() if n < 8], [])
            no_errors(browser)


# Rows of the tables lead to the call that they are for, and to what runs.

LINKS = """async target => {
    const settle = () => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
    const tables = columns.find(c => c.view instanceof Rows && c.view.stage.kind === 'tables' && c.view.stage.target === target);
    const others = ['structured', 'assembly'].map(kind => columns.find(c => c.view instanceof Rows && c.view.stage.kind === kind && (!c.view.stage.target || c.view.stage.target === target)));
    columns.forEach(c => c.set(c === tables || others.includes(c)));
    const wrong = [], seen = { calls: 0, cleanup: 0, catch: 0 }, { stage, body } = tables.view;
    let name = '';
    for (const [line, text] of stage.lines.entries()) {
        name = /^\\S/.test(text) ? text.split('  ')[0] : name;
        const call = /^  0x\\S+ call (\\S+)/.exec(text), step = /^    state \\d+: (cleanup|catch)/.exec(text);
        if (!call && !step)
            continue;
        tables.view.reveal(line);
        await settle();
        body.querySelector(`.row[data-line="${line}"]`).dispatchEvent(new MouseEvent('click', { bubbles: true }));
        await settle();
        const chosen = others.map(c => [...c.view.rows.querySelectorAll('.chosen')]), texts = chosen.map(rows => rows.map(r => r.textContent));
        if (call && ['account', 'point', 'fail', 'fail_poor', 'withdraw', 'deposit', 'post', 'lock', 'unlock', 'undo', 'adjust', 'transfer'].includes(call[1])) {
            seen.calls++;
            if (!texts[0].some(t => t.includes('@' + call[1] + '(')) || !texts[1].some(t => /call/.test(t) && t.includes(call[1])))
                wrong.push(`${name}: ${text} leads to ${texts.join(' and ')}`);
        } else if (step) {
            seen[step[1]]++;
            const role = step[1] === 'cleanup' ? 'cleanup' : 'handler';
            if (!chosen[0].length || !chosen[0].every(r => r.classList.contains(role)) || !chosen[1].length)
                wrong.push(`${name}: ${text} leads to ${texts.join(' and ')}`);
        }
    }
    return { wrong: wrong.slice(0, 12), seen };
}"""


def links():
    seen = {}
    with Browser(1600, 900) as browser:
        browser.open(view(program("bank_transfer")))
        browser.run("columns.forEach(c => c.set(true))")
        for target in TARGETS:
            found = browser.run(f"({LINKS})({json.dumps(target)})")
            expect(f"{target}: links", found["wrong"], [])
            seen = {what: seen.get(what, 0) + n for what, n in found["seen"].items()}
        no_errors(browser)
    print(seen)
    expect("what was seen of each", [k for k, n in seen.items() if n < 3], [])


def stages():
    """Every stage is what the command prints; choosing an op in one chooses it in all others."""
    source = program("bank_transfer")
    with Browser(1600, 900) as browser:
        browser.open(view(source))
        for target in TARGETS:
            for kind, emit in (("abi", "abi"), ("llvm", "llvm"), ("assembly", "asm")):
                shown = browser.run(f"stages.find(s => s.kind === '{kind}' && s.target === '{target}').lines.join('\\n')")
                expect(f"{kind} of {target}", shown + "\n", circ(f"--emit={emit}", f"--target={target}", source, "-o", "-"))
        browser.run("columns.forEach(c => c.set(c.view instanceof Rows || !c.view))")
        for op in browser.run("[...moduleSites.keys()]"):
            browser.run(f"choose([{op}], null)")
            lost = browser.run("visibleColumns().filter(c => c.view instanceof Rows && c.view.stage.kind !== 'source' && "
                               "c.view.stage.kind !== 'tables' && !c.view.rows.querySelector('.chosen')).map(c => c.name)")
            expect(f"columns that do not show op {op}", lost, [])
        no_errors(browser)


def shares():
    """How many ops of the structured text are still known in each later stage that has code."""
    with Browser(1600, 900) as browser:
        for name in ("bank_transfer", "json_parser"):
            browser.open(view(program(name)))
            found = browser.run("""stages.filter(s => s.kind === 'abi' || s.kind === 'llvm' || s.kind === 'assembly').map(s => {
                let code = 0, known = 0;
                s.lines.forEach((line, i) => {
                    const is = s.kind === 'abi' ? /^    \\S/.test(line) && !/^    [\\^}]/.test(line)
                        : s.kind === 'llvm' ? /^  [^ ]/.test(line) : /^\\t[a-z]/.test(line);
                    code += is;
                    known += is && s.opsAt(i).length > 0;
                });
                return [s.name, known, code];
            })""")
            for stage, known, code in found:
                print(f"{name}: {stage}: {known} of {code} lines of code have their op")
                expect(f"{name}: lines of {stage} that have their op, of {code}", known * 10 >= code * 8, True)


# The graph: blocks have their place at every stage, edges pass between them, and those of unwinding are the tables'.

DRAWN = """(name => {
    const points = d => { /* on the line, sixteen for each part */
        const found = [];
        let x = 0, y = 0;
        const to = (f, x2, y2) => {
            for (let i = 0; i <= 16; i++)
                found.push(f(i / 16));
            [x, y] = [x2, y2];
        };
        const straight = (x2, y2) => { const [x1, y1] = [x, y]; to(t => [x1 + t * (x2 - x1), y1 + t * (y2 - y1)], x2, y2); };
        for (const [, command, text] of d.matchAll(/([MCvHV])([-\\d. e]+)/g)) {
            const n = text.trim().split(/ /).map(Number), [x1, y1] = [x, y];
            const bend = (t, a, b, c, e) => (1 - t) ** 3 * a + 3 * (1 - t) ** 2 * t * b + 3 * (1 - t) * t * t * c + t ** 3 * e;
            if (command === 'M')
                [x, y] = n;
            else if (command === 'C')
                to(t => [bend(t, x1, n[0], n[2], n[4]), bend(t, y1, n[1], n[3], n[5])], n[4], n[5]);
            else
                straight(command === 'H' ? n[0] : x, command === 'V' ? n[0] : command === 'v' ? y + n[0] : y);
        }
        return found;
    };
    const graph = graphColumn.view, places = new Map(), wrong = [], seen = { edges: 0, unwinding: 0, passed: 0, kept: 0 };
    graph.name = name;
    for (graph.stage of graph.stages) {
        graph.draw(true);
        const whole = graph.body.querySelector('.graph').getBoundingClientRect();
        const boxes = [...graph.body.querySelectorAll('.node')].map(e => [e.dataset.id, e.getBoundingClientRect()]);
        const paths = [...graph.body.querySelectorAll('path')];
        const edges = new Set(graph.blocks.flatMap(b => b.edges.flatMap((to, i) => i % 2 ? [] : [b.id + ' ' + graph.blocks[to].id + ' ' + b.edges[i + 1]])));
        if (boxes.length !== graph.blocks.length || paths.length !== edges.size)
            wrong.push(`${graph.stage.name}: ${boxes.length} boxes of ${graph.blocks.length}, ${paths.length} lines of ${edges.size}`);
        seen.edges += paths.length;
        seen.unwinding += paths.filter(p => p.classList.contains('unwind')).length;
        for (const [id, box] of boxes) {
            const place = box.left - whole.left + ' ' + (box.top - whole.top);
            seen.kept += places.has(id);
            if (places.has(id) && places.get(id) !== place)
                wrong.push(`${graph.stage.name}: ${id} is at ${place}, was at ${places.get(id)}`);
            places.set(id, place);
        }
        for (const [i, [id, a]] of boxes.entries())
            for (const [other, b] of boxes.slice(i + 1))
                if (Math.min(a.right, b.right) > Math.max(a.left, b.left) && Math.min(a.bottom, b.bottom) > Math.max(a.top, b.top))
                    wrong.push(`${graph.stage.name}: ${id} lies over ${other}`);
        for (const path of paths)
            for (const p of points(path.getAttribute('d'))) {
                const x = p[0] + whole.left, y = p[1] + whole.top;
                if (x < whole.left || x > whole.right || y < whole.top || y > whole.bottom)
                    wrong.push(`${graph.stage.name}: an edge leaves the graph`);
                for (const [id, b] of boxes) {
                    seen.passed += y > b.top && y < b.bottom;
                    if (x > b.left + 1 && x < b.right - 1 && y > b.top + 1 && y < b.bottom - 1)
                        wrong.push(`${graph.stage.name}: an edge runs through ${id}`);
                }
            }
    }
    return { wrong: [...new Set(wrong)].slice(0, 8), seen };
})"""

# Ops of calls: those with an edge of unwinding in the assembly (but of funclets that return, after which unwinding goes on), those that the
# object's tables have a pad for (a call site or a range of states has the op of its first call), those that the module has steps for (where
# functions are inlined: that may throw).
PADS = """isInlined => explanations.map(({ target, module, object }) => {
    const stage = stages.find(s => s.kind === 'assembly' && s.target === target), all = new Set();
    const drawn = functionsOf(stage).flatMap(f => f.blocks.flatMap(b => {
        b.calls.forEach(row => stage.opsAt(row).forEach(op => all.add(op)));
        return b.edges.some((e, i) => i % 2 && e === unwindEdge) && !(b.part > 1 && b.returns) ? b.calls.slice(-1).flatMap(row => stage.opsAt(row)) : [];
    }));
    const ops = (document, key, isAny) => document.functions.flatMap(f => f.sites.filter(s => isAny || s.steps.length).map(s => s[key]));
    return [target, drawn, ops(object, 'line').filter(op => all.has(op)), ops(module, 'op', isInlined)];
})"""


def switch_module():
    """A switch that becomes a table of addresses."""
    ways, path = range(20), os.path.join(options.folder, "switch.cir")
    cases = "".join(f"    cir.case (equal, [#cir.int<{n}> : !s32i]) {{\n      cir.call @way{n}() : () -> ()\n      cir.break\n    }}\n" for n in ways)
    with open(path, "w", encoding="utf-8") as out:
        out.write("!s32i = !cir.int<s, 32>\n" + "".join(f"cir.func private @way{n}()\n" for n in ways)
                  + f"cir.func @f(%n: !s32i) {{\n  cir.switch (%n : !s32i) {{\n{cases}    cir.yield\n  }}\n  cir.return\n}}\n")
    return path


def jump_tables(browser):
    targets = (*TARGETS, "aarch64-unknown-linux-gnu")
    browser.open(view(switch_module(), "page.html", targets, "-O1"))
    edges = browser.run("""stages.filter(s => s.kind === 'assembly').map(s => Math.max(...functionsOf(s).flatMap(f => f.blocks.map(b => b.edges.length / 2))))""")
    expect("edges of a block with a table of addresses", edges, [20] * len(targets))
    no_errors(browser)


def graph():
    own = os.path.join(HERE, "..", "ir", "explain", "own-runtime.cir")
    loops = os.path.join(HERE, "..", "ir", "explain", "loops.cir")
    seen = {}
    with Browser(1600, 900) as browser:
        jump_tables(browser)
        for source in (program("bank_transfer"), program("catch_typed"), own, loops):
            for level in ("-O0", "-O2") if source == program("bank_transfer") else ("-O0",):
                browser.open(view(source, "page.html", (*TARGETS, "x86_64-w64-windows-gnu", "aarch64-unknown-linux-gnu"), level))
                browser.run("turnOn(graphColumn) && 0")
                for name in browser.run("graphColumn.view.names"):
                    found = browser.run(f"{DRAWN}({json.dumps(name)})")
                    expect(f"{source} {level} {name}", found["wrong"], [])
                    for what, n in found["seen"].items():
                        seen[what] = seen.get(what, 0) + n
                for target, drawn, decoded, planned in browser.run(f"({PADS})({json.dumps(level == '-O2')})"):
                    expect(f"{source} {level} {target}: calls with a pad and no edge", set(decoded) - set(drawn), set())
                    expect(f"{source} {level} {target}: calls with an edge and no pad", set(drawn) - set(planned), set())
                    seen[target] = seen.get(target, 0) + len(drawn)
                no_errors(browser)
    print(seen)
    expect("what was seen of each", [k for k, n in seen.items() if n < 20], [])


# Nothing lies over other text, and nothing runs out of its box.

BOXES = """(() => {
    const wrong = [], texts = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const cuts = style => style.overflowX !== 'visible' || style.overflowY !== 'visible';
    while (walker.nextNode()) {
        const node = walker.currentNode, parent = node.parentElement;
        if (!node.data.trim() || !parent.checkVisibility() || parent.closest('script, style, noscript, option, dialog:not([open])')) continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        for (const r of range.getClientRects()) {
            let box = { left: r.left, top: r.top, right: r.right, bottom: r.bottom }, whole = true;
            for (let e = parent; e && e !== document.body; e = e.parentElement) {
                const b = e.getBoundingClientRect();
                if (cuts(getComputedStyle(e))) {
                    box = { left: Math.max(box.left, b.left), top: Math.max(box.top, b.top), right: Math.min(box.right, b.right), bottom: Math.min(box.bottom, b.bottom) };
                    whole = false;
                } else if (whole && e.className !== 'rows' && getComputedStyle(e).display !== 'inline' &&
                           (r.left < b.left - 1 || r.right > b.right + 1 || r.top < b.top - 2 || r.bottom > b.bottom + 2)) {
                    wrong.push('out of its box: ' + node.data.slice(0, 60) + ' in ' + e.tagName + '.' + e.className);
                    break;
                }
            }
            if (whole && (r.left < -1 || r.right > innerWidth + 1 || r.top < -1 || r.bottom > innerHeight + 1))
                wrong.push('out of the window: ' + node.data.slice(0, 60));
            if (box.right - box.left > 1 && box.bottom - box.top > 1)
                texts.push([box, node.data.slice(0, 40), parent]);
        }
    }
    const open = document.querySelector('dialog[open]');
    const shown = open ? texts.filter(t => open.contains(t[2])) : texts;
    shown.sort((a, b) => a[0].top - b[0].top);
    for (let i = 0; i < shown.length; i++)
        for (let k = i + 1; k < shown.length && shown[k][0].top < shown[i][0].bottom - 3; k++) {
            const a = shown[i][0], b = shown[k][0];
            if (shown[i][2] !== shown[k][2] && Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1.5 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 3)
                wrong.push('over each other: ' + shown[i][1] + ' | ' + shown[k][1]);
        }
    if (document.documentElement.scrollWidth > innerWidth || document.documentElement.scrollHeight > innerHeight)
        wrong.push('the page is larger than the window');
    return { wrong: wrong.slice(0, 8), n: shown.length };
})()"""


def boxes():
    shots = os.environ.get("CIRC_VIEW_SHOTS") or options.folder
    with Browser(1280, 900) as browser:
        browser.open(view(program("bank_transfer")))
        for width, height in ((400, 700), (1280, 800), (4000, 2000)):
            browser.resize(width, height)
            for scheme in ("light", "dark"):
                browser.scheme(scheme)
                for some in (["structured", "flat"], ["llvm", "assembly"], ["tables", "abi"], []):
                    browser.run(f"columns.forEach(c => c.set(!(c.view instanceof Rows) && !!c.view || {json.dumps(some)}"
                                ".some(k => stages.find(s => s.name === c.name && s.kind === k))))")
                    browser.run("thrown.type = typeNames()[0]; choose([sitesInOrder[13]], null)")
                    for at in (0, 1e6):
                        browser.run(f"document.getElementById('columns').scrollLeft = {at}")
                        browser.settle()
                        found = browser.run(BOXES)
                        expect(f"{width} px, {scheme}, {some}", found["wrong"], [])
                        expect(f"texts at {width} px", found["n"] > 20, True)
            browser.press("?")
            expect("help is open", browser.run("document.getElementById('help').open"), True)
            expect(f"help at {width} px", browser.run(BOXES)["wrong"], [])
            browser.run("document.getElementById('help').close()")
            browser.screenshot(os.path.join(shots, f"view-{width}.png"))
        no_errors(browser)


# What a reader does with the keyboard, and what paper gets.

def keys():
    with Browser(1600, 900) as browser:
        browser.open(view(program("bank_transfer")))
        browser.settle()
        browser.press("ArrowDown")
        expect("line", browser.run("active.view.current"), 1)
        browser.press("End")
        expect("last line", browser.run("active.view.current === active.view.stage.lines.length - 1"), True)
        expect("its row is drawn", browser.run("active.view.rows.querySelector('.current') !== null"), True)
        browser.press("ArrowRight")
        expect("column", browser.run("columns.indexOf(active)"), 1)
        browser.press("n")
        first = browser.run("choice.site")
        expect("call", first, browser.run("sitesInOrder[0]"))
        browser.press("n")
        browser.press("p")
        expect("and back", browser.run("choice.site"), first)
        browser.press("t")
        expect("focus", browser.run("document.activeElement.id"), "throw-type")
        browser.press("ArrowDown")
        expect("type", browser.run("thrown.type"), browser.run("typeNames()[0]"))
        browser.press("Escape")
        browser.press("Escape")
        expect("throw is forgotten", browser.run("thrown.type"), "")
        browser.press("Escape")
        expect("choice is forgotten", browser.run("choice.ops.size"), 0)
        browser.press("1")
        expect("first column is off", browser.run("columns[0].on"), False)
        browser.press("1")
        browser.press("/")
        for letter in "cir.throw":
            browser.press(letter)
        browser.press("Enter", "\r")
        expect("found", browser.run("/cir.throw/.test(active.view.stage.lines[active.view.current])"), True)
        browser.run("document.activeElement.blur()")
        browser.click(".node")
        expect("block that was clicked", browser.run("choice.ops.size"), 1)
        browser.click(".row:nth-of-type(9)")
        expect("row that was clicked", browser.run("document.querySelectorAll('.row.current').length > 0"), True)
        browser.press("g")
        last = browser.run("graphColumn.view.name = 'batch', graphColumn.view.show([]), graphColumn.view.blocks.length") - 1
        for key, block in (("Home", 0), *(("ArrowDown", i + 1) for i in range(last)), ("ArrowDown", last), ("ArrowUp", last - 1)):
            browser.press(key)
            expect("its box is drawn", browser.run("document.querySelectorAll('.node.current').length"), 1)
            expect(f"block after {key}", browser.run("graphColumn.view.current"), block)
        site = browser.run("thrown.type = typeNames()[1], choose([sitesInOrder.find(op => sitesOf(op)[0].site.steps.length > 1)], null), choice.site")
        browser.press("t")
        browser.run("throwColumn.view.body.focus()")
        browser.press("ArrowDown")
        expect("step", browser.run("document.querySelectorAll('li.current').length"), 1)
        expect("the throw is not forgotten", browser.run("choice.site"), site)
        no_errors(browser)


def paper():
    """All lines, once, below each other; the whole graph; afterwards the screen is as it was."""
    with Browser(1280, 900) as browser:
        browser.open(view(program("bank_transfer")))
        browser.settle()
        rows = browser.run("document.querySelectorAll('.row').length")
        browser.call("Emulation.setEmulatedMedia", media="print")
        browser.run("dispatchEvent(new Event('beforeprint'))")
        browser.settle()
        found = browser.run("""visibleColumns().filter(c => c.view instanceof Rows).map(c => {
            const rows = [...c.view.body.querySelectorAll('.row')].map(r => r.getBoundingClientRect());
            const wrong = rows.filter((r, i) => (i && r.top < rows[i - 1].bottom - 1) || r.right > innerWidth + 1).length;
            return [c.name, rows.length === c.view.stage.lines.length, wrong];
        })""")
        expect("lines on paper", found, [[name, True, 0] for name, _, _ in found])
        expect("columns", len(found), 2)
        expect("blocks on paper", browser.run("document.querySelectorAll('.node').length === graphColumn.view.blocks.length"), True)
        expect("width of the graph", browser.run("document.querySelector('.graph').getBoundingClientRect().right <= innerWidth"), True)
        browser.run("dispatchEvent(new Event('afterprint'))")
        lines = browser.run("visibleColumns().reduce((n, c) => n + (c.view instanceof Rows ? c.view.stage.lines.length : 0), 0)")
        pdf = base64.b64decode(browser.call("Page.printToPDF")["data"])
        pages = len(re.findall(rb"/Type\s*/Page\b", pdf))
        print(f"{lines} lines on {pages} pages")
        expect("pages", lines / 70 < pages < lines / 25, True)
        browser.call("Emulation.setEmulatedMedia", media="")
        browser.settle()
        expect("rows afterwards", browser.run("document.querySelectorAll('.row').length"), rows)
        expect("boxes afterwards", browser.run(BOXES)["wrong"], [])
        no_errors(browser)


# The source, where it can be read: beside the CIR, or at an absolute path.

def source():
    folder = os.path.join(options.folder, "module")
    os.mkdir(folder)
    elsewhere = os.path.join(options.folder, "other.c")
    for path, text in ((os.path.join(folder, "prog.c"), "int f(int n)\n{\n\treturn n + work();\n}\n"), (elsewhere, "first\nsecond\n")):
        with open(path, "w", encoding="utf-8") as out:
            out.write(text)
    module = os.path.join(folder, "prog.cir")
    places = [("prog.c", 3), ("prog.c", 3), (elsewhere, 2), ("no-such-file.c", 1), ("/dev/zero", 1), ("prog.c", 99)]
    with open(module, "w", encoding="utf-8") as out:
        out.write("cir.func private @work() loc(unknown)\ncir.func @f() {\n"
                  + "".join(f'  cir.call @work() : () -> () loc("{name}":{line}:1)\n' for name, line in places) + "  cir.return\n}\n")
    with Browser(1900, 900) as browser:
        browser.open(view(module))
        expect("source columns", browser.run("columns.filter(c => c.on && c.view.stage && c.view.stage.kind === 'source').map(c => c.name)"), ["prog.c", elsewhere])
        calls = browser.run("stages.find(s => s.kind === 'read').lines.flatMap((l, i) => /call @work/.test(l) ? [i] : [])")
        chosen = """columns.filter(c => c.view && c.view.stage && c.view.stage.kind === 'source').map(c =>
            [...c.view.rows.querySelectorAll('.chosen')].map(r => Number(r.dataset.line) + 1))"""
        for call, wanted in zip(calls, ([[3], []], [[3], []], [[], [2]], [[], []], [[], []], [[], []])):
            browser.run(f"columns.find(c => c.view.stage && c.view.stage.kind === 'read').view.choose({call})")
            expect(f"source of the call in line {call + 1}", browser.run(chosen), wanted)
        browser.run("columns.find(c => c.name === 'prog.c').view.choose(2)")
        for kind in ("read", "flat"):
            found = browser.run(f"visibleColumns().filter(c => c.view instanceof Rows && c.view.stage.kind === '{kind}').map(c => c.view.rows.querySelectorAll('.chosen').length)")
            expect(f"ops of a line of the source in {kind} CIR", found, [2])
        browser.run("columns.forEach(c => c.set(!!c.view && (c.view.stage || {}).kind === 'source' || /LLVM|Assembly/.test(c.name)))")
        found = browser.run("visibleColumns().map(c => c.view.rows.querySelectorAll('.chosen').length >= (c.name.includes('.c') ? 0 : 2))")
        expect("and in code", found, [True] * 6)
        expect("boxes", browser.run(BOXES)["wrong"], [])
        no_errors(browser)


# Text that wants out.

NASTY = ["</script><script>document.title='out'</script>", "<!--<script>", "\\22\\27&quot;&lt;", "a\\02b\\01\\1B[31m", "\u2028\u2029\u202e", "--></style>",
         "@@data@@", "\\FF\\FE"]


def names():
    functions = "".join(f'cir.func @"{n}"() {{\n  cir.call @"{n}x"() : () -> ()\n  cir.return\n}}\ncir.func private @"{n}x"()\n' for n in NASTY)
    long = "n" * 10_000_000
    functions += f"cir.func @{long}() {{\n  cir.call @{long}() : () -> ()\n  cir.return\n}}\n"
    source = os.path.join(options.folder, "a<b>&\"'.cir")
    with open(source, "w", encoding="utf-8") as out:
        out.write(functions)
    with Browser(1280, 900, 300) as browser:
        browser.open(view(source, "names.html", TARGETS[:1]))
        browser.settle()
        expect("title", browser.run("document.title"), "a<b>&\"'.cir – circ view")
        expect("scripts", browser.run("document.scripts.length"), 2)
        expect("heading", browser.run("document.getElementById('title').textContent"), "a<b>&\"'.cir")
        found = browser.run("columns.find(c => c.name === 'Graph').view.names.slice(0, 3)")
        expect("names", found, [NASTY[0], NASTY[1], "\"'&quot;&lt;"])
        expect("the long name is whole", browser.run(f"stages[0].lines.filter(l => l.includes('n'.repeat({len(long)}))).length"), 2)
        expect("and shown cut", browser.run("Math.max(...[...document.querySelectorAll('.row, .node')].map(e => e.textContent.length)) < 9000"), True)
        expect("boxes", browser.run(BOXES)["wrong"], [])
        no_errors(browser)


# Size and speed.

FUNCTION = """cir.func @f{n}(%n: !s32i) {{
  cir.try {{
    cir.cleanup.scope {{
      cir.call @work(%n) : (!s32i) -> ()
      %a = cir.add %n, %n : !s32i
      cir.call @work(%a) : (!s32i) -> ()
      cir.yield
    }} cleanup all {{
      cir.call @close(%n) nothrow : (!s32i) -> ()
      cir.yield
    }}
    cir.yield
  }} catch [type #cir.global_view<@_ZTIi> : !cir.ptr<!u8i>] (%thrown: !cir.eh_token) {{
    %object = cir.catch_param : !cir.ptr<!s32i>
    cir.yield
  }}
  cir.return
}}
"""
HEAD = """!s32i = !cir.int<s, 32>
!u8i = !cir.int<u, 8>
cir.global "private" constant external @_ZTIi : !cir.ptr<!u8i>
cir.func private @work(!s32i)
cir.func private @close(!s32i) attributes {nothrow}
"""


def module_of(ops):
    source = os.path.join(options.folder, f"ops{ops}.cir")
    with open(source, "w", encoding="utf-8") as out:
        out.write(HEAD + "".join(FUNCTION.format(n=n) for n in range(ops // 14)))
    return source


def size():
    path = view(module_of(1000), "size.html")
    print(f"1,000 ops, two targets: {os.path.getsize(path)} bytes")
    expect("bytes for 1,000 ops", os.path.getsize(path) < 2_000_000, True)


def large():
    """Bounds are for what hangs: a minute for each thing that a reader does."""
    path = view(module_of(100_000), "large.html", TARGETS[:1])
    print(f"100,000 ops: {os.path.getsize(path) / 1e6:.1f} MB")
    with Browser(1600, 900, 60) as browser:
        begin = time.monotonic()
        browser.open(path)
        browser.settle()
        print(f"opened in {time.monotonic() - begin:.1f} s")
        browser.run("columns.forEach(c => c.set(c.on || ['llvm', 'assembly'].some(k => stages.find(s => s.name === c.name && s.kind === k))))")
        begin = time.monotonic()
        for part in range(1, 11):
            browser.run(f"document.querySelectorAll('.body').forEach(b => {{ b.scrollTop = b.scrollHeight * {part} / 10; }})")
            browser.settle()
        print(f"scrolled ten times in {time.monotonic() - begin:.1f} s")
        expect("rows that are drawn", browser.run("document.querySelectorAll('.row').length") < 800, True)
        begin = time.monotonic()
        last = browser.run("sitesInOrder[sitesInOrder.length - 1]")
        browser.run(f"thrown.type = 'int'; choose([{last}], null)")
        browser.settle()
        print(f"chose the last call in {time.monotonic() - begin:.1f} s")
        expect("chosen in each column", browser.run("visibleColumns().filter(c => c.view instanceof Rows && !c.view.rows.querySelector('.chosen')).map(c => c.name)"), [])
        expect("boxes", browser.run(BOXES)["wrong"], [])
        no_errors(browser)


def pictures(folder):
    with Browser(1500, 760) as browser:
        browser.open(view(program("bank_transfer")))
        browser.resize(1300, 640)

        def shoot(name, columns, function, thrown):
            browser.run(f"columns.forEach(c => c.set({json.dumps(columns)}.includes(c.name)))")
            op = browser.run(f"[...moduleSites].find(([, at]) => at[0].f.name === '{function}' && at[0].site.steps.length > 2)[0]")
            browser.run(f"thrown.type = {json.dumps(thrown)}; choose([{op}], null)")
            browser.settle()
            browser.screenshot(os.path.join(folder, name))

        shoot("view.png", ["Structured CIR", "ABI CIR · linux-gnu", "Graph", "Throw here"], "batch", "Insufficient")
        shoot("view-tables.png", ["Structured CIR", "Tables · linux-gnu", "Tables · windows-msvc", "Assembly · linux-gnu"], "batch", "Insufficient")


CASES = {f.__name__: f for f in (answers, marks, colours, links, stages, shares, graph, boxes, keys, paper, source, names, size, large)}

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--circ", required=True)
    parser.add_argument("case", choices=[*CASES, "pictures"])
    parser.add_argument("to", nargs="?")
    options = parser.parse_args()
    if not find():
        sys.exit("there is no Chromium here; install it (Debian: chromium)")
    with tempfile.TemporaryDirectory(prefix="circ-view-") as options.folder:
        if options.case == "pictures":
            pictures(options.to)
        else:
            CASES[options.case]()
    print("\n".join(failures[:20]))
    sys.exit(bool(failures))
