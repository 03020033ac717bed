/** Instrumentations that make a span of every event: what several of them tell of one thing is told once. */
import type { Json } from "@spoor/core";
import { describe, expect, it } from "vitest";
import { importValues } from "../../../test/fixtures.ts";

const at = (second: number) => `2026-02-01T10:00:${String(second).padStart(2, "0")}.000Z`;

describe("events of BeeAI", () => {
  /** As Langfuse keeps them: one ReAct agent that asks a model three times and a tool once. */
  const observation = (name: string, type: string, second: number, more: object = {}) => ({
    id: `${name}-${second}`,
    traceId: "t",
    parentObservationId: name === "beeai-framework-main" ? null : "beeai-framework-main-0",
    name,
    type,
    startTime: at(second),
    endTime: at(second),
    ...more,
  });
  const asked = (text: string) => ({ input: [{ role: "user", content: text }] });
  const said = (text: string) => ({ output: [{ role: "assistant", content: text }] });

  it("a run of a tool is one call, a call of the model one response", () => {
    const chat = "backend.openai.chat";
    const [trace] = importValues("langfuse", {
      document: {
        trace: { id: "t", name: "bee" },
        observations: [
          observation("beeai-framework-main", "AGENT", 0, { endTime: at(30) }),
          observation(`${chat}.start-1`, "GENERATION", 1, asked("Who was Ada?")),
          observation(`${chat}.success-1`, "GENERATION", 3, said("I look it up.")),
          observation(`${chat}.finish-1`, "GENERATION", 3),
          observation("tool.search.wikipedia.start-12", "TOOL", 4, { input: { query: "Ada" } }),
          observation("tool.search.wikipedia.success-12", "TOOL", 6, { output: "A mathematician." }),
          observation("tool.search.wikipedia.finish-12", "TOOL", 6),
          observation(`${chat}.start-2`, "GENERATION", 7, asked("A mathematician.")),
          observation(`${chat}.success-2`, "GENERATION", 8, said("One more thought.")),
          observation(`${chat}.finish-2`, "GENERATION", 8),
          observation(`${chat}.start-3`, "GENERATION", 9, asked("Go on.")),
          observation(`${chat}.success-3`, "GENERATION", 11, said("A mathematician.")),
        ],
      } as Json,
    });
    expect(trace!.turns.map(({ text, durationMs }) => [text, durationMs])).toEqual([
      ["I look it up.", 2000],
      ["One more thought.", 1000],
      ["A mathematician.", 2000],
    ]);
    expect(
      trace!.toolCalls.map(({ name, input, output, status, durationMs }) => [name, input, output, status, durationMs]),
    ).toEqual([["search.wikipedia", { query: "Ada" }, "A mathematician.", "ok", 2000]]);
  });

  /** The same instrumentation seen through Phoenix, where the number counts events of one path: an error is the first error. */
  const span = (name: string, kind: string, second: number, attributes: object = {}, status = "OK") => ({
    name,
    context: { trace_id: "t", span_id: `${name}${second}` },
    parent_id: name === "main" ? null : "main0",
    span_kind: kind,
    start_time: at(second),
    end_time: at(second),
    status_code: status,
    status_message: status === "ERROR" ? "no network" : "",
    attributes,
  });

  it("a tool that failed failed once, and the next run of it is another call", () => {
    const [trace] = importValues("phoenix", {
      document: [
        span("main", "AGENT", 0),
        span("tool.weather.start-1", "TOOL", 1, { "input.value": '{"city": "Bern"}' }),
        span("tool.weather.error-1", "TOOL", 2, {}, "ERROR"),
        span("tool.weather.finish-1", "TOOL", 2),
        span("tool.weather.start-2", "TOOL", 3, { "input.value": '{"city": "Bern"}' }),
        span("tool.weather.success-1", "TOOL", 5, { "output.value": "sun" }),
        span("tool.weather.finish-2", "TOOL", 5),
      ] as Json,
    });
    expect(trace!.toolCalls.map(({ name, status, output, durationMs }) => [name, status, output, durationMs])).toEqual([
      ["weather", "error", "no network", 1000],
      ["weather", "ok", "sun", 2000],
    ]);
    expect(trace!.toolCalls[0]!.error).toMatchObject({ message: "no network" });
  });

  it("runs side by side end in the order in which they began; other tools and other names are left alone", () => {
    const [trace] = importValues("phoenix", {
      document: [
        span("main", "AGENT", 0),
        span("tool.a.start-1", "TOOL", 1, { "input.value": '{"n": 1}' }),
        span("tool.a.start-2", "TOOL", 2, { "input.value": '{"n": 2}' }),
        span("tool.b.start-1", "TOOL", 2, { "tool.name": "B" }),
        span("tool.a.success-1", "TOOL", 3, { "output.value": "first" }),
        span("tool.a.success-2", "TOOL", 4, { "output.value": "second" }),
        span("deploy.start-up", "TOOL", 6, { "output.value": "up" }),
      ] as Json,
    });
    const calls = trace!.toolCalls.map(({ name, input, output }) => [name, input, output]);
    expect(calls.sort()).toEqual(
      [
        ["a", { n: 1 }, "first"],
        ["a", { n: 2 }, "second"],
        ["B", undefined, undefined],
        ["deploy.start-up", undefined, "up"],
      ].sort(),
    );
  });
});
