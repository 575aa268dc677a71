#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Chooses what runs in the VM, writes the plan that `init` follows, and lists the files it needs.

usage: plan.py BUILD_ROOT OUT_PLAN OUT_FILES [NAME...]

The API tests are those that meson registers for the mock: the same programs, on the drm backend.
With NAMEs only tests whose PHASE/NAME contains one of them. With VM_VERBOSE set the module tells which
calls it refuses, and the library says more, too.
"""
import json
import os
import shlex
import subprocess
import sys

UAPI = ["info", "memory", "sharing", "jobs", "semaphores", "timelines", "loss"]

# Programs that are not for the VM: the same work under other schedules of the mock, and failures that
# its environment variables inject.
EXCLUDED_PROGRAMS = ["model-random", "memory-refused", "exec-refused_launch",
                     "run-device_launch-random", "run-device_launch_refused-random"]

# Tests of tools need an interpreter and files of their own.
EXCLUDED_SUITES = ["dump"]

# Files that programs are given by name.
TEST_FILES = {
    "DRIVER_KERNELS": "tests/driver/kernels.mubin",
    "SEMAPHORE_PARTNER": "tests/run/semaphore-partner",
}

# Suites that look at how much memory is free: one test at a time, because here all processes share
# one device.
SERIAL_SUITES = ["memory", "exec", "driver"]

# Tests of the mock's own environment variables, by program.
EXCLUDED_TESTS = {
    "run-dependencies": ["dependencies/random_schedules"],
    "run-independent": ["independent/one_worker_and_a_watchdog_give_an_error"],
}

# Programs that run again under other schedules of the process that plays the card.
SCHEDULED_PROGRAMS = ["model-fifo", "run-chain", "run-dependencies", "run-device_launch",
                      "run-reported"]
SCHEDULES = ["random:1", "random:2"]

# Programs that a card without kernels cannot begin, and tests that need kernels without saying so.
KERNEL_SUITES = ["examples", "model", "driver"]
KERNEL_PROGRAMS = ["graph-attributes", "run-dependencies", "run-device_launch", "run-launch_cost"]
KERNEL_TESTS = {
    "driver_api": ["driver_api/devices", "driver_api/modules_and_launches"],
    "graph-memory_nodes": ["memory_nodes/in_a_body"],
    "run-reported": ["reported/destroying_running_execs"],
}

# Repeated and random work at a tenth, as in the sanitizer builds.
REDUCED = {"DAG_GRAPHS": "100", "DEEP_CHAIN": "100000", "MODEL_SEQUENCES": "30",
           "CHURN_ROUNDS": "200", "LOOP_PASSES": "100000"}
FIRE_ROUNDS = 100

TEST_SECONDS = 240
# Numbers of musaError.
ERROR_NO_DEVICE = 100
ERROR_DRIVER_MISMATCH = 803
SIM = "gen=sim devices=2 vram_mb=1024 hang_ms=12000"
SILICON = "devices=2 vram_mb=1024 hang_ms=6000"


def meson_tests(build):
    text = subprocess.run(["meson", "introspect", "--tests", build], check=True,
                          capture_output=True, text=True).stdout
    return json.loads(text)


class Plan:
    def __init__(self, build, names):
        self.build = build
        self.names = names
        self.lines = []
        self.phase_name = ""
        self.files = set()
        self.api = [t for t in meson_tests(build) if t["env"].get("MUSA_BACKEND") == "mock"]

        self.verbose = " verbose=1" if os.environ.get("VM_VERBOSE") else ""

    def wanted(self, name):
        return not self.names or any(n in f"{self.phase_name}/{name}" for n in self.names)

    def program(self, path):
        self.files.add(path)
        return "/tests/" + os.path.basename(path)

    def vm_program(self, name):
        return self.program(os.path.join(self.build, "tests/vm", name))

    def script(self, name):
        return self.program(os.path.join(os.path.dirname(os.path.abspath(__file__)), name))

    def phase(self, name, parameters, env=None):
        self.phase_name = name
        self.lines.append(f"phase {name} {parameters}{self.verbose}")
        for key, value in (env or {}).items():
            self.lines.append(f"env {key}={value}")

    def test(self, name, command, seconds=TEST_SECONDS, user="test"):
        if self.wanted(name):
            self.lines.append(f"{user} {name} {seconds} {command}")

    def uapi(self, names):
        for name in names:
            self.test("uapi-" + name,
                      self.vm_program("uapi_" + name))

    def api_tests(self, kernels=True, only=None):
        programs = EXCLUDED_PROGRAMS + ([] if kernels else KERNEL_PROGRAMS)
        for entry in self.api:
            name = entry["name"]
            suite = entry["suite"][0].split(":")[-1]
            if (only and name not in only) or (suite in KERNEL_SUITES and not kernels):
                continue
            if suite in EXCLUDED_SUITES:
                continue
            excluded = EXCLUDED_TESTS.get(name, [])
            if not kernels:
                excluded = excluded + KERNEL_TESTS.get(name, [])
            if not self.wanted(name) or any(name.startswith(prefix) for prefix in programs):
                continue
            if suite == "examples":
                self.test(name, self.program(os.path.join(self.build, entry["cmd"][-1])))
                continue
            command = [self.program(entry["cmd"][0])] + entry["cmd"][1:] + ["--tap=/tmp/tap"]
            if suite in SERIAL_SUITES:
                command.append("-j1")
            if excluded:
                command += ["--filter", "!(" + "|".join(excluded) + ")"]
            self.test(name, " ".join(shlex.quote(c) for c in command))

    def end(self):
        self.lines.append("end")


def main():
    build, out_plan, out_files, *names = sys.argv[1:]
    plan = Plan(build, names)
    plan.files.add(os.path.join(build, "subprojects/mtgpu-sim/mtgpu-gpu"))
    api_env = {"MUSA_BACKEND": "drm", **REDUCED}
    for name, path in TEST_FILES.items():
        api_env[name] = plan.program(os.path.join(build, path))
    if plan.verbose:
        api_env["MUSA_LOG"] = "debug"

    plan.phase("sim", SIM, api_env)
    plan.uapi(UAPI)
    plan.test("api-info", plan.vm_program("api_info") + " pci")
    plan.test("api-fire", f"{plan.vm_program('api_fire')} {FIRE_ROUNDS}")
    plan.test("api-loss", plan.vm_program("api_loss"))
    plan.vm_program("uapi_hold")
    plan.vm_program("api_open")
    plan.test("server", plan.script("server.sh"), user="root")
    plan.api_tests()
    plan.end()

    for schedule in SCHEDULES:
        plan.lines.append(f"gpu --workers 2 --schedule {schedule}")
        plan.phase("sim-" + schedule.replace(":", "-"), SIM, api_env)
        plan.api_tests(only=SCHEDULED_PROGRAMS)
        plan.end()

    plan.phase("mp_22", "gen=mp_22 " + SILICON, api_env)
    plan.lines.append("without-kernels")
    plan.uapi(UAPI)
    plan.test("api-info", plan.vm_program("api_info") + " pci")
    plan.test("api-fire", f"{plan.vm_program('api_fire')} {FIRE_ROUNDS}")
    plan.test("api-loss", plan.vm_program("api_loss"))
    plan.test("api-silicon", plan.vm_program("api_silicon"))
    plan.api_tests(kernels=False)
    plan.end()

    # Found by the driver's name, because it has no place on a bus.
    plan.phase("platform", "gen=mp_31 platform=1 vram_mb=1024", api_env)
    plan.uapi(["info", "sharing"])
    plan.test("api-info", plan.vm_program("api_info") + " platform")
    plan.end()

    # In use: not unloaded, and taken away under a client.
    plan.phase("in-use", "gen=mp_21")
    plan.vm_program("uapi_hold")
    plan.test("unload", plan.script("unload.sh"), user="root")
    plan.end()

    said = plan.script("said.sh")
    for name, version in (("older", 21), ("newer", 23)):
        plan.phase(name, f"gen=sudi ioctl_version={version}", api_env)
        plan.test("refused", f"{said} {ERROR_DRIVER_MISMATCH} 'does not offer version 22'")
        plan.end()

    plan.phase("permission", "gen=sudi", api_env)
    plan.test("refused", f"{said} {ERROR_NO_DEVICE} 'renderD128: permission denied.*group render'",
              user="stranger")
    tools = [os.path.join(build, "tools", t) for t in ("mtgraph-dump", "examples/fork_join")]
    if all(os.path.exists(tool) for tool in tools):
        for tool in tools:
            plan.program(tool)
        plan.test("dump", plan.script("dump.sh"), user="stranger")
    plan.test("allowed", plan.vm_program("api_open"))
    plan.test("nodes", plan.script("nodes.sh"), user="root")
    plan.end()

    with open(out_plan, "w", encoding="utf-8") as out:
        out.write("\n".join(plan.lines) + "\n")
    with open(out_files, "w", encoding="utf-8") as out:
        out.write("\n".join(sorted(plan.files)) + "\n")


if __name__ == "__main__":
    main()
