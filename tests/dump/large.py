#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A million nodes: what streams takes no more memory than for few, pictures fold, and nothing is quadratic.

large.py MTGRAPH-DUMP LARGE
"""
import os
import subprocess
import sys
import tempfile

dump, large = (os.path.realpath(path) for path in sys.argv[1:3])

FEW, MANY = 100_000, 1_000_000


def cost(*args, codes=(0,)):
    """Processor time and memory of a run."""
    with open(os.devnull, "w") as nothing:
        child = subprocess.Popen([dump, *args], stdout=nothing)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    assert child.returncode in codes, (args, child.returncode)
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss // 1024


def check(name, few, many, streams):
    seconds, mib = zip(few, many)
    print(f"{name}: {seconds[0]:.2f} s, {seconds[1]:.2f} s; {mib[0]} MiB, {mib[1]} MiB")
    # Ten times the nodes: a hundred times as long would be quadratic.
    assert seconds[1] < 30 * max(seconds[0], 0.05), name
    assert mib[1] < (mib[0] + 8 if streams else 20 * mib[0]), name


with tempfile.TemporaryDirectory() as work:
    os.chdir(work)
    for count in (FEW, MANY):
        subprocess.run([large, f"{count}.mtgraph", str(count)], check=True)
        subprocess.run([large, f"other-{count}.mtgraph", str(count), "1"], check=True)
    for args, streams in ((["show"], True), (["show", "--json"], True), (["show", "--nodes"], True), (["check"], False),
                          (["diff", "--no-update"], False), (["draw", "-o", "picture.svg"], False)):
        runs = []
        for count in (FEW, MANY):
            files = [f"{count}.mtgraph"] * (2 if args[0] == "diff" else 1)
            runs.append(cost(*args, *files))
        check(" ".join(args), *runs, streams)
        if args[0] == "diff":
            equal = runs
    # Differences are told as they are found: a million of them take no memory.
    for args in (["diff", "--no-update"], ["diff", "--no-update", "--json"]):
        runs = [cost(*args, f"{count}.mtgraph", f"other-{count}.mtgraph", codes=(1,)) for count in (FEW, MANY)]
        check(" ".join(args) + ", all differ", *runs, False)
        assert runs[1][1] < equal[1][1] + 8, (args, runs, equal)
    # The picture of a million nodes: one round, so many times.
    with open("picture.svg", encoding="utf-8") as file:
        text = file.read()
    assert text.count('class="node"') < 50 and "111111 times in a row" in text, text[:2000]
