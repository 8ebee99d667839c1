"""Runs of git, each recorded in the three formats at once."""

import os
import pty
import subprocess

# What is there before each run.
PREPARE = r"""
set -e
git init -q -b main up
cd up
for i in 1 2 3 4 5 6; do echo $i >f$i; git add .; git commit -qm c$i; done
git checkout -q -b side HEAD~3
for i in 1 2 3; do echo $i >s$i; git add .; git commit -qm s$i; done
git checkout -q main
cd ..
for n in 1 2 3 4; do
	git clone -q up lib$n
	(cd lib$n && echo $n >own && git add . && git commit -qm own)
done
git init -q -b main super
cd super
for n in 1 2 3 4; do git submodule --quiet add "$PWD/../lib$n" m$n; done
git commit -qm modules
cd ..
git clone -q up work
git clone -q --bare up bare.git
(cd work && for n in 1 2 3 4; do git remote add r$n "file://$PWD/../lib$n"; done)
git -C up config uploadpack.allowFilter true
for repository in up lib? super work; do git -C $repository repack -a -d -q; done
"""

# The commands that are recorded, after others and `;;` that are not.
RUNS = {
    "clone-local": "git clone -q up c1",
    "clone-file": 'git clone -q "file://$PWD/up" c2',
    "clone-bare": 'git clone -q --bare "file://$PWD/up" c3',
    "clone-shallow": 'git clone -q --depth 2 "file://$PWD/up" c4',
    "clone-recurse": "git clone -q --recurse-submodules super c5",
    "clone-recurse-jobs": 'git clone -q --recurse-submodules --jobs 4 "file://$PWD/super" c6',
    "clone-partial": 'git clone -q --filter=blob:none "file://$PWD/up" c7',
    "fetch-one": "git -C work fetch -q r1",
    "fetch-multiple": "git -C work fetch -q --multiple r2 r3",
    "fetch-all-jobs": "git -C work fetch -q --all --jobs 4",
    "pull": "git -C work reset -q --hard HEAD~2 ;; git -C work pull -q origin main",
    "push": "git -C work push -q ../bare.git HEAD:refs/heads/pushed",
    "push-file": 'git -C work push -q "file://$PWD/bare.git" HEAD~1:refs/heads/other',
    "submodule-update": "git clone -q super c8; git -C c8 submodule --quiet update --init",
    "submodule-jobs": "git clone -q super c9; git -C c9 submodule --quiet update --init --jobs 4",
    "submodule-status": "git -C super submodule status",
    "submodule-foreach": "git -C super submodule --quiet foreach 'git status -s'",
    "fetch-recurse-jobs": "git clone -q --recurse-submodules super c9 ;; git -C c9 fetch -q --recurse-submodules=yes --jobs 4",
    "rebase": "git -C up checkout -q side; git -C up rebase -q main",
    "rebase-interactive": "GIT_SEQUENCE_EDITOR='git version >/dev/null;:' git -C up rebase -q -i --exec 'git status -s' main~2",
    "gc": "git -C work gc -q",
    "gc-aggressive": "git -C work -c pack.threads=2 gc -q --aggressive --prune=now",
    "repack": "git -C up repack -q -a -d -b",
    "commit-hooks": r"printf '#!/bin/sh\ngit diff --cached --quiet\ngit rev-parse HEAD >/dev/null\n' >work/.git/hooks/pre-commit; printf '#!/bin/sh\ngit log -1 --format=%%h >/dev/null &\ngit status -s >/dev/null\nwait\n' >work/.git/hooks/post-commit; chmod +x work/.git/hooks/p*-commit; echo x >work/x; git -C work add x; git -C work commit -qm x",
    "alias": "git -C work -c alias.st='status -s' st",
    "alias-shell": "git -C work -c alias.two='!git status -s; git rev-parse HEAD' two",
    "alias-shell-parallel": "git -C work -c alias.both='!git log --oneline >/dev/null & git diff HEAD~1 >/dev/null; wait' both",
    "grep-pager": "git -C work -c core.pager='cat >/dev/null' --paginate grep -n 1",
    "log-pager": "GIT_PAGER='git version >/dev/null; cat' git -C work -c core.pager=x --paginate log --oneline",
    "bundle": "git -C work bundle create -q b.bundle --all; git clone -q work/b.bundle c10",
    "worktree": "git -C work worktree add -q ../wt -b wt; git -C work worktree remove ../wt",
    "maintenance": "git -C work maintenance run --quiet --task=gc --task=commit-graph",
    "maintenance-parallel": "git -C lib1 maintenance run -q & git -C lib2 maintenance run -q & git -C lib3 maintenance run -q & git -C lib4 maintenance run -q & wait",
    "status-parallel": "for i in 1 2 3 4; do git -C lib$i status -s & done; wait",
    "log-diff-parallel": "git -C lib1 log -p >/dev/null & git -C lib2 diff HEAD~3 >/dev/null & git -C lib3 fsck >/dev/null 2>&1 & wait",
    "fetch-parallel": 'for i in 1 2 3; do git -C lib$i fetch -q "file://$PWD/up" & done; wait',
    "filter": r"git -C lib4 config filter.u.clean 'git version >/dev/null; cat'; git -C lib4 config filter.u.smudge 'git version >/dev/null; cat'; echo '* filter=u' >lib4/.gitattributes; for i in 1 2 3; do echo $i >lib4/n$i; done; git -C lib4 add .; git -C lib4 stash -q; git -C lib4 stash pop -q",
    "bisect": "git -C lib1 bisect start -q HEAD HEAD~4; git -C lib1 bisect run git rev-parse HEAD >/dev/null; git -C lib1 bisect reset -q",
    "stash": "echo y >>lib2/f1; git -C lib2 stash -q; git -C lib2 stash pop -q",
    "merge": "git -C lib3 fetch -q ../up side; git -C lib3 merge -q --no-edit FETCH_HEAD",
    "cherry-pick": "git -C lib3 fetch -q ../up side ;; git -C lib3 checkout -q -b pick HEAD~1; git -C lib3 cherry-pick FETCH_HEAD >/dev/null",
    "submodule-jobs-8": "git clone -q super c9; git -C c9 submodule --quiet update --init --jobs 8",
    "hooks-push": r"printf '#!/bin/sh\ngit log -1 >/dev/null\n' >work/.git/hooks/pre-push; printf '#!/bin/sh\nwhile read a b c; do git rev-list $b -1 >/dev/null; done\n' >bare.git/hooks/pre-receive; cp bare.git/hooks/pre-receive bare.git/hooks/post-receive; chmod +x work/.git/hooks/* bare.git/hooks/*; git -C work push -q ../bare.git HEAD:refs/heads/pushed",
    "hooks-parallel": r"for n in 1 2 3; do printf '#!/bin/sh\ngit diff --cached --quiet\ngit status -s & git log -1 & wait\n' >lib$n/.git/hooks/pre-commit; chmod +x lib$n/.git/hooks/*; (cd lib$n; echo z >z; git add z; git commit -qm z) & done; wait",
    "alias-nested": "git -C work -c alias.a='b -s' -c alias.b='status --short' a; git -C work -c alias.a='!git b' -c alias.b='log -1' a",
    "alias-parallel": "for n in 1 2 3; do git -C lib$n -c alias.st='status -s' st & git -C lib$n -c alias.l='!git log -1' l & done; wait",
    "gc-auto-detached": "git -C work config gc.auto 1; for i in 1 2 3; do echo $i >work/q$i; git -C work add .; git -C work commit -qm q$i; git -C work gc --auto -q; done; sleep 1",
    "fetch-all-jobs-gc": "git -C work config gc.auto 1; git -C work fetch -q --all --jobs 4; sleep 1",
    "worktrees": "for i in 1 2 3; do git -C work worktree add -q ../wt$i -b wt$i & done; wait; for i in 1 2 3; do git -C wt$i status -s & done; wait",
    "credentials": r"printf 'protocol=https\nhost=x\n\n' | git -C work -c credential.helper='!git version >/dev/null; echo username=a; echo password=b; :' credential fill",
    "filter-scripts": r"printf '#!/bin/sh\ngit rev-parse --git-dir >/dev/null; git config user.name >/dev/null; cat\n' >f.sh; chmod +x f.sh; git -C lib4 config filter.l.clean $PWD/f.sh; git -C lib4 config filter.l.smudge $PWD/f.sh; echo '* filter=l' >lib4/.gitattributes; for i in 1 2 3; do echo $i >lib4/n$i; done; git -C lib4 add .; git -C lib4 commit -qm f; rm lib4/n*; git -C lib4 checkout -q .",
    "bisect-script": "git -C lib1 bisect start -q HEAD HEAD~5; git -C lib1 bisect run sh -c 'git log -1 >/dev/null; git status -s; git diff --quiet' >/dev/null; git -C lib1 bisect reset -q",
    "several-at-once": 'git -C work fetch -q --all --jobs 4 & git -C lib1 gc -q & git clone -q "file://$PWD/up" c2 & git -C lib2 status -s & wait',
    "several-more-at-once": 'git clone -q --recurse-submodules --jobs 4 "file://$PWD/super" c6 & git -C work pull -q origin main & git -C lib2 log -p >/dev/null & (cd lib3; echo w >w; git add w; git commit -qm w) & wait',
    "clone-parallel": 'for i in 1 2 3 4 5; do git clone -q "file://$PWD/up" cc$i & done; wait',
    "pull-parallel": 'for i in 1 2 3; do git clone -q "file://$PWD/up" p$i; git -C p$i reset -q --hard HEAD~2; done ;; for i in 1 2 3; do git -C p$i pull -q & done; wait',
    "push-parallel": 'for i in 1 2 3; do git -C work push -q "file://$PWD/bare.git" HEAD~1:refs/heads/o$i & done; wait',
    "gc-parallel": "for n in 1 2 3 4; do git -C lib$n gc -q & done; wait",
    "commit-parallel": "for n in 1 2 3 4; do (cd lib$n; for i in 1 2; do echo $i >k$i; git add k$i; git commit -qm k$i; done) & done; wait",
    "cat-file-parallel": "git -C work rev-list --all | xargs -P 3 -n 1 git -C work cat-file -p",
    "fetch-all-ssh": r"for n in 1 2 3 4; do git -C work remote set-url r$n ssh://localhost$PWD/lib$n; done; printf '#!/bin/sh\nshift\neval \"$1\"\n' >ssh.sh; chmod +x ssh.sh ;; GIT_SSH=$PWD/ssh.sh git -C work fetch -q --all --jobs 4",
    "failing-parallel": "git -C lib1 rev-parse --verify nothing & git -C lib2 status -s & git -C lib3 nonsense & wait",
    "archive-remote": 'git archive --remote="file://$PWD/bare.git" HEAD >/dev/null',
    "ls-remote": 'git ls-remote -q "file://$PWD/up" >/dev/null',
    "patches": 'git -C work format-patch -q -2 -o "$PWD/mail"; git -C lib2 am -q "$PWD"/mail/*.patch',
}


