"""A runner of GitHub's, as far as an action of `run:` steps can tell.

    job = Job(root, scratch, env)
    result = job.run([{"run": "..."}, {"uses": "./", "with": {...}}])
    job.pages, job.artifacts: what the job's page and its artifacts hold

Steps run in a workspace. Each gets files for its outputs and variables, as
GitHub's runner gives them, and expressions in its texts are replaced before.
"""

import re
import shutil
import subprocess
from collections import namedtuple

import yaml

Result = namedtuple("Result", "code output matchers outputs")
UNLESS_EMPTY = re.compile(r"(\S+) != ''")
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
        self.output, self.pages, self.artifacts = "", "", {}
        self.context = {"github.workspace": str(self.workspace),
                        "github.token": "t0ken",
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
        page = self.file("summary")
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
                 "GITHUB_ENV": str(variables),
                 "GITHUB_STEP_SUMMARY": str(page)})
        self.output += done.stdout
        self.pages += page.read_text()
        self.env.update(pairs(variables))
        for name, value in pairs(outputs).items():
            context[f"{where}{step.get('id')}.outputs.{name}"] = value
        return done.returncode

    def run_action(self, step):
        """A composite action: its steps, with its inputs."""
        uses = re.sub(r"^OWNER/trace2/?(.*)@v\d+$", r"\1", step["uses"])
        place = self.root / uses
        action = yaml.safe_load((place / "action.yml").read_text())
        assert action["runs"]["using"] == "composite"
        given = step.get("with", {})
        assert set(given) <= set(action["inputs"]), "an unknown input"
        context = dict(self.context)
        for name, row in action["inputs"].items():
            value = given.get(name, row.get("default", ""))
            context[f"inputs.{name}"] = self.text(value, self.context)
        extra = {"GITHUB_ACTION_PATH": str(place)}
        code = 0
        for inner in action["runs"]["steps"]:
            asked = UNLESS_EMPTY.fullmatch(inner.get("if", "x != ''"))[1]
            if not context.get(asked, asked == "x"):
                continue
            if "uses" in inner:
                self.keep_artifact(inner, context)
                continue
            assert inner["shell"], "a composite action names the shell"
            code = code or self.run_step(inner, context, "steps.", extra)
        for name, row in action.get("outputs", {}).items():
            # An output that no step has set is empty.
            value = EXPRESSION.sub(lambda m: context.get(m[1], ""),
                                   row["value"])
            self.context[f"steps.{step.get('id')}.outputs.{name}"] = value
        return code

    def keep_artifact(self, step, context):
        assert step["uses"] == "actions/upload-artifact@v4", "unknown"
        given = {k: self.text(v, context) for k, v in step["with"].items()}
        kept = self.temp / f"artifact-{len(self.artifacts)}"
        shutil.copytree(given["path"], kept)
        self.artifacts[given["name"]] = kept

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
