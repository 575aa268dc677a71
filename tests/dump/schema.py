#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every JSON output keeps to the schema: schema.py MTGRAPH-DUMP SAMPLE SCHEMA [CODE-OBJECT...]"""
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

dump, sample, schema_path = sys.argv[1:4]
with open(schema_path) as file:
    schema = json.load(file)
jsonschema.Draft7Validator.check_schema(schema)
with tempfile.TemporaryDirectory() as work:
    path = os.path.join(work, "sample.mtgraph")
    subprocess.run([sample, path], check=True)
    runs = [["show", "--json", path]]
    runs += [["show", "--" + view, "--json", path]
             for view in ("nodes", "chain", "sites", "queues", "memory")]
    runs += [["show", "--json", code] for code in sys.argv[4:]]
    for run in runs:
        text = subprocess.run([dump] + run, check=True, stdout=subprocess.PIPE).stdout
        output = json.loads(text)
        jsonschema.validate(output, schema, cls=jsonschema.Draft7Validator)
        assert output["format_version"] == 1
    kernels = [n["kernel"] for n in json.loads(
        subprocess.run([dump, "show", "--json", path], check=True, stdout=subprocess.PIPE).stdout
    )["nodes"] if n["type"] == "kernel"]
    assert kernels == ['do"it\\\ufffd\n\x1b'] * 3, kernels
    # A word that the schema does not know must be refused, or it proves nothing.
    output["colour"] = "red"
    try:
        jsonschema.validate(output, schema, cls=jsonschema.Draft7Validator)
    except jsonschema.ValidationError:
        sys.exit(0)
    sys.exit("the schema takes anything")
