/** A comparison with the baseline in words: the consequence, each run, how the first new path differs, signals, what to type next. */
import type { BaselineReport } from "@spoor/core/internal/fingerprint/baseline-report";
import { isKnown } from "@spoor/core/internal/fingerprint/classify";
import type { AgentComparison, RunComparison } from "@spoor/core/internal/fingerprint/comparison";
import type { Check } from "../../document/check.ts";
import type { Block, Document, Fact, Mark } from "../../document/document.ts";
import { shellWord } from "../../document/shell-word.ts";
import { command, name, say, symbol } from "../../document/text.ts";
import { count, integer, list } from "../../document/words.ts";
import { lackingBlocks } from "../coverage.ts";
import { footerOf } from "../footer.ts";
import type { DescribeView } from "../view.ts";
import { runTable } from "./run-table.ts";
import { baselineDetail, baselineHeadline } from "./verdict.ts";
import {
  agentText,
  comparableText,
  conditionWords,
  notEvaluatedWords,
  reasonsText,
  signalLines,
  similarityWords,
  statusWord,
} from "./words.ts";

const MOST_SIGNALS = 6;
const MOST_RULES = 10;

export function describeComparison(report: BaselineReport, view: DescribeView): Document {
  const [only] = report.agents;
  const next = nextCommand(report, view.paths ?? []);
  const isBlocked = report.gate.tripped;
  return {
    id: "spoor:baseline",
    subject: only === undefined || report.agents.length > 1 ? ["baselines"] : [name(only.agent)],
    blocks: [
      {
        kind: "group",
        blocks: [
          {
            kind: "verdict",
            mark: markOf(report),
            headline: baselineHeadline(report.verdict),
            detail: baselineDetail(report.verdict),
          },
          ...(report.agents.length === 1 ? [{ kind: "paragraph" as const, text: agentText(only!) }] : []),
        ],
      },
      ...(report.agents.length === 1 ? agentBlocks(only!, report, view.verbose) : fleetBlocks(report, view)),
      {
        kind: "group",
        blocks: [
          { kind: "facts", facts: closingFacts(report) },
          ...lackingBlocks(report.coverage),
          {
            kind: "paragraph",
            text:
              report.gate.reasons.length === 0
                ? []
                : say`${isBlocked ? "Blocked by" : "Not blocked, though there is"} ${reasonsText(report.gate.reasons)}.`,
          },
          ...(next === undefined && !isBlocked
            ? []
            : [{ kind: "closing" as const, exitCode: view.exitCode, next: next === undefined ? [] : [next] }]),
        ],
      },
    ],
    footer: footerOf(report),
  };
}

export function checksOfComparison(report: BaselineReport): Check[] {
  const tripped = new Set(report.gate.reasons.map((reason) => reason.subject));
  return report.agents.flatMap((agent) =>
    agent.runs.map((run): Check => {
      const closest = run.closest === null ? "none" : name(run.closest.name ?? run.closest.path);
      return {
        suite: agent.agent,
        name: run.run,
        mark: run.status === "no_baseline" ? "unknown" : markOfRun(run, tripped.has(run.hash) || report.gate.tripped),
        message: say`${statusWord(run)}; closest known behaviour: ${closest}.`,
        places: isKnown(run.status) ? [] : [{ trace: run.run, key: run.key, detail: [run.path] }],
      };
    }),
  );
}

function markOf({ gate, verdict }: BaselineReport): Mark {
  if (gate.tripped) return "failed";
  return verdict.code === "known" ? "passed" : "warning";
}

/** A run on a known path passes; another one fails where the gate blocks, and warns where it does not. */
export function markOfRun({ status }: RunComparison, blocks: boolean): Mark {
  if (isKnown(status)) return "passed";
  return blocks && status === "new" ? "failed" : "warning";
}

function agentBlocks(agent: AgentComparison, report: BaselineReport, verbose: boolean): Block[] {
  const signals = signalLines(agent);
  const isCalm = markOf(report) === "passed" && !verbose && signals.length === 0;
  if (isCalm) return [];
  const odd = oddestRun(agent);
  return [
    runTable(agent.runs, agent.baseline?.variantFrom ?? 1),
    ...(odd === undefined ? [] : [differenceBlock(odd, agent)]),
    { kind: "facts", facts: agentFacts(agent, odd, verbose) },
  ];
}

/** A run with a tool that was never seen, else any: the one least like what is known. */
function oddestRun({ runs, newTools }: AgentComparison): RunComparison | undefined {
  const unseen = new Set(newTools.map(({ tool }) => tool));
  const withUnseen = runs.filter((run) => run.path.split(" > ").some((step) => unseen.has(step.replace(/×n$/, ""))));
  return leastSimilar(withUnseen) ?? leastSimilar(runs);
}

function leastSimilar(runs: readonly RunComparison[]): RunComparison | undefined {
  let least: RunComparison | undefined;
  for (const run of runs) {
    if (isKnown(run.status) || run.closest === null) continue;
    if (least === undefined || run.closest.similarity.composite < least.closest!.similarity.composite) least = run;
  }
  return least;
}

