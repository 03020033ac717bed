/** The demo's four steps: what each command says, in short. Every figure comes from the report. */
import type { DiffReport } from "@spoor/core/internal/diff/diff-report";
import type { BaselineReport } from "@spoor/core/internal/fingerprint/baseline-report";
import type { GateReport } from "@spoor/core/internal/gate/gate-report";
import type { CheckReport, RuleReport } from "@spoor/core/internal/policy/check-report";
import { valuesText } from "../document/argument-lines.ts";
import type { Block, Document, Finding, Row, Text } from "../document/document.ts";
import { command, joined, name, say } from "../document/text.ts";
import { count, percent, percentRange } from "../document/words.ts";
import { markOfDiff } from "./diff/mark.ts";
import { diffHeadline } from "./diff/verdict.ts";
import { reasonsSentence } from "./gate/words.ts";

export interface DemoStep {
  readonly command: string;
  readonly says: Document;
}

export function describeDemo(report: GateReport, htmlPath: string): DemoStep[] {
  const { diff, policy, baseline } = report.reports;
  return [
    { command: "spoor diff baseline candidate --fail-on severe", says: document(diffBlocks(diff!)) },
    { command: "spoor check candidate --policy policies/refunds.yaml", says: document([rulesTable(policy!)]) },
    { command: "spoor baseline compare candidate", says: document(baselineBlocks(baseline!)) },
    { command: "spoor gate", says: document(gateBlocks(report, htmlPath)) },
  ];
}

function document(blocks: readonly Block[]): Document {
  return { id: "spoor:demo", subject: [], blocks: [{ kind: "group", blocks }], footer: [] };
}

function diffBlocks(diff: DiffReport): Block[] {
  const { structure, firstDivergence: first } = diff;
  const { low, high } = structure.interval;
  const medians = diff.rows.filter((row) => row.statistic === "median");
  const quiet = medians.every((row) => row.gateSeverity === "none" || row.gateSeverity === "minor");
  const share = `${structure.changed} of ${structure.turns} turns differ (${percent(structure.share)}; ${percentRange(low, high)} is plausible).`;
  const why = quiet ? " Length, time and price of replies hardly move, which is why nobody noticed." : "";
  const blocks: Block[] = [
    { kind: "verdict", mark: markOfDiff(diff), headline: diffHeadline(diff.verdict, diff.noun) },
    { kind: "paragraph", text: [share + why] },
  ];
  if (first === null) return blocks;
  const trace = diff.traces[first.traceIndex]!;
  const changes = trace.timeline?.rows.flatMap((row) => row.calls?.arguments ?? []) ?? [];
  const rows = changes.map(
    ({ tool, path, baseline, candidate }): Row => ({
      cells: [[name(tool)], [name(path)], valuesText(baseline, candidate)],
    }),
  );
  return [
    ...blocks,
    { kind: "paragraph", text: say`It begins at ${name(trace.name)}, turn ${first.baselineTurn + 1}:` },
    {
      kind: "group",
      inset: true,
      blocks: [{ kind: "table", columns: [{ title: "" }, { title: "" }, { title: "" }], rows }],
    },
  ];
}

function rulesTable(policy: CheckReport): Block {
  const items = policy.rules.map((rule): Finding => {
    const places = rule.violations.map(
      (violation): Text => [name(`${policy.traces[violation.trace]!.name}:${(violation.turnIndex ?? 0) + 1}`)],
    );
    const passed = rule.status === "passed";
    const detail: Text = passed
      ? [rule.seen.map((seen) => count(seen.amount, seen.noun)).join(", ")]
      : joined([...places, ...onlyFinding(rule)], "  ");
    const isWarning = rule.severity === "moderate";
    return {
      mark: passed ? "passed" : isWarning ? "warning" : "failed",
      cells: [
        [name(rule.id)],
        [passed ? "passed" : count(rule.violations.length, isWarning ? "warning" : "violation")],
        detail,
      ],
    };
  });
  return { kind: "findings", titles: ["rule", "result", "where"], items };
}

function onlyFinding({ severity, violations }: RuleReport): Text[] {
  const [only] = violations;
  return severity === "moderate" && violations.length === 1 ? [[only!.message]] : [];
}

function baselineBlocks(baseline: BaselineReport): Block[] {
  const agent = baseline.agents[0]!;
  const odd = agent.runs.filter((run) => run.status === "new");
  const closest = odd[0]?.closest;
  const ofKind = agent.runs.filter((run) => run.closest?.hash === closest?.hash || run.hash === closest?.hash).length;
  const headline = `${odd.length} of ${count(ofKind, closest?.name ?? "run")} take a path never seen in ${count(agent.baseline!.runs, "recorded run")}`;
  const steps = closest?.alignment?.map(({ segment, side }) => ({ step: segment, side }));
  return [
    { kind: "verdict", mark: "failed", headline: [headline] },
    ...(steps === undefined ? [] : [{ kind: "paths" as const, known: "known", now: "now", steps }]),
  ];
}

function gateBlocks(report: GateReport, htmlPath: string): Block[] {
  return [
    { kind: "verdict", mark: "failed", word: "Blocked", headline: [reasonsSentence(report)] },
    {
      kind: "facts",
      facts: [
        { label: "The whole story:", text: [name(htmlPath)] },
        { label: "On your traces:", text: [command("spoor init")] },
      ],
    },
    { kind: "closing", exitCode: 1 },
  ];
}
