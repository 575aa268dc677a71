#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every JSON output keeps to its schema.

schema.py MTGRAPH-DUMP SAMPLE SCHEMA-DIRECTORY [--code CODE-OBJECT...] [--programs PROGRAM [--arguments ARGUMENT...]]
"""
import argparse
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
parser.add_argument("--code", nargs="*", default=[])
parser.add_argument("--programs", nargs="*", default=[])
parser.add_argument("--arguments", nargs="*", default=[], help="each program runs once with each of them, and without")
options = parser.parse_args()


def validator(name):
    with open(os.path.join(options.schemas, name + ".schema.json")) as file:
        schema = json.load(file)
    jsonschema.Draft7Validator.check_schema(schema)
    return jsonschema.Draft7Validator(schema)


validators = {name: validator(name) for name in ("show", "check", "trace")}


def output(*args, codes=(0,)):
    done = subprocess.run([options.dump, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert done.returncode in codes, (args, done)
    told = json.loads(done.stdout)
    validators[args[0]].validate(told)
    assert told["format_version"] == 1
    return told


def check_refuses(name, told):
    """A word that the schema does not know must be refused, or it proves nothing."""
    assert not validators[name].is_valid(dict(told, colour="red")), f"the schema of {name} takes anything"


with tempfile.TemporaryDirectory() as work:
    path = os.path.join(work, "sample.mtgraph")
    subprocess.run([options.sample, path], check=True)
    for view in ("nodes", "chain", "sites", "queues", "memory"):
        output("show", "--" + view, "--json", path)
    for code in options.code:
        output("show", "--json", code)
    told = output("show", "--json", path)
    kernels = [n["kernel"] for n in told["nodes"] if n["type"] == "kernel"]
    assert kernels == ['do"it\\\ufffd\n\x1b'] * 3, kernels
    check_refuses("show", told)
    check_refuses("check", output("check", "--json", "--hints", path))

    # A damaged file is told as such, and what was written before is JSON all the same.
    with open(path, "r+b") as file:
        file.seek(1000)
        byte = file.read(1)[0]
        file.seek(1000)
        file.write(bytes([byte ^ 0xff]))
    for command in ("show", "check"):
        assert output(command, "--json", path, codes=(3,))["incomplete"]

for program in options.programs:
    for argument in [[]] + [[a] for a in options.arguments]:
        told = output("trace", "--json", "--", program, *argument)
        assert len(told["events"]) >= 2, told
        check_refuses("trace", told)
        told["events"][1]["ev"] = "surprise"
        assert not validators["trace"].is_valid(told)
        told = output("check", "--json", "--hints", "--", program, *argument, codes=(0, 1))
        if told["finding_count"]:
            found = (told["program_findings"] + [f for file in told["files"] for f in file["findings"]])[0]
            found["kind"] = "surprise"
            assert not validators["check"].is_valid(told)
