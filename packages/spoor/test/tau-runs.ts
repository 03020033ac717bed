/** Runs in the format of tau-bench: no clock, no usage. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "./e2e/run-spoor.ts";

/** `mark` stands in the arguments and makes one run unlike another that does the same. */
export function tauRun(task: string, tools: readonly string[], mark?: string) {
  const given = JSON.stringify(mark === undefined ? {} : { mark });
  const traj = [
    { role: "user", content: "Please refund my order." },
    ...tools.flatMap((name, index) => [
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: `c${index}`, type: "function", function: { name, arguments: given } }],
      },
      { role: "tool", tool_call_id: `c${index}`, content: "ok" },
    ]),
    { role: "assistant", content: "Your refund is on its way." },
  ];
  return { task_id: task, trial: 0, reward: 1, info: {}, traj };
}

export const confirms = ["get_order", "confirm", "refund"];
export const skips = ["get_order", "refund"];

/** One run of each of so many tasks. */
export function tauRuns(count: number, tools: readonly string[]) {
  return Array.from({ length: count }, (_, index) => tauRun(`t${index}`, tools));
}

/** Two files in a folder of their own: `a.json` and `b.json`. */
export function twoFiles(
  baseline: readonly object[],
  candidate: readonly object[],
): { folder: string; a: string; b: string } {
  const folder = temporaryFolder();
  const a = join(folder, "a.json");
  const b = join(folder, "b.json");
  writeFileSync(a, JSON.stringify(baseline));
  writeFileSync(b, JSON.stringify(candidate));
  return { folder, a, b };
}
