/** For a call that no recording answers: the recorded call of the same tool that differs least, and where it differs. */
import { isObject, type Json } from "../trace/json.ts";
import { compareArgs, literalMapping } from "../trajectory/compare-args.ts";
import type { ArgumentComparison } from "../trajectory/trajectory.ts";
import type { ReadCall } from "./call-reader.ts";
import type { NearestCall } from "./cassette.ts";
import type { RecordedCall } from "./tape.ts";

const MOST_COMPARED = 200;

export function nearestCall(asked: ReadCall, recorded: readonly RecordedCall[]): NearestCall | undefined {
  let best: NearestCall | undefined;
  for (const call of recorded.slice(0, MOST_COMPARED)) {
    const differences = differencesOf(asked.args, call.args);
    if (best === undefined || differences.length < best.differences.length)
      best = { name: call.name, from: call.from, differences };
  }
  return best;
}

function differencesOf(asked: Json, recorded: Json): ArgumentComparison[] {
  if (!isObject(recorded)) return [{ path: "", outcome: "different", expected: recorded, actual: asked }];
  const { comparisons } = compareArgs(literalMapping(recorded), asked, "exact");
  return comparisons.filter(({ outcome }) => outcome !== "same");
}
