/** A timeline with what the calls returned: results are kept out of reports for their size, and looked up where one run is looked at. */
import { present } from "../trace/present.ts";
import type { ToolCall, Trace } from "../trace/trace.ts";
import type { Timeline, TurnView } from "./timeline.ts";

export function withResults(timeline: Timeline, baseline: Trace, candidate: Trace): Timeline {
  return {
    ...timeline,
    rows: timeline.rows.map((row) => ({
      ...row,
      ...(row.baseline === undefined ? {} : { baseline: resultsOf(row.baseline, baseline) }),
      ...(row.candidate === undefined ? {} : { candidate: resultsOf(row.candidate, candidate) }),
    })),
  };
}

/** Calls are found by their names, in order: calls before the first response count with it. */
function resultsOf(view: TurnView, { toolCalls }: Trace): TurnView {
  const own = toolCalls.filter(({ turnIndex }) => Math.max(0, turnIndex) === view.turnIndex);
  const free: (ToolCall | undefined)[] = [...own];
  const calls = view.calls.map((call) => {
    const at = free.findIndex((one) => one?.name === call.name);
    const found = at < 0 ? undefined : free[at];
    free[at] = undefined;
    if (found === undefined) return call;
    const error = found.error === undefined ? undefined : (found.error.message ?? found.error.kind ?? "failed");
    return present({ ...call, output: found.output, error });
  });
  return { ...view, calls };
}
