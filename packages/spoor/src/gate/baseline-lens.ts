/** The fingerprint lens inside the gate: is each run a behaviour that the agent's baseline knows? */
import { resolve } from "node:path";
import { SpoorError } from "@spoor/core/errors";
import type { BaselineReport } from "@spoor/core/fingerprint/baseline-report";
import { baselineVerdict } from "@spoor/core/fingerprint/baseline-verdict";
import { compareRuns } from "@spoor/core/fingerprint/compare-baseline";
import type { AgentComparison, RunComparison } from "@spoor/core/fingerprint/comparison";
import { runFacts } from "@spoor/core/fingerprint/run-facts";
import { summariseComparisons } from "@spoor/core/fingerprint/summarise-comparisons";
import { thresholdsFrom } from "@spoor/core/fingerprint/thresholds";
import { type BaselineGate, gateComparisons } from "@spoor/core/fingerprint/verdict";
import type { CheckPlace, CheckStatus, GateCheck } from "@spoor/core/gate/gate-report";
import { coverageOf } from "@spoor/core/report/coverage";
import type { NotEvaluated } from "@spoor/core/report/report";
import type { Config } from "../config/config.ts";
import { resolveConfigPath } from "../config/load-config.ts";
import { count } from "../document/words.ts";
import { statusWord } from "../render/baseline/words.ts";
import { createFileStore } from "../store/baseline-store.ts";
import { toolInfo, version } from "../tool-info.ts";
import { digestFile } from "./digest-file.ts";
import type { GateInput } from "./gate-input.ts";
import type { LensOutcome } from "./lens-outcome.ts";

type Settings = NonNullable<Config["baseline"]>;

export async function runBaselineLens(input: GateInput, settings: Settings): Promise<LensOutcome> {
  const path = resolveConfigPath(input.loaded, settings.file, input.cwd);
  const baseline = await createFileStore(resolve(input.cwd, path), { toolVersion: version }).load(input.config.agent);
  if (baseline === undefined) {
    throw new SpoorError("baseline.missing", `The baseline ${path} does not exist.`, {
      at: { file: path },
      consequence: "Nothing was evaluated: without a baseline every run would look new.",
      hint: `Make one from runs that show the behaviour to keep: spoor baseline build TRACES --baseline ${path}`,
    });
  }
  const options = { mode: baseline.mode, modelAliases: baseline.modelAliases ?? {}, agent: baseline.agent };
  const facts = input.candidate.map((trace) => ({ ...runFacts(trace, options), agent: baseline.agent }));
  const comparison = compareRuns(baseline, facts, { thresholds: thresholdsFrom(input.env) });
  const gate = gateComparisons([comparison], { failOn: gateLevel(settings), blocking: true });
  const report: BaselineReport = {
    schema: "spoor.baseline/1",
    tool: toolInfo,
    inputs: [],
    action: "compare",
    verdict: baselineVerdict([comparison]),
    agents: [comparison],
    summary: summariseComparisons([comparison], gate),
    coverage: coverageOf(input.candidate),
    gate,
  };
  const first = comparison.runs.find((run) => run.status === "new") ?? comparison.runs.find((run) => !isFine(run));
  return {
    result: {
      lens: "baseline",
      status:
        comparison.runs.length === 0
          ? "not_evaluated"
          : gate.tripped
            ? "failed"
            : first === undefined
              ? "passed"
              : "warned",
      summary: summaryOf(comparison),
      ...(first === undefined ? {} : { begins: { trace: first.run, key: first.key, fingerprint: first.hash } }),
    },
    checks: comparison.runs.map((run) => checkOf(run, settings, input)),
    reasons: gate.reasons,
    notEvaluated: skippedSignals(comparison),
    inputs: [{ role: "baseline", path, contentId: digestFile(resolve(input.cwd, path)) }],
    report: { baseline: report },
  };
}

/** What the configuration blocks on, as the level of the fingerprint gate. */
function gateLevel({ unknownPath, variant }: Settings): BaselineGate {
  if (variant === "block") return "variant";
  if (unknownPath === "block") return "new";
  // A new tool, or one that was always called and is gone, is more than an unknown path.
  return unknownPath === "warn" ? "tools" : "none";
}

function isFine(run: RunComparison): boolean {
  return run.status === "match" || run.status === "accepted_variant";
}

function summaryOf({ runs, counts }: AgentComparison): string {
  const variants = counts.variant + counts.structural_match;
  if (counts.new > 0) return `${counts.new} of ${count(runs.length, "run")} on an unknown path`;
  if (variants > 0) return `${variants} of ${count(runs.length, "run")} on a variant of a known path`;
  return `${runs.length} of ${count(runs.length, "run")} on a known path`;
}

/** One line per signal and reason, however many runs lack the evidence. */
function skippedSignals({ runs }: AgentComparison): NotEvaluated[] {
  const groups = new Map<string, { name: string; why: string; runs: string[] }>();
  for (const run of runs) {
    for (const { name, why } of run.notEvaluated) {
      const key = `${name}\u0000${why}`;
      const group = groups.get(key) ?? { name, why, runs: [] };
      groups.set(key, group);
      group.runs.push(run.run);
    }
  }
  return [...groups.values()].map(({ name, why, runs: names }) => ({
    what: names.length === 1 ? `${name} (${names[0]})` : `${name} (${names.length} of ${count(runs.length, "run")})`,
    why,
  }));
}

function checkOf(run: RunComparison, settings: Settings, input: GateInput): GateCheck {
  const level = run.status === "new" ? settings.unknownPath : isFine(run) ? "ignore" : settings.variant;
  const status: CheckStatus = isFine(run) || level === "ignore" ? "passed" : level === "block" ? "failed" : "warned";
  const path = input.candidate.find((trace) => trace.key === run.key)?.source.path;
  const place: CheckPlace = {
    trace: run.run,
    key: run.key,
    fingerprint: run.hash,
    ...(path === undefined ? {} : { path }),
  };
  const closest = run.closest === null ? "" : `; the closest known one was seen ${count(run.closest.runs, "time")}`;
  return {
    lens: "baseline",
    name: run.run,
    status,
    message: `${statusWord(run)}: ${run.path}${isFine(run) ? "" : closest}.`,
    places: status === "passed" ? [] : [place],
  };
}
