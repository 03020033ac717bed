import { describe, expect, it } from "vitest";
import { buildTrace } from "../trace/build-trace.ts";
import type { Json, JsonObject } from "../trace/json.ts";
import type { InputChange } from "./changed-input.ts";
import { findChangedInputs } from "./changed-inputs.ts";
import { exchangeInputs } from "./exchange-inputs.ts";
import { findNotExchanged } from "./verify-exchange.ts";

const CHAT = "https://api.openai.com/v1/chat/completions";
const exchanged = (url: string, body: JsonObject, ...inputs: InputChange[]) => {
  const made = exchangeInputs({ url, body: JSON.stringify(body) }, inputs);
  return { url: made.url, body: JSON.parse(made.body) as JsonObject };
};

const line: InputChange = {
  code: "prompt",
  baseline: ["Confirm first."],
  candidate: ["Be quick."],
  places: [{ before: "You help.", after: "Be kind." }],
};
const NEW = "You help.\nBe quick.\nBe kind.";
const OLD = "You help.\nConfirm first.\nBe kind.";
const user = { role: "user", content: "Hi" };

describe("the prompt", () => {
  it.each([
    ["chat", CHAT, (text: string) => ({ messages: [{ role: "system", content: text }, user] })],
    [
      "chat, in parts",
      CHAT,
      (text: string) => ({ messages: [{ role: "developer", content: [{ type: "text", text }] }, user] }),
    ],
    ["Responses", "https://api.openai.com/v1/responses", (text: string) => ({ instructions: text, input: "Hi" })],
    [
      "Responses, as a message",
      "https://api.openai.com/v1/responses",
      (text: string) => ({ input: [{ role: "developer", content: [{ type: "input_text", text }] }, user] }),
    ],
    ["Anthropic", "https://api.anthropic.com/v1/messages", (text: string) => ({ system: text, messages: [user] })],
    [
      "Anthropic, in blocks",
      "https://api.anthropic.com/v1/messages",
      (text: string) => ({ system: [{ type: "text", text, cache_control: { type: "ephemeral" } }], messages: [user] }),
    ],
    [
      "Gemini",
      "https://g.example/v1beta/models/m-2:generateContent",
      (text: string) => ({ systemInstruction: { parts: [{ text }] }, contents: [] }),
    ],
  ])("%s", (_name, url, body) => {
    expect(exchanged(url, body(NEW), line).body).toEqual(body(OLD));
    // Elsewhere the same words are somebody's.
    expect(exchanged(url, body(`${NEW}\nBye.`.replace("You help.", "You sell.")), line).body).toEqual(
      body(`${NEW}\nBye.`.replace("You help.", "You sell.")),
    );
  });

  it("a line that the candidate dropped comes back, one that it added goes", () => {
    const back: InputChange = {
      code: "prompt",
      baseline: ["Ask."],
      candidate: [],
      places: [{ before: "A", after: "B" }],
    };
    const gone: InputChange = {
      code: "prompt",
      baseline: [],
      candidate: ["Ask."],
      places: [{ before: "A", after: "B" }],
    };
    const body = (text: string) => ({ messages: [{ role: "system", content: text }, user] });
    expect(exchanged(CHAT, body("A\nB"), back).body).toEqual(body("A\nAsk.\nB"));
    expect(exchanged(CHAT, body("A\nAsk.\nB"), gone).body).toEqual(body("A\nB"));
  });

  it("a prompt that only one side has", () => {
    const back: InputChange = { code: "prompt", baseline: ["Ask."], candidate: [], places: [{}] };
    const gone: InputChange = { code: "prompt", baseline: [], candidate: ["Ask."], places: [{}] };
    const chat = { messages: [{ role: "system", content: "Ask." }, user] };
    expect(exchanged(CHAT, { messages: [user] }, back).body).toEqual(chat);
    expect(exchanged(CHAT, chat, gone).body).toEqual({ messages: [user] });
    expect(exchanged("https://a.example/v1/messages", { messages: [user] }, back).body["system"]).toBe("Ask.");
    expect(exchanged("https://a.example/v1/responses", { input: "Hi" }, back).body["instructions"]).toBe("Ask.");
  });

  it("lines around it may hold another day", () => {
    const dated = { ...line, places: [{ before: "Today is 2026-11-01.", after: "Be kind." }] };
    const body = (text: string) => ({ messages: [{ role: "system", content: text }, user] });
    expect(exchanged(CHAT, body("Today is 2026-11-16.\nBe quick.\nBe kind."), dated).body).toEqual(
      body("Today is 2026-11-16.\nConfirm first.\nBe kind."),
    );
  });
});

