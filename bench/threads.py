#!/usr/bin/env python3
"""Measures what `circ -j N` saves, and prints a table in Markdown.

    bench/threads.py --circ build/bin/circ                  # 10,000 functions, -O0, one object
    bench/threads.py --circ build/bin/circ --functions 2000 --jobs 1 2 4

Elapsed time says something on a quiet machine only. CPU time by thread holds on a busy one, too: work is what all threads used together,
path what the busiest one used, which is how long the command would take with a core for each; speed-up is the work of `-j 1` over the
path. Figures are medians; the numbers of threads take turns. The objects are compared byte by byte.

What two threads can gain at best is the machine's: two commands with a thread each are run at once, too, and what each of them takes
longer than alone, two threads take longer as well. Its ideal is 2.00.
"""
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time

sys.dont_write_bytecode = True
from run import arguments  # noqa: E402  (beside this file)

HERE = os.path.dirname(os.path.abspath(__file__))
LOOK_EVERY = 0.01


def thread_times(pid, seen):
    """Adds the CPU seconds of each living thread so far to `seen`."""
    folder = f"/proc/{pid}/task"
    try:
        for tid in os.listdir(folder):
            with open(f"{folder}/{tid}/schedstat", encoding="ascii") as f:
                seen[tid] = int(f.read().split()[0]) / 1e9
    except OSError:  # it ended
        pass


def measure(argv):
    """Runs a command; returns (elapsed, work, path) in seconds."""
    seen = {}
    begin = time.monotonic()
    process = subprocess.Popen(argv)
    ended = threading.Event()

    def look():
        while not ended.wait(LOOK_EVERY):
            thread_times(process.pid, seen)

    watcher = threading.Thread(target=look)
    watcher.start()
    _, status, usage = os.wait4(process.pid, 0)
    elapsed = time.monotonic() - begin
    process.returncode = os.waitstatus_to_exitcode(status)
    ended.set()
    watcher.join()
    if process.returncode:
        sys.exit(f"{' '.join(argv)}: exit status {process.returncode}")
    work = usage.ru_utime + usage.ru_stime
    return elapsed, work, min(work, max(seen.values(), default=work))


def at_once(commands):
    """Runs commands at the same time; returns the seconds until the last has ended."""
    begin = time.monotonic()
    processes = [subprocess.Popen(argv) for argv in commands]
    codes = [process.wait() for process in processes]
    if any(codes):
        sys.exit(f"exit status {codes}")
    return time.monotonic() - begin


def main():
    args = arguments(__doc__)
    args.add_argument("--functions", type=int, default=10000)
    args.add_argument("--jobs", type=int, nargs="+", default=[1, 2])
    args.add_argument("--rounds", type=int, default=5)
    args.add_argument("--options", type=str.split, default=["-O0"], help='of circ: --options="-O0 --target=x86_64-pc-windows-msvc"')
    options = args.parse_args()
    figures = {jobs: [] for jobs in options.jobs}
    bounds = []
    with tempfile.TemporaryDirectory() as folder:
        text = os.path.join(folder, "module.cir")
        with open(text, "w", encoding="ascii") as out:
            subprocess.run([sys.executable, os.path.join(HERE, "flat_module.py"), "--functions", str(options.functions)],
                           stdout=out, check=True)
        first = None
        for _ in range(options.rounds):
            for jobs in options.jobs:
                made = os.path.join(folder, "module.o")
                figures[jobs].append(measure([options.circ, *options.options, f"-j{jobs}", "-c", text, "-o", made]))
                with open(made, "rb") as f:
                    data = f.read()
                first = first or data
                if data != first:
                    sys.exit(f"-j{jobs} makes other bytes")
            single = [options.circ, *options.options, "-j1", "-c", text, "-o"]
            alone = at_once([[*single, os.path.join(folder, "0.o")]])
            both = at_once([[*single, os.path.join(folder, f"{i}.o")] for i in range(2)])
            bounds.append(2 * alone / both)
    median = {jobs: [statistics.median(f[i] for f in runs) for i in range(3)] for jobs, runs in figures.items()}
    one = median[options.jobs[0]]
    print(f"### Threads: `circ -j N`, {options.functions} functions, {' '.join(options.options)}; the same bytes for all\n")
    print("| threads | work | path | work of the first / path | elapsed | elapsed of the first / elapsed |")
    print("|---|---|---|---|---|---|")
    for jobs, (elapsed, work, path) in median.items():
        print(f"| {jobs} | {work:.2f} s | {path:.2f} s | {one[1] / path:.2f} | {elapsed:.2f} s | {one[0] / elapsed:.2f} |")
    print(f"\nTwo commands at once, with a thread each, do {statistics.median(bounds):.2f} times the work of one: the machine's own limit.")


if __name__ == "__main__":
    main()
