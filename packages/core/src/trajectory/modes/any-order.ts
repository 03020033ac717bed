/** any_order: how often each tool was called, against a least and a most. Order, arguments and times do not matter. */
import { nearestTool } from "../../text/nearest-tool.ts";
import type { CalledTools } from "../called-tools.ts";
import { fitsGlob } from "../name-glob.ts";
import type { CountResult, ToolCount, TrajectorySpec } from "../trajectory.ts";

/** `calls`: how many calls each tool had. */
export function countCalls(
  spec: TrajectorySpec,
  calls: ReadonlyMap<string, number>,
  called: CalledTools,
): CountResult[] {
  const check = (kind: CountResult["kind"], wanted: ToolCount): CountResult => {
    const count = sumOf(calls, namesOf(kind, wanted.tool, spec, calls, called));
    const passed = kind === "minimum" ? count >= wanted.count : count <= wanted.count;
    const similarTool = passed || count > 0 ? undefined : nearestTool(wanted.tool, [...calls.keys()]);
    return {
      tool: wanted.tool,
      kind,
      called: count,
      limit: wanted.count,
      passed,
      ...(similarTool === undefined ? {} : { similarTool }),
    };
  };
  const minimums = (spec.minimums ?? []).map((wanted) => check("minimum", wanted));
  const maximums = (spec.maximums ?? []).map((wanted) => check("maximum", wanted));
  return [...minimums, ...maximums];
}

function namesOf(
  kind: CountResult["kind"],
  tool: string,
  { nameMatch }: TrajectorySpec,
  calls: ReadonlyMap<string, number>,
  called: CalledTools,
): readonly string[] {
  if (nameMatch === "exact") return [tool];
  if (nameMatch === "glob") return [...calls.keys()].filter(fitsGlob(tool));
  return kind === "minimum" ? called.meant(tool) : called.allMeant(tool);
}

function sumOf(calls: ReadonlyMap<string, number>, names: readonly string[]): number {
  return names.reduce((sum, name) => sum + (calls.get(name) ?? 0), 0);
}
