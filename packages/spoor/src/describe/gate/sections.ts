/** The parts of a gate's page below the verdict, and the folds of its comment. */
import { missesOf } from "@spoor/core/internal/evaluators/evaluation";
import type { TraceScore } from "@spoor/core/internal/evaluators/score-report";
import { statusWords } from "@spoor/core/internal/fingerprint/classify";
import type { RunComparison } from "@spoor/core/internal/fingerprint/comparison";
import type { GateReport } from "@spoor/core/internal/gate/gate-report";
import type { Block, Finding, Fold, Mark, Section, Text } from "../../document/document.ts";
import { joined, link, listLink, name, say } from "../../document/text.ts";
import { clip, count } from "../../document/words.ts";
import { similarityWords, statusWord } from "../baseline/words.ts";
import { rulesBlock, totalsSentence } from "../check.ts";
import { cohortSection } from "../cohort/describe-cohort.ts";
import { earlyStopSection } from "../cohort/sequential.ts";
import { coverageText } from "../coverage.ts";
import { comparisonSection } from "../diff/comparison-section.ts";
import { overviewSections } from "../diff/overview.ts";
import { signalsSection } from "../diff/signals.ts";
import { turnAnchor } from "../places.ts";
import { checkMessage } from "./check-words.ts";
import { markOf } from "./words.ts";

const RUNS = 50;
const MISSES = 10;
const FINDINGS_PER_RULE = 10;
const LONGEST_TEXT = 240;

export function pageSections(report: GateReport): Block[] {
  const { diff, policy, baseline, trajectory, cohort, earlyStop } = report.reports;
  const sections: Block[] = [];
  if (diff !== undefined && diff.verdict.code !== "not_enough")
    sections.push(signalsSection(diff), ...overviewSections(diff));
  if (diff?.traces.some((trace) => trace.timeline !== undefined)) sections.push(comparisonSection());
  if (policy !== undefined)
    sections.push({
      kind: "section",
      id: "rules",
      half: true,
      title: ["Rules"],
      sub: say`${name(policy.policy.file ?? "policy")}: ${totalsSentence(policy, report.noun)}`,
      blocks: [rulesBlock(policy, report.noun, false)],
    });
  if (baseline !== undefined) sections.push(pathsSection(report));
  if (trajectory !== undefined) sections.push(scoresSection(trajectory.results));
  if (cohort !== undefined) sections.push(cohortSection(cohort));
  if (earlyStop !== undefined) sections.push(earlyStopSection(earlyStop));
  sections.push(coverageSection(report));
  return sections;
}

/** Each run's tool path against the closest known behaviour. */
function pathsSection(report: GateReport): Section {
  const agents = report.reports.baseline!.agents;
  const isListed = report.reports.diff?.traces.some(({ timeline }) => timeline !== undefined) === true;
  const rank = (run: RunComparison) => ({ failed: 0, warning: 1, unknown: 1, passed: 2 })[markOfRun(run)];
  const blocks = agents.flatMap((agent): Block[] => {
    const runs = [...agent.runs].sort((left, right) => rank(left) - rank(right));
    const known = agent.baseline;
    const against =
      known === null
        ? "no baseline"
        : `${count(known.intents, "known behaviour")} (${count(known.runs, "recorded run")})`;
    const odd = runs.find((run) => rank(run) < 2 && run.closest !== null);
    return [
      { kind: "paragraph", text: say`${name(agent.agent)} against ${against}.` },
      {
        kind: "findings",
        titles: [],
        items: runs.slice(0, RUNS).map(runFinding),
        ...(runs.length > RUNS && isListed ? { more: moreRuns(runs.length - RUNS, runs) } : {}),
      },
      ...(runs.length > RUNS && !isListed ? [otherRuns(runs.slice(RUNS))] : []),
      ...(odd === undefined
        ? []
        : [{ kind: "paragraph" as const, text: say`${name(odd.run)}: ${similarityWords(odd, agent)}` }]),
    ];
  });
  return { kind: "section", id: "paths", half: true, title: ["Paths"], blocks };
}

/** Where the page has no list of all runs: those that went the same way as one row with their names. */
function otherRuns(runs: readonly RunComparison[]): Fold {
  const ways = new Map<string, RunComparison[]>();
  for (const run of runs) {
    const way = `${run.status} ${run.hash}`;
    const same = ways.get(way);
    if (same === undefined) ways.set(way, [run]);
    else same.push(run);
  }
  return {
    kind: "fold",
    name: "the other runs",
    title: [`${count(runs.length, "more run")}, on ${count(ways.size, "path")}`],
    blocks: [
      {
        kind: "table",
        caption: "The other runs by their path",
        columns: [{ title: "path" }, { title: "against the known" }, { title: "runs" }],
        rows: [...ways.values()].map((same) => {
          const names = same.map(({ run }): Text => [name(run)]);
          return {
            cells: [
              [name(same[0]!.path)],
              wordsOf(same[0]!),
              say`${count(same.length, "run")}: ${joined(names, ", ")}`,
            ],
          };
        }),
      },
    ],
  };
}

