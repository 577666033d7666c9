"""Evaluate the pages' JavaScript in Node, which only tests need."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

ASSETS = Path(__file__).parents[2] / "assets"
PROGRAM = """
const [body, ...modules] = process.argv.slice(1);
const all = Object.assign({}, ...(await Promise.all(modules.map((name) => import(name)))));
const run = new Function(...Object.keys(all), `return (${body});`)(...Object.values(all));
const given = await new Response(process.stdin).text();
console.log(JSON.stringify((await run(...JSON.parse(given))) ?? null));
"""


def evaluate(modules, function, *arguments):
    """Call a JavaScript function with what these modules of `assets` export, and return its result.

    Arguments and result are JSON, in which NaN and infinity are null.
    """
    if shutil.which("node") is None and os.environ.get("CI") != "true":
        pytest.skip("there is no Node")
    files = [(ASSETS / f"{name}.js").as_uri() for name in modules]
    command = ["node", "--input-type=module", "-e", PROGRAM, "--", function, *files]
    given = json.dumps(arguments).encode()
    ran = subprocess.run(command, input=given, capture_output=True, check=False)
    assert ran.returncode == 0, ran.stderr.decode()
    return json.loads(ran.stdout)
