import { describe, expect, it } from "vitest";
import { buildTrace } from "../trace/build-trace.ts";
import type { Json, JsonObject } from "../trace/json.ts";
import type { TraceRecord } from "../trace/record.ts";
import { diffTraces } from "./diff-traces.ts";
import type { FirstInput } from "./input-difference.ts";

interface Step {
  readonly user?: Json;
  readonly call?: string;
  readonly input?: Json;
  readonly text?: string;
  readonly output?: Json;
  readonly failed?: boolean;
  readonly request?: JsonObject;
}

const SYSTEM = "You help.\nConfirm amounts.\nBe kind.";
const TOOLS: Json = [
  { name: "lookup", description: "Finds an order.", input_schema: { properties: { id: { type: "string" } } } },
  { name: "refund", description: "Pays back." },
];
const REQUEST: JsonObject = { model: "m-1", system: SYSTEM, tools: TOOLS, params: { temperature: 0 } };

function trace(steps: readonly Step[], request: JsonObject = REQUEST) {
  const records: TraceRecord[] = [];
  const messages: Json[] = [];
  steps.forEach((step, index) => {
    if (step.user !== undefined) messages.push({ role: "user", content: step.user });
    records.push({ kind: "chat_request", payload: { ...request, ...step.request, messages: [...messages] } });
    const id = `call-${index}`;
    const content: Json[] = [
      ...(step.text === undefined ? [] : [{ type: "text", text: step.text }]),
      ...(step.call === undefined ? [] : [{ type: "tool_use", id, name: step.call, input: step.input ?? {} }]),
    ];
    records.push({ kind: "chat_response", payload: { content, stop_reason: step.call ? "tool_use" : "end_turn" } });
    messages.push({ role: "assistant", content });
    if (step.output === undefined) return;
    records.push({
      kind: "tool_result",
      payload: { tool_call_id: id, output: step.output, is_error: step.failed ?? false },
    });
    messages.push({ role: "tool", tool_call_id: id, content: step.output });
  });
  return buildTrace(records);
}

const BEFORE: readonly Step[] = [
  { user: "Refund my lamp", call: "lookup", input: { id: "A1" }, output: { total: 40, at: "2026-11-01T10:00:00Z" } },
  { call: "confirm", output: "yes" },
  { call: "refund", input: { amount: 40 }, output: "done" },
  { text: "Your refund of 40 is on its way." },
];
/** Turn 1 is gone: the runs part there. */
const AFTER: readonly Step[] = BEFORE.filter(({ call }) => call !== "confirm");

function firstInput(baseline: ReturnType<typeof trace>, candidate: ReturnType<typeof trace>): FirstInput {
  return diffTraces(baseline, candidate).firstDivergence!.goingIn;
}

const with_ = (steps: readonly Step[], at: number, change: Step) =>
  steps.map((step, index) => (index === at ? { ...step, ...change } : step));

