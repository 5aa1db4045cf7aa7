#!/usr/bin/env python3
"""Runs every measurement of this folder, prints the tables in Markdown, and draws the ratios as an SVG.

    bench/all.py --circ build/bin/circ --svg ratios.svg > tables.md     # half an hour
    bench/all.py --circ build/bin/circ --quick --svg ratios.svg         # minutes: smaller modules, fewer rounds
    bench/all.py --circ build/bin/circ --tables docs/internals/performance.md --svg docs/internals/performance.svg    # what is written there, drawn

Each measurement is a program of its own, which says what it does; what it lacks (a peer, Wine, the corpus) it leaves out with a note.
The drawing has a bar for each row with a ratio in it: below 1, circ takes less than its peer.
"""
import os
import re
import subprocess
import sys
from xml.sax.saxutils import escape

sys.dont_write_bytecode = True
from run import arguments  # noqa: E402  (beside this file)

HERE = os.path.dirname(os.path.abspath(__file__))
# What is run, in the order of the tables, and what makes it quick. windows.py needs a prefix of Wine's: see there.
PROGRAMS = {
    "run.py": ["--quick"],
    "corpus.py": ["--every", "25", "--rounds", "1"],
    "peers.py": ["--quick"],
    "raise.py": ["--quick"],
    "growth.py": ["--quick"],
    "structured.py": ["--quick"],
    "threads.py": ["--functions", "1000", "--rounds", "1"],
    "throws.py": ["--quick"],
    "own.py": ["--quick"],
    "faults.py": ["--quick"],
    "fault_times.py": ["--quick"],
    "programs.py": [],
    "targets.py": ["--quick"],
    "wasm.py": ["--quick"],
    "jit.py": ["--quick"],
    "debug.py": ["--seeds", "1"],
    "explain.py": ["--quick"],
}
RATIO = re.compile(r"\*\*([0-9.]+)\*\*")
FIGURE = re.compile(r"\**[0-9][0-9./*%]*( [^ ]{1,5})?( / .*| to .*)?")
LEFT, WIDTH, LINE, LARGEST = 560, 320, 16, 2.0


def measure(program, circ, quick):
    """Runs one program; what it prints is shown as it comes, and returned."""
    argv = [sys.executable, os.path.join(HERE, program), "--circ", circ, *(PROGRAMS[program] if quick else [])]
    lines = []
    with subprocess.Popen(argv, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            sys.stdout.write(line)
            sys.stdout.flush()
            lines.append(line.rstrip("\n"))
    if process.returncode:
        sys.exit(f"{program}: exit status {process.returncode}")
    return lines


def label(head, cells, at):
    """A row's words up to its first figure, and the column, where several of its columns are ratios."""
    words = []
    for name, cell in zip(head, cells[:at]):
        if FIGURE.fullmatch(cell):
            words += [f"{name} {cell}"] if not words and cell.isdigit() else []
            break
        words += [cell] if cell else []
    if sum(RATIO.fullmatch(cell) is not None for cell in cells) > 1:
        peer = head[at - 1]
        column = head[at] if head[at] != "ratio" else peer if head.count(peer) == 1 else head[at - 2]
        words.append("(memory)" if "memory" in column else f"({column})")
    return " ".join(words)


def ratios(lines):
    """[(title, [(label, ratio)…])…] of the tables among the lines. A ratio whose column says what is divided by what is no comparison."""
    found, title, head, above = [], "", [], ""
    for line in lines:
        if line.startswith("#"):
            title, head = line.lstrip("# "), []
        elif line.startswith("|"):
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            if not head:
                head, above = cells, ""
                continue
            above = cells[0] = cells[0] or above
            for at, cell in enumerate(cells[:len(head)]):
                match = RATIO.fullmatch(cell)
                if match and " of one / " not in head[at] and " of the first / " not in head[at]:
                    if not found or found[-1][0] != title:
                        found.append((title, []))
                    found[-1][1].append((label(head, cells, at), float(match.group(1))))
        elif line:
            head = []
    return found


def svg(groups):
    y, parts = 2 * LINE, []
    one = LEFT + WIDTH / LARGEST
    for title, rows in groups:
        y += LINE // 2
        parts.append(f'<text x="8" y="{y}" font-weight="bold">{escape(title.replace("`", ""))}</text>')
        y += LINE
        for label, ratio in rows:
            length = min(ratio, LARGEST) / LARGEST * WIDTH
            colour = "#3a7d44" if ratio <= 1.0 else "#b5651d"
            parts.append(f'<text x="{LEFT - 8}" y="{y}" text-anchor="end">{escape(label.replace("`", ""))}</text>'
                         f'<rect x="{LEFT}" y="{y - 10}" width="{length:.1f}" height="11" fill="{colour}"/>'
                         f'<text x="{LEFT + length + 6:.1f}" y="{y}">{ratio:.2f}</text>')
            y += LINE
    parts.append(f'<line x1="{one}" x2="{one}" y1="{LINE}" y2="{y}" stroke="#333" stroke-dasharray="3 3"/>')
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + WIDTH + 60}" height="{y + LINE}" font-family="sans-serif" '
            f'font-size="11"><rect width="100%" height="100%" fill="#fff"/>'
            f'<text x="{one}" y="{LINE - 4}" text-anchor="middle">circ / peer = 1</text>' + "\n".join(parts) + "</svg>\n")


def main():
    args = arguments(__doc__, quick="a minute or two, for the first digit")
    args.add_argument("--svg", help="where to draw the ratios")
    args.add_argument("--only", help="comma-separated programs of this folder")
    args.add_argument("--tables", help="measure nothing, and draw the tables of this Markdown file")
    options = args.parse_args()
    lines = open(options.tables, encoding="utf-8").read().split("\n") if options.tables else []
    for program in [] if options.tables else options.only.split(",") if options.only else PROGRAMS:
        lines += measure(program, options.circ, options.quick)
    if options.svg:
        groups = ratios(lines)
        if not groups:
            sys.exit("no table has a ratio: nothing to draw")
        with open(options.svg, "w", encoding="utf-8") as out:
            out.write(svg(groups))


if __name__ == "__main__":
    main()
