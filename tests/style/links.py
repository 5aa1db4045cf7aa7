#!/usr/bin/env python3
"""links.py SOURCE_DIR: every link between the pages (*.md) leads to a file that is there, and to a heading of it; what the pages about the library name is
in its headers."""
import glob, os, re, sys

LINK = re.compile(r"\]\(([^)\s#]*)(?:#([^)\s]+))?\)")
FENCE = re.compile(r"^```.*?^```$", re.M | re.S)


def anchors(path):
    """As GitHub makes them: lower case, no punctuation, blanks to dashes."""
    headings = re.findall(r"^#+ (.*)$", FENCE.sub("", open(path).read()), re.M)
    return {re.sub(r"[^\w\- ]", "", h.lower()).replace(" ", "-") for h in headings}


def check(page):
    for target, anchor in LINK.findall(FENCE.sub("", open(page).read())):
        if re.match(r"\w+:", target):
            continue
        path = os.path.normpath(os.path.join(os.path.dirname(page), target)) if target else page
        if not os.path.exists(path):
            yield "%s: no file '%s'" % (page, target)
        elif anchor and anchor not in anchors(path):
            yield "%s: no heading '#%s' in '%s'" % (page, anchor, target or page)


def check_names(page, headers):
    for name in sorted(set(re.findall(r"\bcirc_[a-z0-9_]+", open(page).read()))):
        if not name.endswith(("_", "_static")) and not re.search(r"\b%s\b" % name, headers):
            yield "%s: no function '%s'" % (page, name)


os.chdir(sys.argv[1])
pages = [p for folder in ("", "docs/**/", "src/**/", "tests/**/", "bench/", "examples/") for p in glob.glob(folder + "*.md", recursive=True)]
wrong = [line for page in sorted(pages) for line in check(page)]
library = "".join(open(h).read() for h in glob.glob("include/circ/*.h"))
wrong += [line for page in ("docs/api.md", "docs/from-llvm-c.md") for line in check_names(page, library)]
print("\n".join(wrong))
sys.exit(bool(wrong) or not pages)
