"""A runner of GitHub's, as far as an action of `run:` steps can tell.

    job = Job(root, scratch, env)
    result = job.run([{"run": "..."}, {"uses": "./", "with": {...}}])

Steps run in a workspace. Each gets files for its outputs and variables, as
GitHub's runner gives them, and expressions in its texts are replaced before.
"""

import re
import subprocess
from collections import namedtuple

import yaml

Result = namedtuple("Result", "code output matchers outputs")
EXPRESSION = re.compile(r"\$\{\{\s*([\w.-]+)\s*\}\}")
SHELLS = {
    "bash": ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c"],
    "sh": ["sh", "-ec"],
}


class Job:
    def __init__(self, root, place, env):
        self.root, self.env, self.count = root, dict(env), 0
        self.workspace, self.temp = place / "workspace", place / "temp"
        for folder in (self.workspace, self.temp):
            folder.mkdir()
        self.output = ""
        self.context = {"github.workspace": str(self.workspace),
                        "runner.temp": str(self.temp)}

    def text(self, value, context):
        """An expression that is not known is an error, not an empty text."""
        return EXPRESSION.sub(lambda m: context[m[1]], str(value))

    def file(self, name):
        self.count += 1
        path = self.temp / f"{name}-{self.count}"
        path.touch()
        return path

    def run_step(self, step, context, where, extra):
        outputs, variables = self.file("output"), self.file("env")
        env = {k: self.text(v, context)
               for k, v in step.get("env", {}).items()}
        done = subprocess.run(
            [*SHELLS[step.get("shell", "bash")],
             self.text(step["run"], context)],
            cwd=self.workspace, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True,
            env={**self.env, **extra, **env, "GITHUB_ACTIONS": "true",
                 "CI": "true", "GITHUB_WORKSPACE": str(self.workspace),
                 "RUNNER_TEMP": str(self.temp), "GITHUB_OUTPUT": str(outputs),
                 "GITHUB_ENV": str(variables)})
        self.output += done.stdout
        self.env.update(pairs(variables))
        for name, value in pairs(outputs).items():
            context[f"{where}{step.get('id')}.outputs.{name}"] = value
        return done.returncode

    def run_action(self, step):
        """A composite action: its steps, with its inputs."""
        action = yaml.safe_load((self.root / "action.yml").read_text())
        assert action["runs"]["using"] == "composite"
        given = step.get("with", {})
        assert set(given) <= set(action["inputs"]), "an unknown input"
        context = dict(self.context)
        for name, row in action["inputs"].items():
            value = given.get(name, row.get("default", ""))
            context[f"inputs.{name}"] = self.text(value, self.context)
        extra = {"GITHUB_ACTION_PATH": str(self.root)}
        code = 0
        for inner in action["runs"]["steps"]:
            assert inner["shell"], "a composite action names the shell"
            code = code or self.run_step(inner, context, "steps.", extra)
        for name, row in action["outputs"].items():
            value = self.text(row["value"], context)
            self.context[f"steps.{step.get('id')}.outputs.{name}"] = value
        return code

    def run(self, steps):
        code = 0
        for step in steps:
            if code and step.get("if") != "always()":
                continue
            here = (self.run_action(step) if "uses" in step else
                    self.run_step(step, self.context, "steps.", {}))
            code = code or here
        matchers = re.findall(r"^::add-matcher::(.*)$", self.output, re.M)
        return Result(code, self.output, matchers, self.context)


def pairs(path):
    lines = path.read_text().splitlines()
    return dict(line.split("=", 1) for line in lines)
