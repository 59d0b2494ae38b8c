#!/usr/bin/env python3
"""Writes the seeds of fuzz_telemetry: a product of our own in Arm's schema, and what can be wrong with one."""
import json
import os

out = os.path.join(os.path.dirname(os.path.abspath(__file__)), "corpus", "fuzz_telemetry")
os.makedirs(out, exist_ok=True)
GOOD = {
    "product_configuration": {"product_name": "Test X1", "part_num": "0xabc", "implementer": "0x41", "major_revision": "1",
                              "minor_revision": "2", "architecture": "armv9.0", "pmu_architecture": "pmu_v3", "num_slots": 5},
    "events": {"CPU_CYCLES": {"code": "0x0011", "title": "Cycles", "description": "How many.\nAnd when."},
               "STALL": {"code": "0x003C", "title": "Stall"}},
    "metrics": {"stalled": {"title": "Stalled", "formula": "STALL / CPU_CYCLES * 100", "description": "d", "units": "percent",
                            "events": ["STALL", "CPU_CYCLES"], "sample_events": ["STALL"]},
                "busy": {"formula": "1 - STALL / (CPU_CYCLES + 0)", "units": "", "events": ["STALL", "CPU_CYCLES"]}},
    "groups": {"function": {}, "metrics": {"Topdown_L1": {"title": "Top", "metrics": ["stalled", "busy", "none"]}}},
    "methodologies": {"topdown_methodology": {"decision_tree": {"root_nodes": ["stalled"], "metrics": [
        {"name": "stalled", "group": "Topdown_L1", "next_items": ["busy", "Topdown_L1"], "sample_events": ["STALL"]},
        {"name": "busy", "group": "Topdown_L1", "next_items": ["stalled"]}]}}},
}


def changed(path, value):
    copy = json.loads(json.dumps(GOOD))
    at = copy
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = value
    return json.dumps(copy)


SEEDS = {
    "good": json.dumps(GOOD, indent=1),
    "no_product": json.dumps({"events": {}}),
    "no_events": changed(["events"], []),
    "bad_code": changed(["events", "STALL", "code"], "0x1ffff"),
    "bad_name": changed(["events", "a b,c/"], {"code": "1"}),
    "bad_formula": changed(["metrics", "stalled", "formula"], "STALL / UNKNOWN"),
    "wrong_kinds": changed(["metrics", "stalled", "events"], {"a": [1, None, True]}),
    "deep": "[" * 70 + "]" * 70,
    "strings": json.dumps(["\\\"\u00e4\U0001f600", "\ud800", 1.5e-3, -0.0, "\u0000"]),
    "cut": json.dumps(GOOD)[:-40],
    "numbers": "[01, -, 1., 2e]",
}
for name, text in SEEDS.items():
    with open(os.path.join(out, name), "w") as file:
        file.write(text)
