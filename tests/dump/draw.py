#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Pictures of saved graphs: every format is what it says, the marked path is a longest one, big graphs fold.

Usage: draw.py MTGRAPH-DUMP DRAW-GRAPHS ADD-TIMES
"""
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

dump, program, add_times = sys.argv[1:4]


def call(*args):
    return subprocess.run(args, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def draw(file, output, *options):
    done = call(dump, "draw", file, "-o", output, *options)
    assert done.returncode == 0, done.stderr
    return output


def read(dot):
    """Nodes by name and edges of a picture, through Graphviz."""
    done = call("dot", "-Tdot_json", dot)
    assert done.returncode == 0, done.stderr
    picture = json.loads(done.stdout)
    objects = picture.get("objects", [])
    names = {o["_gvid"]: o["name"] for o in objects}
    nodes = {o["name"]: o for o in objects if not o["name"].startswith("cluster")}
    edges = [(names[e["tail"]], names[e["head"]], e) for e in picture.get("edges", [])]
    return picture, nodes, edges


def check_formats(file, folder):
    for ending, begins in (("png", b"\x89PNG\r\n"), ("pdf", b"%PDF-"), ("svg", b"<?xml"), ("dot", b"digraph"),
                           ("gv", b"digraph")):
        with open(draw(file, f"{folder}/picture.{ending}"), "rb") as drawn:
            assert drawn.read().startswith(begins), ending
    assert call("dot", "-Tsvg", "-o", f"{folder}/again.svg", f"{folder}/picture.dot").returncode == 0
    with open(f"{folder}/picture.svg", encoding="utf-8") as drawn:
        assert "</svg>" in drawn.read()


def check_longest(file, folder, graph="g0", weights="weight_nodes"):
    """Recomputes the longest path over all nodes of one graph, and compares it with what is marked."""
    _, nodes, edges = read(draw(file, f"{folder}/whole.dot", "--limit", "0"))
    weight = {n: int(o[weights]) for n, o in nodes.items() if n.startswith(graph + "n")}
    edges = [(a, b, e) for a, b, e in edges if a in weight and b in weight]
    before = {n: [] for n in weight}
    for tail, head, _ in edges:
        before[head].append(tail)
    longest = {}
    for node in sorted(weight, key=lambda n: int(re.sub(r".*n", "", n))):  # made in topological order
        longest[node] = weight[node] + max((longest[b] for b in before[node]), default=0)
    marked = [n for n in longest if nodes[n].get("critical") == "true"]
    assert sum(weight[n] for n in marked) == max(longest.values())
    pairs = {(a, b) for a, b, e in edges if e.get("critical") == "true"}
    for tail, head in zip(marked, marked[1:]):
        assert tail in before[head], (tail, head)
        assert (tail, head) in pairs, (tail, head)
    assert len(pairs) == len(marked) - 1
    return marked, nodes


def check_times(diamond, random_graph, folder):
    """Where a file has times, they are the weights: the mean over launches."""
    timed = shutil.copy(diamond, folder + "/timed")
    # 0 -> 1 -> 4 beside 0 -> 2 -> 3 -> 4: fewer nodes, and the longer way.
    subprocess.run([add_times, timed, "0:0:0:0:10", "0:1:0:10:310", "0:2:0:10:60", "0:3:0:60:110", "0:4:0:310:320",
                    "0:0:1:1000:1030", "0:1:1:1030:1130", "0:2:1:1030:1180", "0:3:1:1180:1200", "0:4:1:1200:1210"], check=True)
    marked, nodes = check_longest(timed, folder, weights="weight_ns")
    assert marked == ["g0n0", "g0n1", "g0n4"], marked
    assert [int(nodes[f"g0n{n}"]["weight_ns"]) for n in range(5)] == [20, 200, 100, 35, 10]
    picture, _, _ = read(f"{folder}/whole.dot")
    assert "230 ns" in picture["label"], picture["label"]
    # Times of its own for each of 200 nodes, and none for some.
    timed = shutil.copy(random_graph, folder + "/random")
    subprocess.run([add_times, timed] + [f"0:{n}:0:0:{n * 7919 % 1000}" for n in range(0, 200) if n % 5], check=True)
    by_count = check_longest(random_graph, folder)[0]
    by_time, nodes = check_longest(timed, folder, weights="weight_ns")
    assert by_time != by_count
    assert int(nodes["g0n7"]["weight_ns"]) == 7 * 7919 % 1000 and int(nodes["g0n5"]["weight_ns"]) == 0
    # Times that the tool measures itself.
    timed = shutil.copy(diamond, folder + "/measured")
    assert call(dump, "timeline", "--keep", timed).returncode == 0
    _, nodes = check_longest(timed, folder, weights="weight_ns")
    assert any(int(nodes[f"g0n{n}"]["weight_ns"]) for n in range(5))


def check_debug_dot(folder):
    """What musaGraphDebugDotPrint() has written, but for the graph of thousands of nodes: a layout of that takes long."""
    for number in (1, 2, 4):
        for kind, begins in (("png", b"\x89PNG\r\n"), ("pdf", b"%PDF-")):
            done = subprocess.run(["dot", "-T" + kind, f"{folder}/{number}.gv"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            assert done.returncode == 0 and not done.stderr, (number, kind, done.stderr)
            assert done.stdout.startswith(begins), (number, kind)


with tempfile.TemporaryDirectory() as folder:
    environment = dict(os.environ, MUSA_GRAPH_SAVE=folder)
    subprocess.run([program, folder], check=True, env=environment)
    check_debug_dot(folder)
    diamond, nested, fork_join, random_graph = sorted(
        glob.glob(folder + "/*.mtgraph"), key=lambda name: int(re.findall(r"-(\d+)\.mtgraph", name)[0]))

    check_formats(diamond, folder)
    check_formats(nested, folder)
    marked, nodes = check_longest(diamond, folder)
    assert marked == ["g0n0", "g0n2", "g0n3", "g0n4"], marked
    assert "scale" in nodes["g0n0"]["label"] and "add" in nodes["g0n1"]["label"]
    check_longest(random_graph, folder)
    check_times(diamond, random_graph, folder)

    # What is nested counts in its node: 1 + 3 + 2 + 1 against 1 + 2 + 1.
    marked, nodes = check_longest(nested, folder)
    assert [int(nodes[n]["weight_nodes"]) for n in marked] == [1, 3, 2, 1], marked
    assert len([n for n in nodes if nodes[n].get("critical") == "true"]) == 4 + 3 + 2
    with open(draw(nested, f"{folder}/nested.dot"), encoding="utf-8") as drawn:
        text = drawn.read()
    assert text.count("subgraph") == 2 and "child graph of node 1" in text and "body 0 of node 4" in text

    # 2,701 nodes that repeat: one, then eight side by side and their join, 300 times.
    picture, nodes, edges = read(draw(fork_join, f"{folder}/folded.dot"))
    assert len(nodes) == 3 and len(edges) == 2, nodes
    assert "2701 nodes" in picture["label"] and "shown as 3" in picture["label"], picture["label"]
    labels = "".join(o.get("label", "") for o in picture["objects"])
    assert "300 times in a row" in labels and "8 times side by side" in labels, labels
    # Nothing repeats here: layers, and no more nodes than asked for.
    for limit in (2, 10, 50):
        _, nodes, edges = read(draw(random_graph, f"{folder}/layers.dot", "--limit", str(limit)))
        assert 2 <= len(nodes) <= limit, len(nodes)
        assert any("layer" in o["label"] for o in nodes.values())

    # Wrong use, and files that are none.
    for args, code in ((["draw"], 2), (["draw", diamond], 2), (["draw", diamond, "-o", folder + "/x.txt"], 2),
                       (["draw", diamond, "-o", folder + "/x.png", "--limit", "many"], 2),
                       (["draw", diamond, "-o", folder + "/x.png", "--limit", "1"], 2),
                       (["draw", diamond, diamond, "-o", folder + "/x.png"], 2),
                       (["draw", folder + "/none.mtgraph", "-o", folder + "/x.png"], 3),
                       (["draw", program, "-o", folder + "/x.png"], 3),
                       (["draw", diamond, "-o", folder + "/none/x.png"], 3), (["draw", "--help"], 0)):
        done = call(dump, *args)
        assert done.returncode == code, (args, done.returncode, done.stderr)
        assert done.stderr or code == 0