describe("the first difference going in", () => {
  const everywhere = { baselineTurn: 0, candidateTurn: 0 };
  it.each([
    {
      name: "a line of the prompt that another replaces",
      request: { system: "You help.\nBe quick.\nBe kind." },
      expected: { code: "system_line", line: 2, baseline: "Confirm amounts.", candidate: "Be quick.", ...everywhere },
    },
    {
      name: "a line of the prompt that is gone",
      request: { system: "You help.\nBe kind." },
      expected: { code: "system_line", line: 2, baseline: "Confirm amounts.", ...everywhere },
    },
    {
      name: "a line of the prompt that is new",
      request: { system: "You help.\nConfirm amounts.\nNever wait.\nBe kind." },
      expected: { code: "system_line", line: 3, candidate: "Never wait.", ...everywhere },
    },
    {
      name: "a field of a tool's definition",
      request: {
        tools: [
          { name: "lookup", description: "Finds an order.", input_schema: { properties: { id: { type: "number" } } } },
          { name: "refund", description: "Pays back." },
        ],
      },
      expected: {
        code: "tool_definition",
        tool: "lookup",
        path: "input_schema.properties.id.type",
        baseline: "string",
        candidate: "number",
        ...everywhere,
      },
    },
    {
      name: "a tool that is no longer offered",
      request: { tools: [(TOOLS as Json[])[0]!] },
      expected: { code: "tool_removed", tool: "refund", ...everywhere },
    },
    {
      name: "a tool that is newly offered",
      request: { tools: [...(TOOLS as Json[]), { name: "cancel" }] },
      expected: { code: "tool_added", tool: "cancel", ...everywhere },
    },
    {
      name: "tools in another order",
      request: { tools: [...(TOOLS as Json[])].reverse() },
      expected: { code: "tools_reordered", ...everywhere },
    },
    {
      name: "the model",
      request: { model: "m-2" },
      expected: { code: "model", baseline: "m-1", candidate: "m-2", ...everywhere },
    },
    {
      name: "a setting",
      request: { params: { temperature: 1 } },
      expected: { code: "setting", path: "temperature", baseline: 0, candidate: 1, ...everywhere },
    },
    {
      name: "a setting that one side does not have",
      request: { params: { temperature: 0, top_p: 0.5 } },
      expected: { code: "setting", path: "top_p", candidate: 0.5, ...everywhere },
    },
  ])("$name", ({ request, expected }) => {
    const found = firstInput(trace(BEFORE), trace(AFTER, { ...REQUEST, ...request } as JsonObject));
    expect(found.difference).toEqual(expected);
    expect(found.also).toEqual([]);
    expect(found.notRecorded).toEqual([]);
  });

  it.each([
    {
      name: "what the user said",
      after: with_(AFTER, 0, { user: "Refund my lamp now" }),
      expected: {
        code: "said",
        role: "user",
        baseline: "Refund my lamp",
        candidate: "Refund my lamp now",
        ...everywhere,
      },
    },
    {
      name: "the line of a long message",
      before: with_(BEFORE, 0, { user: "Hello.\nRefund 40.\nBye." }),
      after: with_(AFTER, 0, { user: "Hello.\nRefund 41.\nBye." }),
      expected: {
        code: "said",
        role: "user",
        line: 2,
        baseline: "Refund 40.",
        candidate: "Refund 41.",
        ...everywhere,
      },
    },
    {
      name: "a picture in a message",
      before: with_(BEFORE, 0, {
        user: [
          { type: "text", text: "See" },
          { type: "image", source: "one.png" },
        ],
      }),
      after: with_(AFTER, 0, {
        user: [
          { type: "text", text: "See" },
          { type: "image", source: "two.png" },
        ],
      }),
      expected: {
        code: "said",
        role: "user",
        line: 2,
        baseline: '{"type":"image","source":"one.png"}',
        candidate: '{"type":"image","source":"two.png"}',
        ...everywhere,
      },
    },
    {
      name: "a value in a result",
      after: with_(AFTER, 0, { output: { total: 89, at: "2026-11-01T10:00:00Z" } }),
      expected: { code: "tool_result", tool: "lookup", path: "total", baseline: 40, candidate: 89, ...everywhere },
    },
    {
      name: "a value in a result that is JSON inside a text block",
      before: with_(BEFORE, 0, { output: [{ type: "text", text: '{"items":[{"price":40}]}' }] }),
      after: with_(AFTER, 0, { output: '{"items":[{"price":89}]}' }),
      expected: {
        code: "tool_result",
        tool: "lookup",
        path: "items[0].price",
        baseline: 40,
        candidate: 89,
        ...everywhere,
      },
    },
    {
      name: "a result that is an error",
      after: with_(AFTER, 0, { output: "timed out", failed: true }),
      expected: { code: "tool_result", tool: "lookup", path: "error", candidate: "timed out", ...everywhere },
    },
  ])("$name", ({ before = BEFORE, after, expected }) => {
    const { difference } = firstInput(trace(before), trace(after));
    expect(difference).toEqual(expected);
  });

  it("nothing recorded differs", () => {
    expect(firstInput(trace(BEFORE), trace(AFTER))).toEqual({ difference: null, also: [], notRecorded: [] });
  });

  it("ids and times are no difference, and it is said that they differ", () => {
    const after = with_(AFTER, 0, { output: { total: 40, at: "2026-11-16T08:30:00Z" } });
    const request = { ...REQUEST, system: `${SYSTEM}\nNow 2026-11-16.` };
    const before = trace(BEFORE, { ...REQUEST, system: `${SYSTEM}\nNow 2026-11-01.` });
    expect(firstInput(before, trace(after, request))).toEqual({
      difference: null,
      also: [],
      notRecorded: [],
      volatile: true,
    });
  });

  it("what was not recorded is named and not taken for equal", () => {
    const bare = { model: "m-1" };
    expect(firstInput(trace(BEFORE, bare), trace(AFTER, bare)).notRecorded).toEqual(["system", "tools", "settings"]);
    const named = { ...REQUEST, tools: ["lookup", "refund"] };
    expect(firstInput(trace(BEFORE, named), trace(AFTER, named)).notRecorded).toEqual(["tools"]);
    const lost = ({ output: _output, ...step }: Step) => step;
    expect(firstInput(trace(BEFORE.map(lost)), trace(AFTER.map(lost))).notRecorded).toEqual(["results"]);
    const answers = (steps: readonly Step[]) =>
      buildTrace(trace(steps).records.filter(({ kind }) => kind !== "chat_request"));
    expect(firstInput(answers(BEFORE), answers(AFTER)).notRecorded).toEqual([
      "system",
      "tools",
      "model",
      "settings",
      "messages",
    ]);
  });

  it("the earliest wins: a result of the first turn before a model that changes in the second", () => {
    const candidate = trace(
      with_(AFTER, 0, { output: { total: 89 } }).map((step, index) =>
        index === 0 ? step : { ...step, request: { model: "m-2" } },
      ),
    );
    const found = firstInput(trace(BEFORE), candidate);
    expect(found.difference).toMatchObject({ code: "tool_result", path: "total" });
    expect(found.also).toEqual(["model"]);
  });

  it("of several parts of one request the prompt is named, and the others are listed", () => {
    const request = { ...REQUEST, system: "You help.", model: "m-2", params: { temperature: 1 } };
    const found = firstInput(trace(BEFORE), trace(AFTER, request));
    expect(found.difference).toMatchObject({ code: "system_line", line: 2, baseline: "Confirm amounts." });
    expect(found.also).toEqual(["model", "settings"]);
  });

  it("a difference that is no longer in force is not named", () => {
    const candidate = trace([{ ...AFTER[0]!, request: { model: "m-2" } }, ...AFTER.slice(1)]);
    expect(firstInput(trace(BEFORE), candidate).difference).toBeNull();
  });

  it("what happens after the runs part went into no turn before", () => {
    const after = [...AFTER.slice(0, 1), { ...AFTER[1]!, output: "failed" }, { text: "Sorry." }];
    const result = diffTraces(trace(BEFORE), trace(after));
    expect(result.firstDivergence!.goingIn.difference).toBeNull();
    const last = result.traces[0]!.divergences.find(({ reason }) => reason.code === "text_changed");
    expect(last?.goingIn.difference).toMatchObject({
      code: "tool_result",
      tool: "confirm",
      baselineTurn: 1,
      baseline: "yes",
    });
  });

  it("a turn that is new hears what its neighbour heard", () => {
    const after = [
      { user: "Refund my lamp", call: "greet", output: "hi" },
      { ...BEFORE[0]!, user: undefined as never },
      ...BEFORE.slice(1),
    ];
    const clean = after.map(({ user, ...step }) => (user === undefined ? step : { user, ...step }));
    expect(firstInput(trace(BEFORE), trace(clean)).difference).toBeNull();
  });

  it("a user who goes on after the baseline has ended", () => {
    const after = [...BEFORE, { user: "And the shade?", text: "That, too." }];
    expect(firstInput(trace(BEFORE), trace(after)).difference).toEqual({
      code: "said",
      role: "user",
      candidate: "And the shade?",
      candidateTurn: 4,
    });
  });
});
