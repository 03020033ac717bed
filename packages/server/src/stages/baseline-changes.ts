/** Two generations of a baseline beside each other: which paths become known, which stop being so. */
import type { Baseline, Intent } from "@spoor/core/internal/fingerprint/baseline";
import { pathSteps } from "@spoor/core/internal/fingerprint/behaviour-path";
import { collapseLoops } from "@spoor/core/internal/fingerprint/collapse-loops";
import { parseBaseline } from "@spoor/core/internal/fingerprint/parse-baseline";
import { present } from "@spoor/core/internal/trace/present";
import type { BaselineChanges, KnownPath } from "spoor/internal/describe/service/baseline-changes";
import { version } from "spoor/internal/tool-info";
import type { BaselineRow } from "../store/store.ts";

/** `now` is the generation that counts, where one does. */
export function baselineChanges(row: BaselineRow, now: BaselineRow | undefined): BaselineChanges {
  const next = read(row);
  const before = now === undefined ? undefined : read(now);
  const added = [...next.intents.values()].filter(({ hash }) => before?.owners.has(hash) !== true);
  const dropped = [...(before?.intents.values() ?? [])].filter(({ hash }) => !next.owners.has(hash));
  return {
    added: added.map(pathOf),
    dropped: dropped.map(pathOf),
    kept: next.intents.size - added.length,
    runs: next.runCount,
    ...present({ runsBefore: before?.runCount }),
  };
}

function read({ body, generation }: BaselineRow): Baseline {
  return parseBaseline(body, { file: `generation ${generation}`, toolVersion: version });
}

function pathOf({ hash, name, segments, runs }: Intent): KnownPath {
  return { hash, ...present({ name }), steps: collapseLoops(pathSteps(segments)), runs };
}
