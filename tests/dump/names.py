#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Names of kernels that break careless writers, in DOT, JSON and text: names.py MTGRAPH-DUMP SAMPLE"""
import json
import os
import re
import subprocess
import sys
import tempfile

dump, sample = (os.path.realpath(path) for path in sys.argv[1:3])

names = [b"k<int, A<B>>", b"a|b{c}", b'say "so"', b"ends with a backslash\\", b"two\nlines", b"%s%n%d", b"\xff\xfe no text",
         b"", b"x" * 20000, b"<b>bold</b>", b"\\N\\G\\E", b"/* */ // #", "grüße".encode(), b"_Z", b"_ZZZZ", b"-> ;"]


def call(*args):
    done = subprocess.run(args, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert done.returncode == 0, (args, done.stderr)
    return done


def counts(dot):
    """Node and edge statements as Graphviz reads them, and the longest quoted text."""
    done = call("dot", "-Tcanon", dot)
    assert not done.stderr, done.stderr
    with open(dot, "rb") as written:
        longest = max(len(text) for text in re.findall(rb'"(?:[^"\\]|\\.)*"', written.read(), re.S))
    assert longest <= 16384, longest
    canonical = re.sub(rb'"(?:[^"\\]|\\.)*"', b"T", done.stdout, flags=re.S)
    return len(re.findall(rb"^\s*g\d+n\d+\s*\[", canonical, re.M)), canonical.count(b"->")


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    seen = set()
    for name in names:
        call(sample, "s.mtgraph", name)
        call(dump, "draw", "s.mtgraph", "-o", "s.dot")
        seen.add(counts("s.dot"))
        for ending in ("svg", "pdf"):
            call(dump, "draw", "s.mtgraph", "-o", "s." + ending)
        kernels = [node["kernel"] for node in json.loads(call(dump, "show", "--nodes", "--json", "s.mtgraph").stdout)["nodes"]
                   if "kernel" in node]
        told = [k["name"] if isinstance(k, dict) else k for k in kernels]
        assert told and set(told) == {name.decode("utf-8", "replace")}, (name[:50], told[:1])
        for view in ("--nodes", "--chain", "--sites"):
            text = call(dump, "show", view, "s.mtgraph").stdout
            text.decode()  # always UTF-8
            assert not re.search(rb"[\x00-\x08\x0b-\x1f\x7f]", text), name[:50]
    assert len(seen) == 1, seen
    nodes, edges = seen.pop()
    assert nodes > 5 and edges > 5, (nodes, edges)
