/** any_order: how often each tool was called, against a least and a most. Order, arguments and times do not matter. */
import { globMatcher } from "../../text/glob.ts";
import { nearestTool } from "../../text/nearest-tool.ts";
import type { CountResult, NameMatch, ToolCount, TrajectorySpec } from "../trajectory.ts";

/** `called`: how many calls each tool had. */
export function countCalls(spec: TrajectorySpec, called: ReadonlyMap<string, number>): CountResult[] {
  const minimums = (spec.minimums ?? []).map((wanted) => check("minimum", wanted, called, spec.nameMatch));
  const maximums = (spec.maximums ?? []).map((wanted) => check("maximum", wanted, called, spec.nameMatch));
  return [...minimums, ...maximums];
}

function check(
  kind: CountResult["kind"],
  { tool, count }: ToolCount,
  calls: ReadonlyMap<string, number>,
  nameMatch: NameMatch | undefined,
): CountResult {
  const called =
    nameMatch === "glob" ? countFitting(calls, globMatcher(tool, { ignoreCase: true })) : (calls.get(tool) ?? 0);
  const passed = kind === "minimum" ? called >= count : called <= count;
  const similarTool = passed || called > 0 ? undefined : nearestTool(tool, [...calls.keys()]);
  return { tool, kind, called, limit: count, passed, ...(similarTool === undefined ? {} : { similarTool }) };
}

function countFitting(calls: ReadonlyMap<string, number>, fits: (name: string) => boolean): number {
  let total = 0;
  for (const [name, count] of calls) if (fits(name)) total += count;
  return total;
}
