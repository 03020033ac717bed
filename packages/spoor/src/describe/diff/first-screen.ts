/** What a page shows beside the verdict: a few numbers, where to go, and the lines of the prompt that changed. */
import type { DiffReport } from "@spoor/core/internal/diff/diff-report";
import { firstPlace } from "@spoor/core/internal/diff/first-place";
import type { Fact, Link, Patch } from "../../document/document.ts";
import { link } from "../../document/text.ts";
import { integer, list, percentRange } from "../../document/words.ts";
import { turnAnchor } from "../places.ts";

const LINES_SHOWN = 5;

export function diffFacts({ structure, goingIn, verdict }: DiffReport): Fact[] {
  if (verdict.code === "not_enough") return [];
  const plausible =
    structure.changed > 0 ? `${percentRange(structure.interval.low, structure.interval.high)} is plausible` : "";
  const facts: Fact[] = [
    {
      label: "Turns that differ",
      text: [`${integer(structure.changed)} of ${integer(structure.turns)}`],
      note: [plausible],
    },
  ];
  if (goingIn.compared > 0) {
    const { system, model, tools, settings } = goingIn;
    const parts = [
      ["system prompt", system.status],
      ["model", model.status],
      ["tools", tools.status],
      ["settings", settings.status],
    ] as const;
    const changed = parts.flatMap(([part, status]) => (status === "same" || status === "none" ? [] : [part]));
    const unknown = parts.flatMap(([part, status]) => (status === "none" ? [part] : []));
    const rest = unknown.length === 0 ? "the rest is the same" : `not recorded: ${list(unknown)}`;
    facts.push(
      changed.length === 0
        ? { label: "What went in", text: ["the same"], ...(unknown.length === 0 ? {} : { note: [rest] }) }
        : { label: "What went in", text: [list(changed)], note: [`changed; ${rest}`] },
    );
  }
  return facts;
}

/** A turn that only the baseline has is addressed as `b2`. */
export function firstLinks(report: DiffReport): Link[] {
  const first = firstPlace(report);
  if (first === undefined) return [];
  const { key } = report.traces[report.firstDivergence!.traceIndex]!.candidate;
  const anchor = first.onlyBaseline ? `${key}:b${first.turnIndex + 1}` : turnAnchor(key, first.turnIndex);
  return [link(anchor, "Go to the first divergence")];
}

/** The lines of the system prompt that changed. */
export function promptPatch({ goingIn: { system } }: DiffReport): Patch | undefined {
  const { added, removed } = system;
  if (added.length === 0 && removed.length === 0) return undefined;
  const more = Math.max(0, added.length - LINES_SHOWN) + Math.max(0, removed.length - LINES_SHOWN);
  return { kind: "patch", removed: removed.slice(0, LINES_SHOWN), added: added.slice(0, LINES_SHOWN), more };
}