describe("model, tools and settings", () => {
  const model: InputChange = { code: "model", baseline: "m-1", candidate: "m-2" };

  it("the model in the body, and in Gemini's address", () => {
    expect(exchanged(CHAT, { model: "m-2", messages: [] }, model).body["model"]).toBe("m-1");
    expect(exchanged(CHAT, { model: "m-22", messages: [] }, model).body["model"]).toBe("m-22");
    const url = "https://g.example/v1beta/models/m-2:generateContent";
    expect(exchanged(url, { contents: [] }, model).url).toBe("https://g.example/v1beta/models/m-1:generateContent");
  });

  const define = (description: string): JsonObject => ({ type: "function", function: { name: "pay", description } });
  const other: Json = { type: "function", function: { name: "look" } };
  const tool = (baseline: Json | undefined, candidate: Json | undefined): InputChange => ({
    code: "tool",
    tool: "pay",
    ...(baseline === undefined ? {} : { baseline }),
    ...(candidate === undefined ? {} : { candidate }),
    beside: ["look"],
  });

  it.each([
    ["another definition", tool(define("old"), define("new")), [other, define("new")], [other, define("old")]],
    ["a tool that is new", tool(undefined, define("new")), [other, define("new")], [other]],
    ["a tool that is gone", tool(define("old"), undefined), [other], [other, define("old")]],
    ["not the one that was recorded", tool(define("old"), define("new")), [define("third")], [define("third")]],
    ["an agent with other tools", tool(define("old"), undefined), [{ name: "sing" }], [{ name: "sing" }]],
  ])("%s", (_name, input, before, after) => {
    expect(exchanged(CHAT, { messages: [], tools: before }, input).body["tools"]).toEqual(after);
  });

  it("Gemini groups its definitions", () => {
    const input = tool({ name: "pay", description: "old" }, { name: "pay", description: "new" });
    const body = (description: string) => ({
      contents: [],
      tools: [{ functionDeclarations: [{ name: "pay", description }] }],
    });
    expect(exchanged(CHAT, body("new"), input).body).toEqual(body("old"));
  });

  it.each([
    ["a value", ["temperature"], 0, 1, { temperature: 1 }, { temperature: 0 }],
    ["one that the base does not have", ["top_p"], undefined, 0.5, { top_p: 0.5 }, {}],
    ["one that the candidate does not have", ["top_p"], 0.5, undefined, {}, { top_p: 0.5 }],
    [
      "one inside",
      ["generationConfig", "topP"],
      1,
      2,
      { generationConfig: { topP: 2, topK: 3 } },
      { generationConfig: { topP: 1, topK: 3 } },
    ],
    ["another value than the one recorded", ["temperature"], 0, 1, { temperature: 0.5 }, { temperature: 0.5 }],
  ] as const)("%s", (_name, path, baseline, candidate, before, after) => {
    const input: InputChange = {
      code: "setting",
      path,
      ...(baseline === undefined ? {} : { baseline }),
      ...(candidate === undefined ? {} : { candidate }),
    };
    expect(exchanged(CHAT, { messages: [], ...before }, input).body).toEqual({ messages: [], ...after });
  });

  it("what is no request of a model passes untouched", () => {
    const given = { url: "https://a.example/upload", body: "--boundary" };
    expect(exchangeInputs(given, [model, line])).toBe(given);
  });
});

describe("what changed between two sets of recordings", () => {
  const trace = (request: JsonObject, scenario = "a") =>
    buildTrace([
      { kind: "metadata", payload: { scenario_id: scenario } },
      { kind: "chat_request", payload: { messages: [user], ...request } },
      { kind: "chat_response", payload: { content: "x" } },
    ]);
  const before = {
    model: "m-1",
    system: OLD,
    tools: [{ name: "pay", description: "old" }],
    params: { temperature: 0, user: "u1" },
  };
  const after = {
    model: "m-2",
    system: NEW,
    tools: [{ name: "pay", description: "new" }],
    params: { temperature: 1, user: "u2" },
  };

  it("each input once, over all scenarios", () => {
    const { inputs, notExchanged } = findChangedInputs(
      [trace(before), trace(before, "b")],
      [trace(after), trace(after, "b")],
    );
    expect(inputs.map(({ code }) => code)).toEqual(["prompt", "model", "tool", "setting"]);
    expect(inputs[0]).toMatchObject({ baseline: ["Confirm first."], candidate: ["Be quick."] });
    expect(notExchanged).toEqual([]);
  });

  it("two stretches of a prompt are two inputs, ids and times none", () => {
    const one = { ...before, system: "Day 2026-11-01\nA\nB\nC" };
    const other = { ...before, system: "Day 2026-11-16\nA2\nB\nC\nD" };
    const { inputs } = findChangedInputs([trace(one)], [trace(other)]);
    expect(inputs).toEqual([
      expect.objectContaining({ baseline: ["A"], candidate: ["A2"] }),
      expect.objectContaining({ baseline: [], candidate: ["D"] }),
    ]);
  });

  it("says what cannot be exchanged", () => {
    const hidden = { ...before, system: OLD.replace("first", "[REDACTED:email]") };
    expect(findChangedInputs([trace(hidden)], [trace({ ...before, system: NEW })]).notExchanged).toEqual([
      { input: "input-1", why: "redacted" },
    ]);
    const two = [trace({ ...before, model: "m-3" }), trace({ ...before, model: "m-4" }, "b")];
    expect(findChangedInputs([trace(before), trace(before, "b")], two).notExchanged).toEqual([
      { input: "input-1", why: "varies" },
    ]);
  });

  it("knows from the recordings of a configuration whether it was what it says", () => {
    const { inputs } = findChangedInputs([trace(before)], [trace(after)]);
    expect(findNotExchanged([trace(before)], inputs)).toEqual([]);
    expect(findNotExchanged([trace(after)], inputs)).toEqual(["input-1", "input-2", "input-3", "input-4"]);
    expect(findNotExchanged([trace({ ...before, model: "m-9" })], inputs)).toEqual(["input-2"]);
    // One request that still has it is enough.
    expect(findNotExchanged([trace(before), trace({ ...before, system: NEW })], inputs)).toEqual(["input-1"]);
  });
});
