/** A trajectory result as lines of words, one per thing that was asked. Turns count from 1, as people count them. */
import type { CountResult, GroupResult, StepResult, TrajectoryResult } from "../trajectory/trajectory.ts";
import type { Check } from "./evaluation.ts";

export function trajectoryChecks(result: TrajectoryResult): Check[] {
  if (result.noTrace) return [{ passed: false, text: "No trace available for evaluation: the run has no messages." }];
  switch (result.mode) {
    case "any_order":
      return result.counts.length === 0 ? [passed("No tool requirements specified")] : result.counts.map(countCheck);
    case "subset":
      return subsetChecks(result);
    default:
      return sequenceChecks(result);
  }
}

function countCheck({ tool, kind, called, limit, passed, similarTool }: CountResult): Check {
  const wanted = kind === "minimum" ? `required ≥${limit}` : `allowed ≤${limit}`;
  const instead = similarTool === undefined ? "" : `; ${similarTool} was called`;
  return { passed, text: `${tool}: called ${called} times (${wanted})${instead}` };
}

function subsetChecks(result: TrajectoryResult): Check[] {
  if (result.callCount === 0) return [passed("No tool calls, so none outside the allowed list")];
  if (result.expectedCount === 0) return [failed(`${result.callCount} tool calls with an empty allowed list`)];
  const notAllowed = new Map(result.extras.map((call) => [call.position, call.tool]));
  const checks: Check[] = [];
  for (let position = 0; position < result.callCount; position++) {
    const tool = notAllowed.get(position);
    checks.push(
      tool === undefined
        ? passed(`Position ${position}: on the allowed list`)
        : failed(`Position ${position}: ${tool} is not on the allowed list`),
    );
  }
  return checks;
}

function sequenceChecks(result: TrajectoryResult): Check[] {
  const { mode, expectedCount, callCount } = result;
  const checks: Check[] = [];
  if (mode === "exact" && expectedCount !== callCount) {
    checks.push(failed(`Expected ${expectedCount} tool calls, got ${callCount}${extraNames(result)}`));
  }
  if (mode === "unordered" && result.extras.length > 0) {
    checks.push(failed(`${result.extras.length} calls serve no expected step${extraNames(result)}`));
  }
  if (expectedCount === 0 && checks.length === 0) checks.push(passed("No tool sequence specified"));
  for (const step of result.steps) checks.push(...stepChecks(step));
  for (const group of result.groups) checks.push(groupCheck(group));
  return checks;
}

function extraNames({ extras }: TrajectoryResult): string {
  if (extras.length === 0) return "";
  const names = extras.slice(0, 5).map((call) => call.tool);
  return `: ${names.join(", ")}${extras.length > 5 ? ` and ${extras.length - 5} more` : ""}`;
}

function stepChecks(step: StepResult): Check[] {
  const checks: Check[] = [
    step.call === undefined
      ? failed(`Step ${step.step + 1}, ${step.tool}: ${missText(step)}`)
      : passed(`Step ${step.step + 1}, ${step.tool}: call ${step.call.position + 1}${turnText(step.call.turnIndex)}`),
  ];
  const limit = step.limit;
  if (limit?.outcome === "within")
    checks.push(passed(`${step.tool} completed in ${limit.durationMs} ms (max: ${limit.maxDurationMs} ms)`));
  if (limit?.outcome === "exceeded")
    checks.push(failed(`${step.tool} took ${limit.durationMs} ms (max: ${limit.maxDurationMs} ms)`));
  return checks;
}

/** Why a step was missed, in one clause. */
export function missText(step: StepResult): string {
  switch (step.reason) {
    case "never_called":
      return step.similarTool === undefined ? "never called" : `never called; ${step.similarTool} was`;
    case "only_earlier":
      return "not called after the steps before it";
    case "out_of_order":
      return "called, but not in this order";
    case "search_used_up":
      return `the search for step ${step.usedUpBy! + 1} had used up the rest`;
    case "other_tool":
      return `${step.found!.tool} stands there instead`;
    case "nothing_left":
      return "the calls end before it";
    case "already_used":
      return "every call that fits serves another step";
    case "status_differs":
      return statusText(step);
    case "turn_differs":
      return `called in ${turnName(step.closest?.turnIndex ?? step.found?.turnIndex ?? -1)}, expected in ${turnName(step.closest?.turnExpected ?? -1)}`;
    default:
      return argsText(step);
  }
}

function statusText(step: StepResult): string {
  const { statusExpected, status } = step.closest ?? {};
  if (status === "unknown") return `no result was recorded, so status ${statusExpected} cannot be shown`;
  return `the call ended with status ${status}, expected ${statusExpected}`;
}

function argsText(step: StepResult): string {
  const different = (step.closest?.comparisons ?? []).filter((entry) => entry.outcome !== "same");
  if (different.length === 0) return "called with other arguments";
  if (different[0]!.path === "") return "called without a mapping of arguments";
  const paths = different.map((entry) => entry.path);
  const shown = `${paths.slice(0, 5).join(", ")}${paths.length > 5 ? ` and ${paths.length - 5} more` : ""}`;
  return different.every((entry) => entry.outcome === "missing")
    ? `called without ${shown}`
    : `called with other arguments (${shown})`;
}

function groupCheck(group: GroupResult): Check {
  const steps = `steps ${group.steps.map((step) => step + 1).join(", ")}`;
  return group.passed ? passed(`${steps} share ${turnName(group.turnIndex!)}`) : failed(`${steps} do not share a turn`);
}

function turnText(turnIndex: number): string {
  return turnIndex < 0 ? "" : ` in turn ${turnIndex + 1}`;
}

function turnName(turnIndex: number): string {
  return turnIndex < 0 ? "no turn" : `turn ${turnIndex + 1}`;
}

function passed(text: string): Check {
  return { passed: true, text };
}

function failed(text: string): Check {
  return { passed: false, text };
}
