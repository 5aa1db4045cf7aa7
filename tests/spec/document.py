"""What flat.py and microsoft.py share: the listings of the design document, and how each test is run."""
import argparse
import os
import re
import sys
import tempfile

SKIPPED = 77


def listings(text, section):
    """Code blocks that are not C++ below the headings that begin with `section`, by the heading of their example."""
    level = len(section.split()[0])
    found, inside, heading, block = {}, False, None, None
    for line in text.split("\n"):
        title = re.match(r"(#+) ", line) if block is None else None
        if line.startswith("```"):
            if block is None:
                block = [] if line == "```" else False
            else:
                if block and inside and heading:
                    found.setdefault(heading, []).append("\n".join(block))
                block = None
        elif isinstance(block, list):
            block.append(line)
        elif title and len(title.group(1)) == level:
            inside, heading = line.startswith(section), None
        elif line.startswith("#### Example: "):
            heading = line[len("#### Example: "):]
    return found


def main(doc, section, differences):
    """differences(circ, folder, found): (example, the document's text, circ's) of each that is not as the document says."""
    args = argparse.ArgumentParser(description=doc)
    args.add_argument("--circ", required=True)
    args.add_argument("--shared", required=True)
    options = args.parse_args()
    path = os.path.join(options.shared, "specs", "clangir-cleanup-and-eh-design.md")
    if not os.path.exists(path):
        print(f"SKIPPED: no {path}")
        sys.exit(SKIPPED)
    with open(path, encoding="utf-8") as text:
        found = listings(text.read(), section)
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        for example, want, got in differences(options.circ, folder, found):
            failed = True
            print(f"FAILED {example}\n--- the document\n{want}\n--- circ\n{got}")
    sys.exit(1 if failed else 0)