def environment(home):
    kept = {name: value for name, value in os.environ.items()
            if not name.startswith("GIT_")}
    return {**kept, "HOME": str(home), "LC_ALL": "C", "TZ": "UTC",
            "GIT_CONFIG_NOSYSTEM": "1", "GIT_EDITOR": ":"}


def run(script, where, env, **options):
    return subprocess.run(["sh", "-c", script], cwd=where, env=env, timeout=100,
                          stdin=subprocess.DEVNULL, **options)


def prepare(where):
    where.mkdir(parents=True)
    (where / ".gitconfig").write_text(
        "[user]\nname = a\nemail = a@b\n[protocol \"file\"]\nallow = always\n"
        "[init]\ndefaultBranch = main\ntemplateDir =\n[advice]\ndetachedHead = false\n")
    run(PREPARE, where, environment(where), check=True, capture_output=True)


def record(where, name, logs):
    """Writes logs/NAME.event, .perf and .normal."""
    targets = {f"GIT_TRACE2{suffix}": str(logs / f"{name}.{form}")
               for suffix, form in (("", "normal"), ("_PERF", "perf"),
                                    ("_EVENT", "event"))}
    before, _, script = RUNS[name].rpartition(";;")
    env = environment(where)
    run(before, where, env, check=True, capture_output=True)
    ours, terminal = pty.openpty()  # a pager needs one
    try:
        run(script, where, {**env, **targets}, check=False, stdout=terminal,
            stderr=subprocess.DEVNULL)
    finally:
        os.close(terminal)
        os.close(ours)
