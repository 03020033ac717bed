"""What Shadow takes for the same work, in a process of its own: prints its version and its CPU seconds, a line each.

After PATIENCE_SECONDS of CPU the system stops it.

shadow-child.py diff BASELINE CANDIDATE | policy RULES TRACES; files, or folders of files.
"""

import json
import os
import resource
import sys
from importlib.metadata import version

from shadow import _core


def files(path):
    if os.path.isfile(path):
        return [path]
    return [os.path.join(path, name) for name in sorted(os.listdir(path))]


def records(path):
    with open(path, "rb") as file:
        return _core.parse_agentlog(file.read())


def main(work, first, second):
    print(version("shadow-diff"), flush=True)
    patience = int(os.environ["PATIENCE_SECONDS"])
    resource.setrlimit(resource.RLIMIT_CPU, (patience, patience + 5))
    if work == "diff":
        for baseline, candidate in zip(files(first), files(second)):
            _core.compute_diff_report(records(baseline), records(candidate), None, 42)
    else:
        from shadow.hierarchical import check_policy, load_policy

        with open(first, encoding="utf8") as file:
            rules = load_policy(json.load(file))
        for path in files(second):
            check_policy(records(path), rules)
    used = resource.getrusage(resource.RUSAGE_SELF)
    print(used.ru_utime + used.ru_stime)


main(*sys.argv[1:])
