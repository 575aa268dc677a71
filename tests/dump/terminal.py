#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Colours and progress bars are for terminals only: terminal.py MTGRAPH-DUMP SAMPLE LARGE"""
import os
import pty
import select
import subprocess
import sys
import tempfile
import time

dump, sample, large = sys.argv[1:4]


def on_terminal(*args, hold_s=0, **changes):
    """Output and status of a run whose standard streams are a terminal that stands still at first."""
    pid, fd = pty.fork()
    if not pid:
        os.environ.update(TERM="xterm")
        os.environ.pop("NO_COLOR", None)
        os.environ.update(changes)
        os.execv(dump, [dump] + list(args))
    output = b""
    time.sleep(hold_s)
    while True:
        try:
            piece = os.read(fd, 65536)
        except OSError:
            break
        if not piece:
            break
        output += piece
    return output, os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def piped(*args):
    done = subprocess.run([dump] + list(args), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return done.stdout + done.stderr, done.returncode


def messages(*args, hold_s, terminal):
    """What comes on standard error, a terminal or a pipe, while nobody takes standard output for so long.

    The tool has to wait then, so that it takes as long, however fast the machine is."""
    ours, theirs = pty.openpty() if terminal else os.pipe()
    child = subprocess.Popen([dump, *args], stdout=subprocess.PIPE, stderr=theirs, env=dict(os.environ, TERM="xterm"))
    os.close(theirs)
    time.sleep(hold_s)
    text, sources = b"", [ours, child.stdout.fileno()]
    while sources:
        for fd in select.select(sources, [], [])[0]:
            try:
                piece = os.read(fd, 65536)
            except OSError:  # the other end of a terminal is closed
                piece = b""
            if not piece:
                sources.remove(fd)
            elif fd == ours:
                text += piece
    os.close(ours)
    child.stdout.close()
    assert child.wait() == 0, (args, text)
    return text


def check_progress(work):
    path = os.path.join(work, "large.mtgraph")
    subprocess.run([large, path, "4000"], check=True)
    for view in (["--nodes"], ["--nodes", "--json"]):
        text = messages("show", *view, path, hold_s=1.3, terminal=True)
        assert text.startswith(b"\rnodes [") and b"%" in text, text
        assert text.endswith(b"\r\033[K"), text  # wiped
        assert not messages("show", *view, path, hold_s=1.3, terminal=False)
    # Work that is done at once, and output that shows itself how far it is.
    assert not messages("show", "--memory", path, hold_s=1.3, terminal=True)
    text, status = on_terminal("show", "--nodes", path, hold_s=1.3)
    assert status == 0 and b"nodes [" not in text


with tempfile.TemporaryDirectory() as work:
    check_progress(work)
    path = os.path.join(work, "sample.mtgraph")
    subprocess.run([sample, path], check=True)
    coloured, status = on_terminal("show", "--nodes", path)
    assert status == 0 and b"\033[" in coloured, coloured
    for changes in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        plain, status = on_terminal("show", "--nodes", path, **changes)
        assert status == 0 and b"\033" not in plain, (changes, plain)
    text, status = piped("show", "--nodes", path)
    assert status == 0 and b"\033" not in text
    # A name with an escape sequence cannot reach the terminal.
    assert b"\\x1b" in plain and b"\\xff" in plain
    # What a person does: help, a wrong word, no words at all, a file that is none.
    for args, want in ((["--help"], 0), (["show", "--help"], 0), (["replay", "--help"], 0),
                       (["diff", "--help"], 0), (["--version"], 0), ([], 2), (["shwo"], 2),
                       (["show"], 2), (["show", "--colour", path], 2),
                       (["show", "--nodes", "--sites", path], 2), (["show", "/nowhere"], 3),
                       (["show", "/etc/passwd"], 3), (["show", work], 3), (["replay", path], 3),
                       (["replay", "--count", "x", path], 2), (["replay", "--count"], 2),
                       (["diff", path], 2)):
        output, status = on_terminal(*args)
        assert status == want, (args, status, output)
        assert output, args
    full = subprocess.run([dump, "show", "--nodes", path], stdout=open("/dev/full", "w"),
                          stderr=subprocess.PIPE)
    assert full.returncode == 3 and full.stderr
