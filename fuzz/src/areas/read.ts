/** Damaged recordings through the one way in, and once more through our own format. */
import { buildTrace, parseJson, SpoorError, type Trace } from "@spoor/core";
import { agentlogLines } from "spoor/internal/formats/agentlog";
import { loadTraceFile } from "spoor/internal/load/load-traces";
import { type Area, RESULT } from "../area.ts";
import { BrokenPromise } from "../broken-promise.ts";
import { seedsBelow } from "../repository-files.ts";

export const readArea: Area = {
  name: "read",
  about: "recordings of every format, through recognition and reader; written as agent log and read back",
  share: 880,
  async open() {
    return {
      seeds: recordings(),
      async drive({ bytes, choice }) {
        try {
          const traces = await loadTraceFile("input", { bytes, lenient: choice % 4 === 0 });
          for (const trace of traces) checkTrace(trace, choice % 5 === 0);
          return RESULT;
        } catch (error) {
          if (error instanceof SpoorError) return error.code;
          throw error;
        }
      },
    };
  },
};

export function recordings() {
  return [
    ...seedsBelow("packages/spoor/test/fixtures", /\/fixtures\/.*\/.*$/),
    ...seedsBelow("examples", /\.agentlog$/),
  ];
}

/** What was read can be walked and written, and what was written is read as the same. */
function checkTrace(trace: Trace, readsBack: boolean): void {
  if (typeof trace.id !== "string") throw new BrokenPromise("a trace has no id");
  for (const { name } of trace.toolCalls) if (typeof name !== "string") throw new BrokenPromise("a call has no name");
  for (const { durationMs } of [...trace.turns, ...trace.toolCalls])
    if (durationMs !== undefined && !Number.isFinite(durationMs))
      throw new BrokenPromise(`a duration is ${durationMs}`);
  if (!readsBack) return;
  const written = [...agentlogLines(trace.records)];
  const again = buildTrace(written.map((line) => parseJson(line)) as unknown as Trace["records"]);
  for (const part of ["turns", "toolCalls", "steps"] as const)
    if (again[part].length !== trace[part].length)
      throw new BrokenPromise(`${trace[part].length} ${part} were written, ${again[part].length} read back`);
}