/** Where the other runs are: in the list above, by where they stand. */
function moreRuns(more: number, runs: readonly RunComparison[]): Text {
  const byStatus = new Map<RunComparison["status"], number>();
  for (const { status } of runs) byStatus.set(status, (byStatus.get(status) ?? 0) + 1);
  const lists = [...byStatus].map(
    ([status, amount]): Text => [
      listLink({ facet: "path", value: status }, `${count(amount, "run")} (${statusWords[status]})`),
    ],
  );
  return say`${count(more, "more run")}. All can be listed above: ${joined(lists, ", ")}.`;
}

function markOfRun({ status }: RunComparison): Mark {
  if (status === "match" || status === "accepted_variant") return "passed";
  return status === "new" ? "failed" : "warning";
}

/** How it stands beside the closest known behaviour, and which that is. */
function wordsOf(run: RunComparison): Text {
  const closest = run.closest?.name;
  return say`${statusWord(run)}${closest === undefined || closest === null ? [] : say` ${name(closest)}`}`;
}

function runFinding(run: RunComparison): Finding {
  const closest = run.closest?.name;
  const steps =
    run.closest?.alignment?.map(({ segment, side }) => ({ step: toolOf(segment), side })) ??
    run.path.split(" > ").map((step) => ({ step, side: "both" as const }));
  return {
    mark: markOfRun(run),
    cells: [[link(turnAnchor(run.key, undefined), name(run.run))], wordsOf(run)],
    right: [name(run.hash)],
    body: [{ kind: "paths", known: closest ?? "known", now: "now", steps }],
  };
}

/** `TOOL_CALL:search` → `search`. */
function toolOf(segment: string): string {
  return segment.replace(/^(TOOL_CALL|HTTP_REQUEST|LLM_CALL|OTHER):/, "");
}

/** The expected paths: each trace's score, and for what failed the reasons. */
function scoresSection(results: readonly TraceScore[]): Section {
  const fails = (result: TraceScore) => Number(result.status === "failed");
  const sorted = [...results]
    .sort((left, right) => fails(right) - fails(left) || left.score - right.score)
    .slice(0, RUNS);
  const items = sorted.map((result): Finding => {
    const passed = result.status === "passed";
    const misses = result.evaluators
      .filter((evaluator) => evaluator.status !== "passed")
      .flatMap((evaluator) => missesOf(evaluator).map((miss) => say`${name(evaluator.name)}: ${miss}`));
    const more = misses.length > MISSES ? [[`and ${misses.length - MISSES} more`]] : [];
    return {
      mark: passed ? "passed" : "failed",
      cells: [[link(turnAnchor(result.key, undefined), name(result.trace))]],
      right: [
        `${result.score.toFixed(2)}, ${result.reason === "ruled_out" ? "ruled out" : `pass line ${result.passLine.toFixed(2)}`}`,
      ],
      body: [...misses.slice(0, MISSES), ...more].map((text) => ({ kind: "paragraph", text })),
    };
  });
  return {
    kind: "section",
    id: "scores",
    title: ["Expected paths"],
    blocks: [
      {
        kind: "findings",
        titles: [],
        items,
        ...(results.length > RUNS
          ? { more: [`${count(results.length - RUNS, "more trace")} in the JSON report.`] }
          : {}),
      },
    ],
  };
}

function coverageSection({ coverage }: GateReport): Section {
  const facts = [
    { label: "Read", text: coverageText(coverage) },
    ...coverage.notEvaluated.map(({ what, why }) => ({ label: "Not evaluated", text: say`${name(what)}: ${why}` })),
  ];
  return { kind: "section", id: "coverage", title: ["What was not seen"], blocks: [{ kind: "facts", facts }] };
}

/** The rules that do not hold, for a comment. */
export function findingsFold(report: GateReport): Fold | undefined {
  const found = report.checks.filter(
    (check) => check.lens === "policy" && check.status !== "passed" && check.status !== "idle",
  );
  if (found.length === 0) return undefined;
  const items = found.map((check): Finding => {
    const more = check.places.length - FINDINGS_PER_RULE;
    const places = check.places
      .slice(0, FINDINGS_PER_RULE)
      .map(({ trace, turnIndex, detail }) =>
        joined(
          [[name(trace)], [turnIndex === undefined ? "" : `turn ${turnIndex + 1}`], [clip(detail ?? "", LONGEST_TEXT)]],
          ", ",
        ),
      );
    const rest = more > 0 ? [[`and ${more} more`]] : [];
    return {
      mark: markOf(check.status),
      cells: [say`${name(check.name)}: ${checkMessage(check, report)}`],
      body: [{ kind: "findings", titles: [], items: [...places, ...rest].map((text) => ({ cells: [text] })) }],
    };
  });
  return {
    kind: "fold",
    name: "the findings",
    title: [`Rules: ${count(found.length, "finding")}`],
    blocks: [{ kind: "findings", titles: [], items }],
  };
}

export function notEvaluatedFold({ coverage: { notEvaluated } }: GateReport): Fold | undefined {
  if (notEvaluated.length === 0) return undefined;
  return {
    kind: "fold",
    name: "what was not evaluated",
    title: say`Not evaluated: ${notEvaluated.length} (${joined(
      notEvaluated.map(({ what }) => [name(what)]),
      ", ",
    )})`,
    blocks: [
      {
        kind: "findings",
        titles: [],
        items: notEvaluated.map(({ what, why }) => ({ cells: [say`${name(what)}: ${why}`] })),
      },
    ],
  };
}
