/**
 * The gate on traces as they come: with scenario ids, several in a file, repeated, in folders with equal file names. Every layout
 * holds the same runs, so every layout must give the same verdict and show the finding at the same turn.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { buildComparisonView, type SideView } from "@spoor/core/internal/gate/comparison-view";
import type { GateReport } from "@spoor/core/internal/gate/gate-report";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { recordsOf, type TurnSpec } from "../../../core/test/build.ts";
import { temporaryFolder } from "../../test/e2e/run-spoor.ts";
import { loadConfig } from "../config/load-config.ts";
import { writeAgentlog } from "../formats/agentlog.ts";
import { runGate } from "./run-gate.ts";

const POLICY = `rules:
  - { id: confirm-first, kind: must_call_before, severity: error, params: { first: confirm, second: refund } }
`;
const CONFIG = `agent: tester
traces: candidate
diff: { baseline: baseline, failOn: none }
policy: { files: [policy.yaml], violations: new }
cohort: { use: never }
`;

/** One run: what it worked on, and which of its calls it makes. */
interface Run {
  readonly task: number;
  readonly trial: number;
  readonly calls: readonly string[];
}
type Side = "baseline" | "candidate";

const GOOD = ["lookup", "confirm", "refund"];
const BAD = ["lookup", "refund"];
/** The second trial of task 1 breaks the rule in its second turn; task 2 always did. */
const RUNS: Readonly<Record<Side, readonly Run[]>> = {
  baseline: [run(0, 0, GOOD), run(0, 1, GOOD), run(1, 0, GOOD), run(1, 1, GOOD), run(2, 0, BAD), run(2, 1, BAD)],
  candidate: [run(0, 0, GOOD), run(0, 1, GOOD), run(1, 0, GOOD), run(1, 1, BAD), run(2, 0, BAD), run(2, 1, BAD)],
};

function run(task: number, trial: number, calls: readonly string[]): Run {
  return { task, trial, calls };
}

/** Files of one side, by path. */
type Layout = (runs: readonly Run[]) => ReadonlyMap<string, string>;

/** One file a run, with what the layout says about it. */
function files(
  pathOf: (run: Run) => string,
  metadataOf: (run: Run) => Record<string, string | number> = () => ({}),
): Layout {
  return (runs) => new Map(runs.map((one) => [pathOf(one), writeAgentlog(recordsOf(turnsOf(one), metadataOf(one)))]));
}

/** tau-bench results: all runs in one file, or one file a task. */
function results(pathOf: (run: Run) => string, idOf: (run: Run) => string | number): Layout {
  return (runs) => {
    const paths = new Map<string, unknown[]>();
    for (const one of runs) {
      const list = paths.get(pathOf(one)) ?? [];
      paths.set(pathOf(one), list);
      list.push({ task_id: idOf(one), trial: one.trial, reward: 1, info: {}, traj: messagesOf(one) });
    }
    return new Map([...paths].map(([path, list]) => [path, JSON.stringify(list)]));
  };
}

function turnsOf({ task, calls }: Run): TurnSpec[] {
  return calls.map((name, index) => ({
    ...(index === 0 ? { user: `Task ${task}` } : {}),
    calls: [{ name, input: { task }, output: "ok" }],
  }));
}

function messagesOf({ task, calls }: Run): unknown[] {
  return [
    { role: "user", content: `Task ${task}` },
    ...calls.flatMap((name, index) => [
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: `c${index}`, type: "function", function: { name, arguments: JSON.stringify({ task }) } }],
      },
      { role: "tool", tool_call_id: `c${index}`, content: "ok" },
    ]),
  ];
}

const LAYOUTS: readonly { readonly name: string; readonly layout: Layout }[] = [
  { name: "files by name", layout: files(({ task, trial }) => `task-${task}-${trial}.agentlog`) },
  {
    name: "files with scenario ids",
    layout: files(
      ({ task, trial }) => `task-${task}-${trial}.agentlog`,
      ({ task, trial }) => ({ scenario_id: `case ${task}.${trial}` }),
    ),
  },
  {
    name: "repeated trials of a scenario",
    layout: files(
      ({ task, trial }) => `r${task}${trial}.agentlog`,
      ({ task }) => ({ scenario_id: `case ${task}` }),
    ),
  },
  {
    name: "repeated trials of a numbered scenario",
    layout: files(
      ({ task, trial }) => `r${task}${trial}.agentlog`,
      ({ task }) => ({ task_id: task }),
    ),
  },
  { name: "equal file names in folders", layout: files(({ task, trial }) => `${task}/${trial}/run.agentlog`) },
  {
    name: "equal file names in folders, with scenario ids",
    layout: files(
      ({ task, trial }) => `${task}/${trial}/run.agentlog`,
      ({ task }) => ({ scenario_id: `case ${task}` }),
    ),
  },
  {
    name: "entries of one file, trials of numbered tasks",
    layout: results(
      () => "all.json",
      ({ task }) => task,
    ),
  },
  {
    name: "entries of one file, trials of named tasks",
    layout: results(
      () => "all.json",
      ({ task }) => `case ${task}`,
    ),
  },
  {
    name: "entries of a file a task",
    layout: results(
      ({ task }) => `t${task}.json`,
      ({ task }) => task,
    ),
  },
  {
    name: "one file that differs by side",
    layout: (runs) =>
      results(
        () => `${runs === RUNS.baseline ? "main" : "branch"}.json`,
        ({ task }) => task,
      )(runs),
  },
];

