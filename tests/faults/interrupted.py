#!/usr/bin/env python3
"""What becomes of outputs when circ is killed, also with -j, when two processes write one, and where it must not write:
interrupted.py --circ build/bin/circ BIG.cir SMALL.cir. An output is the old file or a whole new one; what may lie beside it after kill -9 is told in
docs/command.md."""
import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

OLD = b"as it was"


class Failure(Exception):
    pass


def read(path):
    with open(path, "rb") as file:
        return file.read()


def write_old(path):
    with open(path, "wb") as file:
        file.write(OLD)


def compile_to(circ, source, out):
    subprocess.run([circ, "-O2", "-c", source, "-o", out], check=True)
    return read(out)


def check(folder, allowed, temporaries, names=("out",)):
    """Each output is one of those, and nothing lies beside them; a name of circ's own may, whole, for a process that was killed."""
    for name in names:
        content = read(os.path.join(folder, name))
        if content not in allowed:
            raise Failure(f"'{name}' has {len(content)} bytes that are not those of any whole file")
    for name in set(os.listdir(folder)).difference(names):
        path = os.path.join(folder, name)
        if not temporaries or not name.startswith(".circ-") or read(path) not in allowed:
            raise Failure(f"'{name}' was left behind")
        os.unlink(path)


def kill_at_random(command, names, folder, rounds):
    """The command makes those files in the folder, one after the other."""
    paths = [os.path.join(folder, name) for name in names]
    begin = time.monotonic()
    subprocess.run(command, check=True, cwd=folder)
    length = time.monotonic() - begin
    wholes = [read(path) for path in paths]
    made = [0] * (len(names) + 1)
    for _ in range(rounds):
        for path in paths:
            write_old(path)
        with subprocess.Popen(command, cwd=folder) as process:
            time.sleep(random.uniform(0, length * 1.2))
            process.send_signal(signal.SIGKILL)
        check(folder, (OLD, *wholes), True, names)
        new = [read(path) != OLD for path in paths]
        done = sum(new)
        if [read(path) for path in paths] != wholes[:done] + [OLD] * (len(names) - done):
            raise Failure(f"files were not made in the order of the inputs: {new}")
        made[done] += 1
    print(f"killed {rounds} times {' '.join(command[1:])}\n  " + ", ".join(f"{i} made: {n} times" for i, n in enumerate(made)))


def kill_on_threads(circ, sources, folder, rounds):
    """Several inputs at once, then the parts of one."""
    inputs = folder + ".in"
    os.mkdir(inputs)
    names = []
    for i in range(6):
        path = os.path.join(inputs, f"{i}.cir")
        with open(path, "wb") as file:
            file.write(read(sources[i % 2]))
        names.append(path)
    kill_at_random([circ, "-O2", "-j2", "-c", *names], [f"{i}.o" for i in range(6)], folder, rounds)
    for name in os.listdir(folder):
        os.unlink(os.path.join(folder, name))
    kill_at_random([circ, "--part-ops=1", "-j2", "-c", sources[0], "-o", "out"], ["out"], folder, rounds)


def kill_while_linking(circ, source, folder, rounds):
    """The linker is told nothing of it: it may go on, but only in the folder for temporary files."""
    out, tmp = os.path.join(folder, "out"), folder + ".tmp"
    os.mkdir(tmp)
    environment = dict(os.environ, TMPDIR=tmp)
    command = [circ, "--cxxlib=libstdc++", source, "-o", out]
    begin = time.monotonic()
    subprocess.run(command, check=True, env=environment)
    length = time.monotonic() - begin
    whole = read(out)
    if os.listdir(tmp):
        raise Failure(f"linking left {os.listdir(tmp)}")
    for _ in range(rounds):
        write_old(out)
        with subprocess.Popen(command, env=environment) as process:
            time.sleep(random.uniform(0, length * 1.2))
            process.send_signal(signal.SIGKILL)
        check(folder, (OLD, whole), True)


def race(circ, sources, folder, rounds):
    out = os.path.join(folder, "out")
    wholes = [compile_to(circ, source, out) for source in sources]
    for _ in range(rounds):
        write_old(out)
        both = [subprocess.Popen([circ, "-O2", "-c", source, "-o", out]) for source in sources]
        if any(process.wait() for process in both):
            raise Failure("one of two processes with the same output failed")
        check(folder, wholes, False)


def read_only(circ, source, folder):
    """Root may write everywhere: the command is run as somebody else then."""
    who = {"user": 65534, "group": 65534} if os.geteuid() == 0 else {}
    try:
        subprocess.run([circ, "--verify-only", source], check=True, capture_output=True, cwd="/", **who)
    except (OSError, subprocess.SubprocessError):
        print("not tried: a folder that is read only, since nobody else than root can run circ here")
        return
    out = os.path.join(folder, "out")
    write_old(out)
    os.chmod(out, 0o666)
    os.chmod(os.path.dirname(folder), 0o755)
    os.chmod(folder, 0o555)
    try:
        for path in (out, os.path.join(folder, "new")):
            done = subprocess.run([circ, "-c", source, "-o", path], capture_output=True, text=True, check=False, cwd="/", **who)
            if done.returncode != 3 or f"cannot write '{path}': Permission denied" not in done.stderr:
                raise Failure(f"in a folder that is read only: exit status {done.returncode}: {done.stderr}")
    finally:
        os.chmod(folder, 0o755)
    check(folder, (OLD,), False)


def main():
    args = argparse.ArgumentParser(description=__doc__)
    args.add_argument("--circ", required=True)
    args.add_argument("--rounds", type=int, default=20)
    args.add_argument("big")
    args.add_argument("small")
    options = args.parse_args()
    seed = random.randrange(1 << 32)
    random.seed(seed)
    with tempfile.TemporaryDirectory() as top:
        folders = [os.path.join(top, name) for name in ("kill", "threads", "link", "race", "read")]
        for folder in folders:
            os.mkdir(folder)
        try:
            kill_at_random([options.circ, "-O2", "-c", options.big, "-o", "out"], ["out"], folders[0], options.rounds)
            kill_on_threads(options.circ, (options.big, options.small), folders[1], options.rounds)
            kill_while_linking(options.circ, options.small, folders[2], options.rounds // 3)
            race(options.circ, (options.big, options.small), folders[3], options.rounds // 3)
            read_only(options.circ, options.small, folders[4])
        except Failure as failure:
            print(f"FAILED (seed {seed}): {failure}")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
