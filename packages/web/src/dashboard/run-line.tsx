/** A run as a row of the list: what it is, how it was judged, and its figures. */
import { statusWords } from "@spoor/core/internal/fingerprint/classify";
import { count, duration, tokens } from "@spoor/core/internal/text/amounts";
import { printable } from "@spoor/core/internal/text/printable";
import type { ListedRun } from "./run-shape.ts";
import { Ago } from "./time.tsx";
import { type Mark, MarkShape, toneOf } from "./words.tsx";

/** As in the sheet. */
export const RUN_ROW_HEIGHT = 58;

const MARKS: Readonly<Record<ListedRun["status"], Mark>> = {
  passed: "passed",
  failed: "failed",
  not_evaluated: "unknown",
};

export function RunLine({ run, isChosen }: { run: ListedRun; isChosen: boolean }) {
  const mark = MARKS[run.status];
  const called = printable(run.scenario ?? run.name);
  const from = `${printable(run.agent)}${run.release === undefined ? "" : `, ${printable(run.release)}`}`;
  return (
    <>
      <span className={`lmark ${toneOf[mark]}`}>
        <MarkShape mark={mark} />
        <span className="vh">{run.status.replaceAll("_", " ")} </span>
      </span>
      <span className="lname" title={`${called} ${from}`}>
        {isChosen ? <span className="chosen-word">chosen </span> : null}
        {called}
        <span className="lagent"> {from}</span>
      </span>
      <span className="lfacts">
        <Ago at={run.receivedAt} />
      </span>
      <span className="lask">
        {run.findings > 0 ? <span className="bad">{count(run.findings, "finding")}, </span> : null}
        {run.verdict === "no_baseline" ? null : (
          <span className={run.verdict === "new" ? "warn" : ""}>path {statusWords[run.verdict] ?? run.verdict}, </span>
        )}
        {figuresOf(run)}
      </span>
    </>
  );
}

export function figuresOf(run: ListedRun): string {
  const { inputTokens, outputTokens } = run;
  return [
    count(run.turns, "turn"),
    count(run.calls, "call"),
    run.errors > 0 ? `${run.errors} failed` : "",
    run.durationMs === undefined ? "" : duration(run.durationMs),
    inputTokens === undefined && outputTokens === undefined ? "" : tokens((inputTokens ?? 0) + (outputTokens ?? 0)),
    run.model === undefined ? "" : printable(run.model),
  ]
    .filter((fact) => fact !== "")
    .join(", ");
}
