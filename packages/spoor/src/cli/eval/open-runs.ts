/** Stored runs that could not be graded again, in words: which, why, and what to type. */
import { SpoorError } from "@spoor/core/internal/errors";
import { count, integer } from "../../document/words.ts";
import type { OpenReason, OpenRun, Regrade } from "./plan-regrade.ts";

/** For the report: one entry per reason. */
export function openNotes({ open, plan }: Regrade): { what: string; why: string }[] {
  const several = new Set(plan.cases.map(({ target }) => target)).size > 1;
  const byReason = new Map<string, string[]>();
  for (const { run, reason } of open) {
    const why = whyOf(reason);
    const repeated = plan.cases.some(({ id, repeat }) => id === run.case.id && repeat > 1);
    const name = `${run.case.id}${repeated ? ` run ${run.run}` : ""}${several ? ` on ${run.target.name}` : ""}`;
    byReason.set(why, [...(byReason.get(why) ?? []), name]);
  }
  return [...byReason].map(([why, names]) => ({ what: shown(names), why }));
}

/** What is left open is never a pass. */
export function openError(regrade: Regrade, resume: string): SpoorError {
  const { open, plan, judged } = regrade;
  const graded = judged.runs.length - regrade.results.kept.size;
  const notes = openNotes(regrade).map(({ what, why }) => `${what}: ${why}`);
  const message = [
    `${integer(open.length)} of ${count(plan.runs.length, "run")} could not be graded again.`,
    ...notes,
  ].join(" ");
  return new SpoorError("eval.not-regraded", message.endsWith(".") ? message : `${message}.`, {
    consequence:
      graded === 0
        ? "Nothing was graded, and the results are as they were."
        : `The judgements of the others are kept in ${regrade.results.shown}; these runs are as they were.`,
    hint: hintOf(open, resume),
  });
}

/** Outages alone: nobody knows what the agent would have done. */
export function onlyOutagesError({ results }: Regrade, resume: string): SpoorError {
  const message = `All ${count(results.kept.size, "stored run")} were taken by an outage, so there is nothing to grade.`;
  return new SpoorError("eval.not-regraded", message, {
    consequence: "Nothing was graded, and the results are as they were.",
    hint: `To make them again: ${resume}`,
  });
}

function whyOf(reason: OpenReason): string {
  switch (reason.kind) {
    case "new":
      return "no run of it is stored";
    case "stale":
      return "stale, what the agent is given or its target has changed since";
    case "no-trace":
      return "its trace was not kept";
    case "no-dump":
      return `its trace ${reason.file} is gone`;
    case "changed-dump":
      return `its trace ${reason.file} is damaged or that of another run`;
    case "folder":
      return `evaluator ${reason.evaluator} may look at the folder the agent worked in, which is gone or has changed since`;
  }
}

function hintOf(open: readonly OpenRun[], resume: string): string {
  const isNew = ({ reason: { kind } }: OpenRun) => kind === "new" || kind === "stale";
  const lacksTrace = open.some((one) => !isNew(one) && one.reason.kind !== "folder");
  if (lacksTrace)
    return `Run once with --include-trace or --dump-traces, so that there is a trace to grade${open.some(isNew) ? `; for what has changed: ${resume}` : "."}`;
  return `To make these runs again: ${resume}`;
}

const SHOWN = 10;

function shown(names: readonly string[]): string {
  const rest = names.length - SHOWN;
  return `${names.slice(0, SHOWN).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}
