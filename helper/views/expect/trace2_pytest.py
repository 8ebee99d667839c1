"""What git logs in a test of pytest: `from trace2_pytest import git_trace2`.

    def test_status_preloads_the_index(git_trace2):
        git_trace2("region index/preload", "no child *maintenance*",
                   run=["git", "status"])

Returns the finished process. trace2-expect(1) explains assertions.
"""

import os
import subprocess

import pytest


@pytest.fixture
def git_trace2(tmp_path):
    """git_trace2(*assertions, run=words, **options of subprocess.run)"""
    def check(*assertions, run, **options):
        log = tmp_path / f"trace2-{len(list(tmp_path.iterdir()))}"
        log.mkdir()
        names = {"GIT_TRACE2_EVENT": str(log), "GIT_TRACE2_EVENT_NESTING": "100"}
        options["env"] = {**(options.get("env") or os.environ), **names}
        done = subprocess.run(run, check=False, **options)
        expect = [os.environ.get("TRACE2", "trace2"), "expect", "--nesting", "100"]
        told = subprocess.run([*expect, log, "--", *assertions], text=True,
                              capture_output=True, check=False)
        assert told.returncode == 0, told.stdout + told.stderr
        return done
    return check
