# SPDX-License-Identifier: MIT
"""trace, timeline and check over programs: each planted fault is found once, and nothing else is.

programs.py MTGRAPH-DUMP FAULTS FAULTS-RECORDED [EXAMPLE...]
"""
import json
import os
import subprocess
import sys
import tempfile

TOOL, FAULTS, RECORDED, EXAMPLES = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:]

GOOD = ["none", "columns", "halves", "memory", "recorded", "joined"]
BAD = {
    "missing-edge": ("unordered access", [1, 4]),
    "wide-column": ("unordered access", [0, 1]),
    "same-half": ("unordered access", [0, 1]),
    "never-freed": ("never freed", [0]),
    "after-free": ("use after free", [1, 2]),
    "idle-copy": ("no effect", [0]),
    "idle-kernel": ("no effect", [0]),
    "unrecorded": ("event never recorded", [0]),
    "unjoined": ("unjoined branch", None),
}


# One of the examples takes two devices.
environment = dict(os.environ, MUSA_MOCK_DEVICES="2")


def run(*args, code=0):
    done = subprocess.run([TOOL, *args], capture_output=True, text=True, timeout=120, env=environment)
    assert done.returncode == code, (args, done.returncode, done.stdout, done.stderr)
    return done.stdout


def findings(*args, code):
    report = json.loads(run("check", "--json", *args, code=code))
    assert report["format_version"] == 1
    found = list(report.get("program_findings", []))
    for file in report["files"]:
        found += file["findings"]
    assert len(found) == report["finding_count"]
    return found


def check_faults():
    for name in GOOD:
        assert not findings("--", RECORDED, name, code=0), name
    for name, (kind, nodes) in BAD.items():
        found = findings("--", RECORDED, name, code=1)
        assert len(found) == 1, (name, found)
        assert found[0]["kind"] == kind and found[0]["text"] and found[0]["fix"], (name, found)
        if nodes is not None:
            assert [n["node"] for n in found[0]["nodes"]] == nodes, (name, found)
    exact = findings("--", RECORDED, "same-half", code=1)[0]["range"]
    assert exact["bytes"] == 32 and exact["exact"]
    # Without recorded accesses the halves of one pointer cannot be told apart.
    assert not findings("--", FAULTS, "halves", code=1)[0]["range"]["exact"]
    assert not findings("--", FAULTS, "none", code=0)
    # Nothing was checked: that is no success.
    run("check", "--", "true", code=3)
    run("check", "--", "false", code=3)
    run("check", "--", "/no/such/program", code=3)


def check_examples():
    assert EXAMPLES
    for example in EXAMPLES:
        assert not findings("--", example, code=0), example
        assert not findings("--hints", "--", example, code=0), example


def trace():
    report = json.loads(run("trace", "--json", "--", FAULTS, "none"))
    events = [e["ev"] for e in report["events"]]
    for name in ["start", "instantiate", "launch", "exec_destroy"]:
        assert name in events, (name, events)
    made = next(e for e in report["events"] if e["ev"] == "instantiate")
    assert made["nodes"] == 5 and made["edges"] == 5 and made["packets"] > 3, made
    assert any("diamond" in a["place"] or "launch" in a["place"] for a in made["at"]), made
    assert report["summary"]["launch"]["calls"] == 1
    text = run("trace", "--no-times", "--", FAULTS, "unjoined")
    assert "is not joined" in text and "musaErrorStreamCaptureUnjoined" in text, text
    assert "instantiate exec 1: 5 nodes, 5 edges" in run("trace", "--", FAULTS, "none")
    run("trace", "--", FAULTS, "no such fault", code=8)
    run("trace", "--", "/no/such/program", code=3)
    run("trace", code=2)


def timeline():
    text = run("timeline", "--", FAULTS, "none")
    assert "exec 1, launch 0: 4 nodes" in text and "kernel add" in text, text
    with tempfile.TemporaryDirectory() as directory:
        chrome = os.path.join(directory, "trace.json")
        run("timeline", "--chrome", chrome, "--", FAULTS, "none")
        with open(chrome) as file:
            spans = [e for e in json.load(file)["traceEvents"] if e["ph"] == "X"]
        assert sorted(s["args"]["node"] for s in spans) == [0, 1, 2, 4], spans
        by_node = {s["args"]["node"]: s for s in spans}
        for before, after in [(0, 1), (0, 2), (1, 4), (2, 4)]:
            end = by_node[before]["ts"] + by_node[before]["dur"]
            assert end <= by_node[after]["ts"] + 0.001, (before, after, spans)
        subprocess.run([FAULTS, "none"], check=True,
                       env={**os.environ, "MUSA_GRAPH_SAVE": directory})
        saved = next(os.path.join(directory, f) for f in os.listdir(directory)
                     if f.endswith(".mtgraph"))
        first = run("timeline", "--keep", saved)
        assert "4 nodes" in first, first
        assert run("timeline", saved) == run("timeline", saved)
        assert not findings(saved, code=0)


check_faults()
check_examples()
trace()
timeline()