/** A project with both sides, judged. */
function gate(
  layouts: Readonly<Record<Side, Layout>>,
  runs: Readonly<Record<Side, readonly Run[]>> = RUNS,
): Promise<GateReport> {
  return judge(writeProject(layouts, runs));
}

async function judge(folder: string, config = CONFIG): Promise<GateReport> {
  writeFileSync(join(folder, "spoor.config.yaml"), config);
  const cwd = process.cwd();
  const loaded = await loadConfig(join(folder, "spoor.config.yaml"), cwd);
  return runGate(loaded, { cwd, env: {}, now: new Date(0), load: {} });
}

function writeProject(layouts: Readonly<Record<Side, Layout>>, runs: Readonly<Record<Side, readonly Run[]>>): string {
  const folder = temporaryFolder();
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  for (const side of ["baseline", "candidate"] as const)
    for (const [path, text] of layouts[side](runs[side])) write(join(side, path), text);
  write("policy.yaml", POLICY);
  return folder;
}

const both = (layout: Layout) => ({ baseline: layout, candidate: layout });

/** Findings of the comparison view with the turn they stand at and what that turn calls. */
function findings(report: GateReport): { trace: string; turn: number; calls: string[] }[] {
  return buildComparisonView(report)!.traces.flatMap((trace) =>
    trace.rows.flatMap(({ candidate }) =>
      (candidate?.findings ?? []).map(() => ({
        trace: trace.key,
        turn: candidate!.turn,
        calls: (candidate as SideView).calls!.map((call) => call.name),
      })),
    ),
  );
}

describe.each(LAYOUTS)("$name", ({ layout }) => {
  it("blocks the new violation, leaves the old ones, and shows all at their turns", async () => {
    const report = await gate(both(layout));
    expect(report).toMatchObject({ status: "blocked", lead: "policy", gate: { tripped: true } });
    expect(report.gate.reasons).toEqual([{ code: "policy_violation", subject: "confirm-first", severity: "severe" }]);
    const [check] = report.checks.filter(({ lens }) => lens === "policy");
    expect(check).toMatchObject({ status: "failed", fact: { code: "rule_broken", traces: 1, of: 6 } });
    expect(check!.places).toHaveLength(1);
    const [place] = check!.places;
    expect(place!.turnIndex).toBe(1);
    expect(report.lenses[0]!.facts).toMatchObject({ code: "policy", violations: { severe: 3 }, newViolations: 1 });
    const shown = findings(report);
    expect(shown).toHaveLength(3);
    expect(shown.every(({ turn, calls }) => turn === 2 && calls.join() === "refund")).toBe(true);
    expect(shown.map(({ trace }) => trace)).toContain(place!.key);
    const pair = report.reports.diff!.traces.find(({ candidate }) => candidate.key === place!.key)!;
    expect(pair.ask).toBe("Task 1");
    expect(pair.name).toBe(place!.trace);
  });

  it("passes where nothing is new", async () => {
    const report = await gate(both(layout), { baseline: RUNS.baseline, candidate: RUNS.baseline });
    expect(report).toMatchObject({ status: "passed", gate: { tripped: false, reasons: [] } });
    expect(report.lenses[0]!.facts).toMatchObject({ violations: { severe: 2 }, newViolations: 0 });
  });

  it("an override means the same trace in every lens", async () => {
    const folder = writeProject(both(layout), RUNS);
    const first = await judge(folder);
    const { trace } = first.checks.find(({ lens }) => lens === "policy")!.places[0]!;
    const strict = CONFIG.replace("failOn: none", "failOn: minor");
    const glob = JSON.stringify(trace.replace(/[[\]{}()*?!]/g, "?"));
    const override = (lens: string) => `${strict}overrides: [{ traces: ${glob}, ${lens}: { failOn: none } }]\n`;
    const policy = await judge(folder, override("policy"));
    expect(policy.lenses.map(({ lens, status }) => `${lens} ${status}`)).toEqual(["policy warned", "diff failed"]);
    const diff = await judge(folder, override("diff"));
    expect(diff.lenses.map(({ lens, status }) => `${lens} ${status}`)).toEqual(["policy failed", "diff warned"]);
  });
});

describe("a candidate without a partner", () => {
  it("has nothing old: what it violates is new", async () => {
    const layout = files(({ task, trial }) => `task-${task}-${trial}.agentlog`);
    const runs = { baseline: RUNS.baseline.slice(0, 2), candidate: [...RUNS.baseline.slice(0, 2), run(7, 0, BAD)] };
    const report = await gate(both(layout), runs);
    expect(report.status).toBe("blocked");
    expect(report.checks[0]!.places.map(({ trace, turnIndex }) => [trace, turnIndex])).toEqual([["task-7-0", 1]]);
  });
});

describe("names", () => {
  const name = fc.stringMatching(/^[a-z][a-z .:#@-]{0,12}[a-z]$/);

  it("never change the verdict, however scenarios and files are called", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(name, { minLength: 3, maxLength: 3 }),
        fc.uniqueArray(fc.stringMatching(/^[a-z0-9][a-z0-9_-]{0,8}$/), { minLength: 6, maxLength: 6 }),
        fc.boolean(),
        async (scenarios, stems, numbered) => {
          const layout = files(
            ({ task, trial }) => `${stems[task * 2 + trial]}.agentlog`,
            ({ task }) => ({ scenario_id: numbered ? String(task + 100) : scenarios[task]! }),
          );
          const report = await gate(both(layout));
          expect(report.status).toBe("blocked");
          expect(report.checks[0]!.places.map(({ turnIndex }) => turnIndex)).toEqual([1]);
          expect(findings(report)).toHaveLength(3);
        },
      ),
      { numRuns: 15 },
    );
  });
});
