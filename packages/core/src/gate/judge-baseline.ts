/** The fingerprint's row: one check per run, by what the configuration says about unknown paths and variants. */
import type { BaselineReport } from "../fingerprint/baseline-report.ts";
import type { RunComparison } from "../fingerprint/comparison.ts";
import type { DriftOutcome } from "../fingerprint/drift-outcome.ts";
import type { BaselineGate } from "../fingerprint/verdict.ts";
import type { NotEvaluated } from "../report/report.ts";
import { countOf } from "../text/words.ts";
import { present } from "../trace/present.ts";
import type { CheckPlace, CheckStatus, GateCheck } from "./gate-report.ts";
import { type LensJudgement, type Reaction, statusOfReaction } from "./lens-judgement.ts";

export interface BaselineSettings {
  readonly unknownPath: Reaction;
  readonly variant: Reaction;
}

/** What the configuration blocks on, as the level of the fingerprint gate. */
export function baselineGateLevel({ unknownPath, variant }: BaselineSettings): BaselineGate {
  if (variant === "block") return "variant";
  if (unknownPath === "block") return "new";
  // A new tool, or one that was always called and is gone, is more than an unknown path.
  return unknownPath === "warn" ? "tools" : "none";
}

export function judgeBaseline(
  report: BaselineReport,
  settings: BaselineSettings,
  pathOf: (key: string) => string | undefined,
): LensJudgement {
  const runs = report.agents.flatMap((agent) => agent.runs);
  const first = runs.find((run) => run.status === "new") ?? runs.find((run) => !isFine(run));
  const rules = report.agents.flatMap((agent) =>
    agent.policy === undefined ? [] : checksOfRules(agent.policy, agent.runs.length, pathOf),
  );
  const seen = (status: CheckStatus) => rules.some((check) => check.status === status);
  const status: CheckStatus =
    runs.length === 0 || seen("not_evaluated")
      ? "not_evaluated"
      : report.gate.tripped
        ? "failed"
        : first === undefined && !seen("warned")
          ? "passed"
          : "warned";
  const amount = (...of: readonly RunComparison["status"][]) => runs.filter((run) => of.includes(run.status)).length;
  return {
    result: {
      lens: "baseline",
      status,
      facts: {
        code: "baseline",
        runs: runs.length,
        unknown: amount("new"),
        variants: amount("variant", "structural_match"),
      },
      ...(first === undefined ? {} : { begins: placeOf(first, pathOf) }),
    },
    checks: [...runs.map((run) => checkOf(run, settings, pathOf)), ...rules],
    reasons: report.gate.reasons,
    notEvaluated: skippedSignals(runs),
  };
}

function isFine(run: RunComparison): boolean {
  return run.status === "match" || run.status === "accepted_variant";
}

function checkOf(
  run: RunComparison,
  settings: BaselineSettings,
  pathOf: (key: string) => string | undefined,
): GateCheck {
  const reaction = run.status === "new" ? settings.unknownPath : isFine(run) ? "ignore" : settings.variant;
  const status = statusOfReaction(reaction);
  return {
    lens: "baseline",
    name: run.run,
    status,
    fact: {
      code: "behaviour",
      status: run.status,
      rejected: run.rejected,
      ...(run.differsIn === undefined ? {} : { differsIn: run.differsIn }),
      path: run.path,
      ...(run.closest === null ? {} : { closestRuns: run.closest.runs }),
    },
    places: status === "passed" ? [] : [placeOf(run, pathOf)],
  };
}

/** One check per rule about drift, over all runs. */
function checksOfRules(outcome: DriftOutcome, of: number, pathOf: (key: string) => string | undefined): GateCheck[] {
  return outcome.rules.map(({ id, severity, explanation, headline, at: { file, line, column } }) => {
    const broken = outcome.violations.filter(({ ruleId }) => ruleId === id);
    const [missing] = outcome.notEvaluated.filter(({ ruleId }) => ruleId === id);
    const traces = new Set(broken.map(({ key }) => key)).size;
    const bad: CheckStatus = severity === "severe" ? "failed" : "warned";
    return {
      lens: "baseline",
      name: id,
      status: broken.length > 0 ? bad : missing === undefined ? "passed" : "not_evaluated",
      fact:
        broken.length > 0
          ? { code: "rule_broken", headline, traces, of }
          : missing === undefined
            ? { code: "rule_holds", explanation }
            : { code: "rule_not_evaluated", why: missing.why },
      places: broken.map(({ run, key, message }) => present({ trace: run, key, path: pathOf(key), detail: message })),
      ...(file === undefined ? {} : { rule: present({ file, line, column }) }),
    };
  });
}

function placeOf(run: RunComparison, pathOf: (key: string) => string | undefined): CheckPlace {
  const path = pathOf(run.key);
  return { trace: run.run, key: run.key, fingerprint: run.hash, ...(path === undefined ? {} : { path }) };
}

/** One line per signal and reason, however many runs lack the evidence. */
function skippedSignals(runs: readonly RunComparison[]): NotEvaluated[] {
  const groups = new Map<string, { name: string; why: string; runs: string[] }>();
  for (const run of runs) {
    for (const { name, why } of run.notEvaluated) {
      const mark = JSON.stringify([name, why]);
      const group = groups.get(mark) ?? { name, why, runs: [] };
      groups.set(mark, group);
      group.runs.push(run.run);
    }
  }
  return [...groups.values()].map(({ name, why, runs: names }) => ({
    what: names.length === 1 ? `${name} (${names[0]})` : `${name} (${names.length} of ${countOf(runs.length, "run")})`,
    why,
  }));
}
