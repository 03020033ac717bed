/** What an edited policy would have said of the runs there are, the newest first. */
import { count, integer } from "@spoor/core/internal/text/amounts";
import { printable } from "@spoor/core/internal/text/printable";
import { ask } from "./ask.ts";
import { runHref } from "./place.ts";

export function previewOf(text: string, cursor?: string): Promise<Preview> {
  const page = cursor === undefined ? "" : `?${new URLSearchParams({ cursor })}`;
  return ask<Preview>(`/policies/preview${page}`, { method: "POST", text });
}

export function withOlder(newer: Preview, older: Preview): Preview {
  const sum = (of: "checked" | "notKept" | "passed" | "failed" | "notEvaluated") => newer[of] + older[of];
  const { next: _, ...known } = newer;
  return {
    ...known,
    rules: newer.rules.map((rule, index) => {
      const { runs, findings } = older.rules[index]!;
      return { ...rule, runs: rule.runs + runs, findings: rule.findings + findings };
    }),
    checked: sum("checked"),
    notKept: sum("notKept"),
    passed: sum("passed"),
    failed: sum("failed"),
    notEvaluated: sum("notEvaluated"),
    runs: [...newer.runs, ...older.runs],
    ...(older.next === undefined ? {} : { next: older.next }),
  };
}

export interface Preview {
  readonly rules: readonly {
    readonly id: string;
    readonly severity: string;
    readonly runs: number;
    readonly findings: number;
  }[];
  readonly checked: number;
  readonly notKept: number;
  readonly passed: number;
  readonly failed: number;
  readonly notEvaluated: number;
  readonly runs: readonly {
    readonly id: string;
    readonly name: string;
    readonly agent: string;
    readonly release?: string;
    readonly status: string;
    readonly would: string;
    readonly findings: readonly { readonly ruleId: string; readonly turnIndex?: number }[];
  }[];
  readonly next?: string;
}

interface PreviewedProps {
  preview: Preview;
  isAsking: boolean;
  onOlder: () => void;
}

export function Previewed({ preview, isAsking, onOlder }: PreviewedProps) {
  const { rules, checked, failed, passed, notEvaluated, notKept, runs, next } = preview;
  return (
    <div role="status" className="previewed">
      <p className="lede">
        {`${integer(failed)} of ${count(checked, "run")} would break a rule, ${integer(passed)} would pass, ${integer(notEvaluated)} could not be judged.`}
        {next === undefined ? "" : " These are the newest runs; there are older ones."}
        {notKept === 0 ? "" : ` The recordings of ${count(notKept, "run")} are not kept any more.`}
      </p>
      <ul className="ways-list">
        {rules.map(({ id, severity, runs: broken, findings }) => (
          <li key={id}>
            <code>{printable(id)}</code> <span className="muted">{printable(severity)}</span>{" "}
            {broken === 0 ? (
              "holds"
            ) : (
              <span className="bad">{`${count(findings, "time")} in ${count(broken, "run")}`}</span>
            )}
          </li>
        ))}
      </ul>
      {runs.length === 0 ? null : (
        <ul className="generations">
          {runs.map((run) => (
            <li key={run.id}>
              <a href={runHref(run.id, placeOf(run.findings))}>{printable(run.name)}</a> {printable(run.agent)}
              {run.release === undefined ? "" : `, ${printable(run.release)}`}:{" "}
              {run.would === run.status
                ? run.would.replaceAll("_", " ")
                : `${run.would.replaceAll("_", " ")} instead of ${run.status.replaceAll("_", " ")}`}
              {run.findings.length === 0
                ? ""
                : `, ${[...new Set(run.findings.map(({ ruleId }) => printable(ruleId)))].join(", ")}`}
            </li>
          ))}
        </ul>
      )}
      {next === undefined ? null : (
        <button type="button" className="more" disabled={isAsking} onClick={onOlder}>
          Try it on older runs too
        </button>
      )}
    </div>
  );
}

function placeOf([first]: Preview["runs"][number]["findings"]): { place?: string } {
  return first?.turnIndex === undefined ? {} : { place: `turn-${first.turnIndex + 1}` };
}