/** How a new path differs from the closest known one. */
export function differenceBlock(run: RunComparison, agent: AgentComparison): Block {
  const { alignment, name: known } = run.closest!;
  const steps = alignment?.map(({ segment, side }) => ({ step: segment, side }));
  return {
    kind: "group",
    blocks: [
      ...(agent.runs.length > 1
        ? [{ kind: "paragraph" as const, text: say`${name(run.run)} against the closest known behaviour:` }]
        : []),
      steps === undefined
        ? { kind: "paragraph", text: [`Too long to lay side by side: ${integer(run.stepCount)} steps.`] }
        : { kind: "paths", known: known ?? "known", now: "now", steps },
      { kind: "paragraph", text: [similarityWords(run, agent)] },
    ],
  };
}

function agentFacts(agent: AgentComparison, odd: RunComparison | undefined, verbose: boolean): Fact[] {
  const signals = signalLines(agent);
  const shown = signals.slice(0, verbose ? signals.length : MOST_SIGNALS);
  const facts: Fact[] = shown.map(({ severity, text, runs, isUniform }) => {
    const which = isUniform ? "" : " (the largest change is shown)";
    const extent = agent.runs.length === 1 ? "" : `, in ${runs} of ${count(agent.runs.length, "run")}${which}`;
    return { label: "Signal", text: say`${severity}: ${text}${extent}` };
  });
  if (signals.length > shown.length)
    facts.push({ label: "", text: [`${signals.length - shown.length} more signals: --verbose`] });
  const scope = odd?.statisticsFrom;
  if (scope?.scope === "family")
    facts.push({
      label: "Numbers",
      text: [`of ${count(scope.runs, "run")} in the family of the closest behaviour, which alone was seen too rarely`],
    });
  for (const why of notEvaluatedWords(agent).slice(0, verbose ? 99 : 2)) facts.push({ label: "No data", text: [why] });
  if (agent.baseline !== null) facts.push({ label: "Comparable", text: comparableText(agent) });
  return facts;
}

function fleetBlocks(report: BaselineReport, { paths = [] }: DescribeView): Block[] {
  const worst = report.agents.find((one) => one.baseline !== null && (one.counts.new > 0 || one.newTools.length > 0));
  const inDetail = `spoor baseline compare ${paths.map(shellWord).join(" ")} --agent ${shellWord(worst?.agent ?? "")}`;
  return [
    {
      kind: "table",
      caption: "Agents",
      columns: [
        { title: "agent", max: 28 },
        { title: "runs", align: "right" },
        { title: "known", align: "right" },
        { title: "variant", align: "right" },
        { title: "NEW", align: "right" },
        { title: "what stands out" },
      ],
      rows: report.agents.map((one) => ({
        cells: [
          [name(one.agent)],
          [integer(one.runs.length)],
          [integer(one.counts.match + one.counts.accepted_variant)],
          [integer(one.counts.variant + one.counts.structural_match)],
          [integer(one.counts.new)],
          [standsOut(one)],
        ],
      })),
    },
    ...(worst === undefined
      ? []
      : [{ kind: "paragraph" as const, text: say`One agent in detail: ${command(inDetail)}` }]),
  ];
}

function standsOut(agent: AgentComparison): string {
  if (agent.baseline === null) return "no baseline";
  const parts: string[] = [];
  if (agent.newTools.length > 0) parts.push(`new: ${list(agent.newTools.map((tool) => tool.tool))}`);
  if (agent.lostTools.length > 0) parts.push(`lost: ${list([...new Set(agent.lostTools.map((tool) => tool.tool))])}`);
  const severe = signalLines(agent).filter((signal) => signal.severity === "severe").length;
  if (severe > 0) parts.push(count(severe, "severe signal"));
  if (agent.differences.length > 0)
    parts.push(`other ${list(agent.differences.map(({ what }) => conditionWords(what)))}`);
  return parts.length === 0 ? "nothing" : parts.join("; ");
}

function closingFacts({ agents, coverage }: BaselineReport): Fact[] {
  const outcomes = agents.flatMap((agent) => (agent.policy === undefined ? [] : [agent.policy]));
  const broken = outcomes.flatMap((outcome) => outcome.violations);
  const violations = broken.filter(({ severity }) => severity === "severe");
  const warnings = broken.filter(({ severity }) => severity !== "severe");
  const rule =
    (mark: Mark) =>
    (finding: (typeof broken)[number]): Fact => ({
      label: "Rule",
      text: say`${symbol(mark)} ${name(finding.ruleId)}: ${finding.message} (${name(finding.run)})`,
    });
  const facts: Fact[] = [
    ...violations.slice(0, MOST_RULES).map(rule("failed")),
    ...warnings.slice(0, MOST_RULES).map(rule("warning")),
  ];
  if (outcomes.length > 0) {
    const skipped = outcomes.reduce((sum, outcome) => sum + outcome.notEvaluated.length, 0);
    const words = `${count(violations.length, "violation")}, ${count(warnings.length, "warning")}, ${skipped} not evaluated`;
    facts.push({ label: "Policy", text: [words] });
  }
  if (coverage.callsWithoutResult > 0) {
    const words = `${integer(coverage.callsWithoutResult)} of ${count(coverage.toolCalls, "tool call")} have no result`;
    facts.push({ label: "Coverage", text: [words] });
  }
  return facts;
}

function nextCommand(report: BaselineReport, typed: readonly string[]): string | undefined {
  const paths = typed.map(shellWord).join(" ");
  if (report.verdict.code === "no_baseline") return `spoor baseline build ${paths}`;
  const pending = report.agents.some((agent) =>
    agent.runs.some((run) => !isKnown(run.status) && run.status !== "no_baseline"),
  );
  return pending ? `spoor baseline review ${paths}` : undefined;
}
