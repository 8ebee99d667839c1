"""Reports of several implementations, joined: requirement by implementation.

A report is what `t/conformance --json` writes, or what from_findings() makes
of the findings of `trace2 validate --format=json`.
"""

import re

from kit.kit import ERROR, FAIL, KNOWN, PASS, SKIP, UNIMPLEMENTED
from kit.report import JUDGED, ORDER

REASON_MAX = 400
COLORS = ((100, "#2b8a3e"), (95, "#74a12e"), (80, "#b8700a"), (0, "#c92a2a"))
NEUTRAL = "#868e96"
TOLD = {PASS: ("holds", "hold"),
        KNOWN: ("known exception", "known exceptions"),
        FAIL: ("fails", "fail"),
        ERROR: ("error of the kit", "errors of the kit"),
        UNIMPLEMENTED: ("not implemented",) * 2}
DIFFERS = (FAIL, ERROR, KNOWN)
KINDS = ("driver", "debian", "node", "logs")


def read_list(text, name):
    """Rows of t/kit/matrix.tsv: (name, version, kind, what, options)."""
    rows = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line or line[0] == "#":
            continue
        cells = line.split("\t")
        cells += [""] * (len(cells) == 4)
        if len(cells) != 5 or not all(cells[:4]):
            raise ValueError(f"{name}:{number}: expected four or five columns:"
                             " name, version, kind, what, options")
        if cells[2] not in KINDS:
            raise ValueError(f"{name}:{number}: invalid kind {cells[2]!r}"
                             f" ({', '.join(KINDS)})")
        rows.append(tuple(cells))
    return rows


def from_findings(findings, statements):
    """A report of the violations that logs show. Infos that cite no
    deviation are remarks, and a warning is none of a requirement."""
    results = []
    for one in findings:
        known = one.get("known")
        if one["id"] not in statements or not (
                known or one["level"] == "error"):
            continue
        place = f"{one['file'].rsplit('/', 1)[-1]}:{one['line']}"
        results.append({
            "scenario": place,
            "id": one["id"],
            "verdict": KNOWN if known else FAIL,
            "expected": None,
            "actual": None,
            "note": f"{one['message']}" + (f" ({known})" if known else ""),
        })
    return {"results": results}


def reason(result):
    """Why a result is not PASS, in one line."""
    parts = [result["scenario"]]
    if result["verdict"] == FAIL and result.get("expected") is not None:
        parts.append(f"expected {one_line(result['expected'])}, "
                     f"found {one_line(result['actual'])}")
    if result.get("note"):
        parts.append(one_line(result["note"]))
    text = ": ".join(part for part in parts if part)
    return text if len(text) <= REASON_MAX else text[:REASON_MAX] + "…"


def one_line(value):
    """Without the place of the kit's scratch, which is another one each time."""
    text = re.sub(r"/[^\s'\"]*/t2-\w{8}(?=/)", "SCRATCH", str(value))
    return re.sub(r"\s+", " ", text).strip()


def cells_of(report):
    """The worst verdict on each requirement, and the first reason for it."""
    cells = {}
    for result in report["results"]:
        name, verdict = result["id"], result["verdict"]
        before = cells.get(name)
        if before and ORDER.index(before["verdict"]) <= ORDER.index(verdict):
            continue
        why = "" if verdict == PASS else reason(result)
        cells[name] = {"verdict": verdict, "why": why}
    return cells


def join(entries, statements, about=None):
    """`entries`: dicts with name, version, kind, `command`, and `report` or,
    if it was not run, `reason`; `about`: the date, the kit and the system.
    Returns what matrix.json has."""
    columns, rows = [], {}
    for number, entry in enumerate(entries):
        cells = cells_of(entry.get("report") or {"results": []})
        columns.append(column(number, entry, cells))
        for name, cell in cells.items():
            rows.setdefault(name, {})[columns[-1]["key"]] = cell
    return {
        "about": dict(about or {}),
        "implementations": columns,
        "requirements": {
            one.id: {"level": one.level, "classes": one.classes,
                     "text": one.text, "cells": rows[one.id]}
            for one in statements if one.id in rows
        },
    }


def column(number, entry, cells):
    counts = {v: 0 for v in ORDER}
    for cell in cells.values():
        counts[cell["verdict"]] += 1
    words = f"{entry['name']} {entry['version']}".lower()
    made = {
        "key": f"{number + 1}-" + re.sub(r"[^a-z0-9.]+", "-", words).strip("-"),
        "name": entry["name"],
        "version": entry["version"],
        "from": entry["kind"],
        "command": entry.get("command", ""),
        "state": "run" if entry.get("report") else "not run",
        "counts": counts,
    }
    if not entry.get("report"):
        made["reason"] = entry["reason"]
    return made


def score(column_):
    """(what an implementation's badge says, its color). A count alone would
    hide what was not judged, and what is known to differ."""
    counts = column_["counts"]
    if column_["state"] != "run":
        return "not run", NEUTRAL
    if column_["from"] == "logs":
        broken = counts[FAIL] + counts[KNOWN]
        plural = "s" * (broken != 1)
        return f"{broken} deviation{plural} in logs", NEUTRAL
    judged = sum(counts[v] for v in JUDGED)
    if not judged:
        return "nothing judged", NEUTRAL
    percent = 100 * counts[PASS] / judged
    color = next(c for least, c in COLORS if percent >= least)
    told = [f"{counts[verdict]} {words[counts[verdict] != 1]}"
            for verdict, words in TOLD.items()
            if counts[verdict] or verdict in (PASS, FAIL)]
    return ", ".join(told), color


def exceptions(joined, column_):
    """(requirement, verdict, reason) of what differs, failures first."""
    found = [(name, cell["verdict"], cell["why"])
             for name, one in joined["requirements"].items()
             for key, cell in one["cells"].items()
             if key == column_["key"] and cell["verdict"] in DIFFERS]
    return sorted(found, key=lambda one: DIFFERS.index(one[1]))


def differing(requirement):
    """Does an implementation do something else than hold to it?"""
    aside = (PASS, SKIP, UNIMPLEMENTED)
    return any(c["verdict"] not in aside
               for c in requirement["cells"].values())
