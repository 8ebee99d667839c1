"""`trace2 collect` loads libcurl itself: what it says where that is missing
or another one, and that nothing else needs it."""

import os
import subprocess

import pytest

# The dynamic linker finds no libcurl.
HIDE = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <string.h>

void *dlopen(const char *name, int flags)
{
	void *(*next)(const char *, int) =
		(void *(*)(const char *, int))dlsym(RTLD_NEXT, "dlopen");

	return name && strstr(name, "libcurl") ? NULL : next(name, flags);
}
"""
FAILING = r"""
int curl_global_init(long flags) { (void)flags; return 2; }
int curl_easy_init, curl_easy_setopt, curl_easy_perform, curl_easy_getinfo,
	curl_easy_cleanup, curl_easy_strerror, curl_slist_append,
	curl_slist_free_all;
"""


@pytest.fixture
def library(short_dir, execute):
    """library(name, source): the path of a shared library."""

    def build(name, source):
        (short_dir / "source.c").write_text(source)
        made = execute(["cc", "-shared", "-fPIC", "-o", short_dir / name,
                        short_dir / "source.c", "-ldl"])
        assert made.returncode == 0, made.stderr
        return short_dir / name

    return build


@pytest.fixture
def collect(trace2, short_dir):
    """collect(env, words...): what it did in half a second."""

    def call(env, *words):
        return subprocess.run(
            ["timeout", "-s", "TERM", ".5", trace2, "collect", "--spool",
             short_dir / "spool", "--listen", f"af_unix:stream:{short_dir}/s",
             *words], env={**os.environ, **env}, capture_output=True,
            text=True)

    return call


OTLP = ("--output", "otlp:http://localhost:9")


def test_a_missing_library_is_named_with_its_package(library, collect):
    env = {"LD_PRELOAD": str(library("hide.so", HIDE))}
    done = collect(env, *OTLP)
    assert done.returncode == 2
    assert "libcurl is not installed (Debian: libcurl4)" in done.stderr


def test_other_outputs_do_not_need_the_library(library, collect, short_dir):
    env = {"LD_PRELOAD": str(library("hide.so", HIDE))}
    done = collect(env, "--output", f"files:{short_dir}/logs")
    assert (done.returncode, done.stderr) == (124, "")


@pytest.mark.parametrize("source, said", [
    ("int nothing;", "libcurl lacks a function"),
    (FAILING, "libcurl cannot begin"),
], ids=["empty", "failing"])
def test_a_library_that_is_another_is_refused(source, said, library, collect):
    path = library("libcurl.so.4", source)
    done = collect({"LD_LIBRARY_PATH": str(path.parent)}, *OTLP)
    assert done.returncode == 2
    assert said in done.stderr
