/** Damaged recordings as the world of a changed agent: every question that their good original asks is answered, refused or missed, never failed inside. */
import { SpoorError, type Trace } from "@spoor/core";
import { buildCassette } from "@spoor/core/internal/cassette/build-cassette";
import type { CassetteSession } from "@spoor/core/internal/cassette/cassette";
import { providerApis } from "@spoor/core/internal/providers/provider-apis";
import type { JsonObject } from "@spoor/core/internal/trace/json";
import { loadTraceFile } from "spoor/internal/load/load-traces";
import { type Area, RESULT } from "../area.ts";
import { BrokenPromise } from "../broken-promise.ts";
import { recordings } from "./read.ts";

export const cassettesArea: Area = {
  name: "cassettes",
  about:
    "recordings served again: tools and models asked what the recording asked, with other arguments, and once too often",
  share: 10,
  async open() {
    const seeds = recordings();
    return {
      seeds,
      async drive({ bytes, choice }) {
        try {
          const traces = await loadTraceFile("input", { bytes, lenient: true });
          const cassette = buildCassette(traces, { miss: MISSES[choice % MISSES.length] });
          const session = cassette.open(
            choice % 2 === 0 ? {} : { scenario: traces[0]?.name, nowMs: 1_700_000_000_000 },
          );
          for (const trace of traces) ask(session, trace, choice);
          const { tools } = session.summary(1_700_000_000_000);
          const asked = traces.reduce((sum, { toolCalls }) => sum + 2 * toolCalls.length, 0);
          const answered = Object.values(tools).reduce((sum, count) => sum + count, 0);
          if (answered !== asked) throw new BrokenPromise(`${asked} calls were asked, ${answered} are counted`);
          return RESULT;
        } catch (error) {
          if (error instanceof SpoorError) return error.code;
          throw error;
        }
      },
    };
  },
};

const MISSES = [undefined, "refuse"] as const;

/** Each call as it was, and once more a little otherwise; each request in the shape of one API after the other. */
function ask(session: CassetteSession, trace: Trace, choice: number): void {
  for (const { name, input, id } of trace.toolCalls) {
    session.answerTool({ name, args: input, id });
    session.answerTool({ name, args: { ...(input as object), other: choice } });
  }
  for (const [index, { request }] of trace.turns.entries()) {
    const api = providerApis[(choice + index) % providerApis.length]!;
    const body = api.encodeRequest((request ?? {}) as JsonObject);
    session.answerModel({ api, body });
    session.noteRequest({ api, body });
  }
}
