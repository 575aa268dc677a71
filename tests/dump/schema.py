#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every JSON output keeps to its schema, which takes nothing else, and says what the text says.

schema.py MTGRAPH-DUMP SAMPLE SCHEMA-DIRECTORY SAVE-GRAPHS [--code CODE-OBJECT...] [--pairs SAVE-PAIRS]
          [--programs PROGRAM [--arguments ARGUMENT...]]
"""
import argparse
import copy
import json
import os
import subprocess
import sys
import tempfile

try:
    import jsonschema
except ImportError:
    print("skipped: python3-jsonschema is not installed")
    sys.exit(77)

parser = argparse.ArgumentParser()
parser.add_argument("dump")
parser.add_argument("sample")
parser.add_argument("schemas")
parser.add_argument("save_graphs")
parser.add_argument("--code", nargs="*", default=[])
parser.add_argument("--pairs")
parser.add_argument("--programs", nargs="*", default=[])
parser.add_argument("--arguments", nargs="*", default=[], help="each program runs once with each of them, and without")
options = parser.parse_args()


def validator(name):
    with open(os.path.join(options.schemas, name + ".schema.json")) as file:
        schema = json.load(file)
    jsonschema.Draft7Validator.check_schema(schema)
    return jsonschema.Draft7Validator(schema)


validators = {name: validator(name) for name in ("show", "check", "trace", "diff", "replay", "timeline")}


def run(*args, codes=(0,), **changes):
    done = subprocess.run([options.dump, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          env={**os.environ, **changes})
    assert done.returncode in codes, (args, done)
    return done


def parse(name, done):
    told = json.loads(done.stdout)
    error = jsonschema.exceptions.best_match(validators[name].iter_errors(told))
    assert not error, (done.args, error)
    assert told["format_version"] == 1 and told["format"] == "mtgraph-dump " + name
    return told


def output(*args, codes=(0,), **changes):
    return parse(args[0], run(*args, codes=codes, **changes))


def objects(told):
    """All objects in it; not those of a list after the first few."""
    if isinstance(told, dict):
        yield told
    members = told.values() if isinstance(told, dict) else told[:40] if isinstance(told, list) else []
    for member in members:
        yield from objects(member)


def check_refuses(name, told):
    """A word that the schema does not know must be refused, or it proves nothing."""
    told = copy.deepcopy(told)
    for place in objects(told):
        place["colour"] = "red"
        assert not validators[name].is_valid(told), f"the schema of {name} takes anything in {place}"
        del place["colour"]
        for key, value in list(place.items()):
            place[key] = [{"no": "value"}]
            assert not validators[name].is_valid(told), f"the schema of {name} takes anything as {key}"
            place[key] = value


# What was seen to differ.
seen = set()


def verdict_text(update):
    if update["can_update"]:
        return "B can update A"
    text = "B cannot update A: " + update.get("result", update["error_text"])
    if "node" in update:
        text += ", at node {node} of graph {graph} in B ({type})".format(**update["node"])
    return text


def check_diff(a, b, *args):
    """As JSON what the text has, line by line."""
    as_json = run("diff", "--json", *args, a, b, codes=(0, 1))
    told = parse("diff", as_json)
    done = run("diff", *args, a, b, codes=(0, 1))
    lines = done.stdout.decode().splitlines()
    if "--no-update" in args:
        assert "update" not in told
    else:
        assert lines.pop() == verdict_text(told["update"]), (done.stdout, told)
    assert lines == ["no difference"] or len(lines) == told["difference_count"], (lines, told)
    assert told["difference_count"] == len(told["differences"])
    assert done.returncode == as_json.returncode == (told["difference_count"] > 0)
    new = {d.get("parameter", d["kind"]) for d in told["differences"]} - seen
    for line, difference in zip(lines, told["differences"]):
        assert difference["value_a"] != difference["value_b"], difference
        if "node_a" in difference:
            node = difference["node_a"]
            assert line.startswith("node {node} ".format(**node)) and f"({node['type']}): " in line, (line, node)
    if new or not told["differences"]:
        check_refuses("diff", told)
    seen.update(new)
    return told


def check_sample(work):
    path, other = os.path.join(work, "sample.mtgraph"), os.path.join(work, "other.mtgraph")
    subprocess.run([options.sample, path], check=True)
    subprocess.run([options.sample, other, "other_kernel"], check=True)
    for view in ("nodes", "chain", "sites", "queues", "memory"):
        output("show", "--" + view, "--json", path)
    for code in options.code:
        output("show", "--json", code)
    told = output("show", "--json", path)
    kernels = [n["kernel"] for n in told["nodes"] if n["type"] == "kernel"]
    assert kernels == ['do"it\\\ufffd\n\x1b'] * 3, kernels
    assert not validators["show"].is_valid(dict(told, colour="red"))
    told = output("check", "--json", "--hints", path)
    assert not validators["check"].is_valid(dict(told, colour="red"))
    assert not check_diff(path, path, "--no-update")["differences"]
    told = check_diff(path, other, "--no-update")
    assert [d["value_b"] for d in told["differences"]] == ["other_kernel"] * 3, told
    told = output("timeline", "--json", path)
    assert told["execs"][0]["launches"][0]["spans"][1]["duration_ns"] == 600, told
    assert "exit_code" not in told
    check_refuses("timeline", told)

    # What the sample lacks: its code objects. The differences are known all the same.
    told = output("diff", "--json", path, other, codes=(3,))
    assert told["incomplete"] and told["difference_count"] == 3 and "update" not in told, told
    told = output("replay", "--json", path, codes=(3,))
    assert told["incomplete"], told
    check_refuses("replay", told)

    # A damaged file is told as such, and what was written before is JSON all the same.
    with open(path, "r+b") as file:
        file.seek(1000)
        byte = file.read(1)[0]
        file.seek(1000)
        file.write(bytes([byte ^ 0xff]))
    for command in ("show", "check", "replay", "timeline"):
        assert output(command, "--json", path, codes=(3,))["incomplete"]
    for files in ((path, other), (other, path), ("/nowhere", other), (other, "/nowhere")):
        told = output("diff", "--json", "--no-update", *files, codes=(3,))
        assert told["incomplete"] and "difference_count" not in told, told
    for args in (["diff", "--json", path], ["replay", "--json"], ["timeline", "--json"],
                 ["timeline", "--json", "--chrome", "trace.json", path]):
        assert not run(*args, codes=(2,)).stdout


def replay(path, *args, code, **changes):
    told = output("replay", "--json", *args, path, codes=(code,), **changes)
    check_refuses("replay", told)
    return told


def check_replays(work):
    subprocess.run([options.save_graphs, work], check=True)
    path = {name: os.path.join(work, name + ".mtgraph") for name in ("plain", "other", "off", "race", "loop", "large", "host")}

    told = replay(path["plain"], "--count", "3", code=0)
    assert told["nodes"] == 2 and told["runs"] == 3 and "compare" not in told, told
    assert 0 < told["shortest_ns"] <= told["mean_ns"], told
    assert replay(path["plain"], "--compare", code=0)["compare"] == {"same": True}
    for seed in range(1, 21):
        done = run("replay", "--json", "--compare", "--count", "5", "--schedule", f"random:{seed}", path["race"],
                   codes=(0, 1))
        if done.returncode:
            break
    told = parse("replay", done)
    check_refuses("replay", told)
    assert not told["compare"]["same"] and told["compare"]["run"] == told["runs"], told
    assert [(d["kind"], d["bytes"], d["bytes_differ"]) for d in told["compare"]["differences"]] == \
        [("device", 256, 256)], told
    told = replay(path["loop"], code=1, MUSA_MOCK_WHILE_CAP="10")
    assert told["error"]["step"] == "run" and told["runs"] == 0 and "mean_ns" not in told, told
    told = replay(path["large"], code=1)
    assert told["error"]["step"] == "launch" and told["error"]["name"] == "musaErrorMemoryAllocation", told
    assert replay(path["host"], code=3)["incomplete"]
    replay(path["host"], "--skip-host", code=0)

    assert check_diff(path["plain"], path["plain"])["update"]["can_update"]
    told = check_diff(path["plain"], path["other"])
    assert told["update"] == {"can_update": True} and told["differences"][0]["parameter"] == "value", told
    told = check_diff(path["plain"], path["off"])
    assert [(d["kind"], d["value_a"], d["value_b"]) for d in told["differences"]] == [("disabled", False, True)], told
    assert check_diff(path["plain"], path["race"])["update"]["result"] == "topology changed"
    told = output("timeline", "--json", path["plain"])
    assert [s["label"] for s in told["execs"][0]["launches"][0]["spans"]] == ["memset", "memcpy"], told
    check_refuses("timeline", told)
    assert output("timeline", "--json", path["host"], codes=(3,))["incomplete"]


def check_pairs(work):
    """Differences of every kind, in files of one process and of two."""
    folders = [os.path.join(work, name) for name in ("one", "two")]
    for folder in folders:
        os.mkdir(folder)
        subprocess.run([options.pairs, folder], check=True)
    pairs = len(os.listdir(folders[0])) // 2
    assert pairs
    results = set()
    for number in range(pairs):
        a = os.path.join(folders[0], f"{number}-a.mtgraph")
        told = check_diff(a, os.path.join(folders[0], f"{number}-b.mtgraph"))
        results.add(told["update"].get("result"))
        check_diff(a, os.path.join(folders[1], f"{number}-b.mtgraph"), "--no-update")
    assert results >= {None, "topology changed", "node type changed", "parameters changed", "attributes changed",
                       "not supported"}, results
    assert seen >= {
        "access policy window", "address", "argument", "arguments", "block", "bodies", "bytes", "cluster", "condition",
        "cooperative", "copy kind", "data", "default value", "dependencies", "depth", "device", "disabled",
        "dynamic shared bytes", "element bytes", "event", "function", "grid", "height", "memory", "memory sync domain",
        "memory sync domain map", "nested graphs", "nodes", "pitch", "position", "priority", "semaphore",
        "semaphore value", "semaphores", "shared memory carveout", "type", "value", "width"}, seen


def check_program(program, arguments):
    told = output("trace", "--json", "--", program, *arguments)
    assert len(told["events"]) >= 2, told
    assert not validators["trace"].is_valid(dict(told, colour="red"))
    told["events"][1]["ev"] = "surprise"
    assert not validators["trace"].is_valid(told)
    told = output("check", "--json", "--hints", "--", program, *arguments, codes=(0, 1))
    if told["finding_count"]:
        found = (told["program_findings"] + [f for file in told["files"] for f in file["findings"]])[0]
        found["kind"] = "surprise"
        assert not validators["check"].is_valid(told)
    done = run("timeline", "--json", "--", program, *arguments, codes=(0, 3))
    told = parse("timeline", done)
    if "faults" in os.path.basename(program):
        # These are not launched.
        assert ("execs" in told) == (arguments not in (["after-free"], ["unjoined"])), told
    assert done.returncode == (0 if "execs" in told else 3)
    assert told.get("exit_code", 0) == 0 and ("execs" in told) == ("exit_code" in told), told
    check_refuses("timeline", told)


def check_printing(work, program):
    """What a program and its kernels print goes elsewhere."""
    words = b"the program prints\n", b"the kernel has 5\n"
    done = run("timeline", "--json", "--", program, "prints")
    parse("timeline", done)
    assert all(w in done.stderr for w in words), done
    folder = os.path.join(work, "prints")
    os.mkdir(folder)
    subprocess.run([program, "prints"], check=True, stdout=subprocess.DEVNULL, env={**os.environ, "MUSA_GRAPH_SAVE": folder})
    saved, = [os.path.join(folder, name) for name in os.listdir(folder)]
    done = run("replay", saved)
    assert words[1] in done.stdout, done
    for command in ("replay", "timeline"):
        done = run(command, "--json", saved)
        parse(command, done)
        assert words[1] in done.stderr, done
    # The exit status is the program's, unless there is nothing to tell.
    run("timeline", "--json", "--", program, "no such fault", codes=(3,))
    done = run("timeline", "--json", "--", "sh", "-c", '"$0" none; exit 7', program, codes=(7,))
    assert parse("timeline", done)["exit_code"] == 7
    assert output("timeline", "--json", "--", "/nowhere", codes=(3,))["incomplete"]


with tempfile.TemporaryDirectory() as work:
    check_sample(work)
    check_replays(work)
    if options.pairs:
        check_pairs(work)
    for program in options.programs:
        for argument in [[]] + [[a] for a in options.arguments]:
            check_program(program, argument)
        if "prints" in options.arguments and "faults" in os.path.basename(program):
            check_printing(tempfile.mkdtemp(dir=work), program)
