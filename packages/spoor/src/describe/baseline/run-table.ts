/** The runs of a comparison: each with its status and the closest known behaviour; many are grouped by path. */
import { isKnown } from "@spoor/core/internal/fingerprint/classify";
import type { RunComparison } from "@spoor/core/internal/fingerprint/comparison";
import type { Block, Text } from "../../document/document.ts";
import { joined, name, say, styled } from "../../document/text.ts";
import { count } from "../../document/words.ts";
import { sharePercent, statusWord } from "./words.ts";

/** Up to this many runs are listed one by one; beyond it, new paths are grouped and known ones counted. */
const MOST_ROWS = 12;

interface RunGroup {
  readonly run: RunComparison;
  readonly runs: number;
}

export function runTable(runs: readonly RunComparison[], variantFrom: number): Block {
  const groups = runs.length <= MOST_ROWS ? runs.map((run) => ({ run, runs: 1 })) : grouped(runs);
  const shown = groups.slice(0, MOST_ROWS);
  return {
    kind: "table",
    caption: "Runs",
    columns: [
      { title: "trace", max: 24, fit: "middle" },
      { title: "status" },
      { title: "closest known behaviour", max: 40 },
      { title: "seen", align: "right" },
      { title: "similar", align: "right" },
      { title: "fingerprint", dropBelow: 70 },
    ],
    rows: shown.map(({ run, runs: amount }) => {
      const more = amount > 1 ? ` and ${amount - 1} more` : "";
      const word = statusWord(run);
      return {
        cells: [
          say`${name(run.run)}${more}`,
          [isKnown(run.status) ? word : styled("strong", word)],
          run.closest === null ? ["none"] : [name(run.closest.name ?? run.closest.path)],
          [run.closest === null ? "-" : count(run.closest.runs, "time")],
          [run.closest === null ? "no data" : sharePercent(run.closest.similarity.composite, variantFrom)],
          [name(run.hash)],
        ],
      };
    }),
    ...moreText(runs, groups),
  };
}

function moreText(runs: readonly RunComparison[], groups: readonly RunGroup[]): { readonly more?: Text } {
  const hidden = groups.slice(MOST_ROWS);
  const known = runs.length <= MOST_ROWS ? 0 : runs.filter((run) => isKnown(run.status)).length;
  const texts: Text[] = [];
  if (hidden.length > 0) {
    const amount = hidden.reduce((sum, group) => sum + group.runs, 0);
    texts.push([`… ${count(hidden.length, "more path")} of ${count(amount, "run")}.`]);
  }
  if (known > 0) texts.push([`${count(known, "other run follows", "other runs follow")} a known path.`]);
  return texts.length === 0 ? {} : { more: joined(texts, " ") };
}

/** New paths first, equal hashes together, the least similar on top. */
function grouped(runs: readonly RunComparison[]): RunGroup[] {
  const groups = new Map<string, { run: RunComparison; runs: number }>();
  for (const run of runs) {
    if (isKnown(run.status)) continue;
    const known = groups.get(run.hash);
    if (known === undefined) groups.set(run.hash, { run, runs: 1 });
    else known.runs++;
  }
  const similarity = (run: RunComparison) => run.closest?.similarity.composite ?? 0;
  return [...groups.values()].sort(
    (left, right) => similarity(left.run) - similarity(right.run) || right.runs - left.runs,
  );
}
