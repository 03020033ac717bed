/** Damaged recordings through the one way in, and once more through our own format. */
import { SpoorError, type Trace } from "@spoor/core";
import { writeAgentlog } from "spoor/internal/formats/agentlog";
import { loadTraceFile } from "spoor/internal/load/load-traces";
import { type Area, RESULT } from "../area.ts";
import { BrokenPromise } from "../broken-promise.ts";
import { seedsBelow } from "../repository-files.ts";

export const readArea: Area = {
  name: "read",
  about: "recordings of every format, through recognition and reader; written as agent log and read back",
  share: 632,
  async open() {
    return {
      seeds: recordings(),
      async drive({ bytes, choice }) {
        try {
          const traces = await loadTraceFile("input", { bytes, lenient: choice % 4 === 0 });
          for (const trace of traces) checkTrace(trace);
          if (choice % 5 === 0) for (const trace of traces) await checkWritten(trace);
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

function checkTrace(trace: Trace): void {
  if (typeof trace.id !== "string") throw new BrokenPromise("a trace has no id");
  for (const { name } of trace.toolCalls) if (typeof name !== "string") throw new BrokenPromise("a call has no name");
  for (const { durationMs } of [...trace.turns, ...trace.toolCalls])
    if (durationMs !== undefined && !Number.isFinite(durationMs))
      throw new BrokenPromise(`a duration is ${durationMs}`);
}

/** What was read can be written, and what was written is read as the same, by the reader that reads such files. */
async function checkWritten(trace: Trace): Promise<void> {
  const bytes = Buffer.from(writeAgentlog(trace.records));
  const [again, ...others] = await loadTraceFile("written", { bytes, from: "agentlog", lenient: true });
  if (others.length > 0) return;
  for (const part of ["turns", "toolCalls", "steps"] as const)
    if (again![part].length !== trace[part].length)
      throw new BrokenPromise(`${trace[part].length} ${part} were written, ${again![part].length} read back`);
}
