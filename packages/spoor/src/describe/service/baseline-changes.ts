/** What approving a proposed baseline would change, in a sentence. */
import type { Text } from "../../document/document.ts";
import { count, inWords, list } from "../../document/words.ts";

export interface BaselineChanges {
  /** Paths that would be known from then on, and those that would not be any more. */
  readonly added: readonly KnownPath[];
  readonly dropped: readonly KnownPath[];
  /** Paths in both. */
  readonly kept: number;
  readonly runs: number;
  /** Runs of the generation that counts now; absent where none does. */
  readonly runsBefore?: number;
}

export interface KnownPath {
  readonly hash: string;
  readonly name?: string;
  readonly steps: readonly string[];
  readonly runs: number;
}

export function describeBaselineChanges({ added, dropped, kept, runs, runsBefore }: BaselineChanges): Text {
  const made = `made of ${count(runs, "run")}`;
  if (runsBefore === undefined) return [`The first baseline: ${count(added.length, "path")} would be known, ${made}`];
  if (added.length + dropped.length === 0)
    return [
      `The same ${count(kept, "path")} as now, ${made}${runs === runsBefore ? " as before" : ` instead of ${runsBefore}`}: what is usual may differ, what is known does not`,
    ];
  const parts = [
    ...(added.length === 0
      ? []
      : [`${inWords(added.length)} more ${added.length === 1 ? "path" : "paths"} would be known`]),
    ...(dropped.length === 0 ? [] : [`${inWords(dropped.length)} would not be known any more`]),
  ];
  const said = list(parts);
  return [`${said.charAt(0).toUpperCase()}${said.slice(1)}; ${count(kept, "path")} ${kept === 1 ? "stays" : "stay"}`];
}
