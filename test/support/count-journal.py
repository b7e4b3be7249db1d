"""Counts a journal by other means than emend does: what the report's page must say too."""

import collections
import json
import statistics
import sys

calls = [json.loads(line) for line in open(sys.argv[1], encoding="utf-8")]
vias, codes, servers = collections.Counter(), collections.Counter(), collections.Counter()
times, failed = collections.defaultdict(list), 0
introduced = fixed = late = waited = floods = 0
for call in calls:
    times[call["tool"]].append(call["ms"])
    if not call["ok"]:
        failed += 1
        codes[call["code"]] += 1
    if not call.get("dry_run"):
        vias.update(each["matched_via"] for each in call["files"] if "matched_via" in each)
    found = call.get("diagnostics", {"introduced": 0, "fixed": 0, "ms": 0, "servers": []})
    waited += found["ms"]
    for told in [found, *call.get("late", [])]:
        introduced += told["introduced"]
        fixed += told["fixed"]
    late += "late" in call
    floods += call["bytes"]["shown"] > 20 * 1024
    for server in found["servers"]:
        if "waited_ms" in server:
            servers[server["name"]] += server["waited_ms"]

tools = {
    name: {"count": len(ms), "median": statistics.median_low(ms), "worst": max(ms), "all": sum(ms)}
    for name, ms in times.items()
}
json.dump(
    {
        "calls": len(calls),
        "failed": failed,
        "vias": vias,
        "codes": codes,
        "tools": tools,
        "introduced": introduced,
        "fixed": fixed,
        "late": late,
        "waited": waited,
        "floods": floods,
        "servers": servers,
    },
    sys.stdout,
)
