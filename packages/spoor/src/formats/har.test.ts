import type { Json, JsonObject } from "@spoor/core";
import { describe, expect, it } from "vitest";
import { importFixture, importValues } from "../../test/fixtures.ts";
import { base64Text } from "./base64-text.ts";

describe("the traffic of an agent, as mitmproxy kept it", () => {
  const [refund, flights] = importFixture("har/mitmproxy.json");

  it("finds the conversations in it, with the results that the next request tells", () => {
    expect(refund!.toolCalls).toMatchObject([
      { name: "lookup_order", input: { order_id: "A-77" }, output: '{"status":"closed"}' },
      { name: "issue_refund", input: { order_id: "A-77", amount: 40 } },
    ]);
    expect(refund!.turns.map(({ durationMs }) => Math.round(durationMs!))).toEqual([12, 5, 3]);
    expect(refund!.turns[0]).toMatchObject({
      ts: "2026-11-16T22:08:58.498Z",
      request: { model: "m-1" },
      offeredTools: [{ name: "lookup_order" }, { name: "issue_refund" }],
      response: { usage: { input_tokens: 50, output_tokens: 12 } },
    });
  });

  it("puts streamed answers together", () => {
    expect(flights!.toolCalls).toMatchObject([
      { name: "search_flights", input: { from: "OSL", to: "LIS" }, output: "the search timed out", status: "error" },
    ]);
    expect(flights!.turns[1]!.response).toMatchObject({
      content: [{ type: "text", text: "The search does not answer." }],
      stop_reason: "end_turn",
    });
  });

  it("says what was refused and what was left out", () => {
    expect(refund!.records.find(({ kind }) => kind === "error")).toMatchObject({
      payload: { message: "Rate limit reached" },
    });
    expect(refund!.source.notes).toEqual(["1 request to other addresses left out"]);
    expect(flights!.source.notes).toBeUndefined();
  });
});

const read = (...entries: readonly Json[]) =>
  importValues("har", { document: { log: { version: "1.2", creator: { name: "test" }, entries } } });

const question = (content: string) => JSON.stringify({ model: "m", messages: [{ role: "user", content }] });
const answer = (content: string) =>
  JSON.stringify({
    id: "r",
    object: "chat.completion",
    choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }],
  });

function entry(asked: string, response: JsonObject, { url = "https://api.openai.com/v1/chat/completions" } = {}): Json {
  return {
    startedDateTime: "2026-01-01T00:00:00.000Z",
    time: 250,
    request: { method: "POST", url, headers: [], postData: { mimeType: "application/json", text: asked } },
    response: { headers: [{ name: "Content-Encoding", value: "gzip" }], ...response },
  };
}

describe("what archives differ in", () => {
  it("a body in base64", () => {
    const text = Buffer.from(answer("Grüße, 東京 😀")).toString("base64");
    const [trace] = read(entry(question("hi"), { status: 200, content: { text, encoding: "base64" } }));
    expect(trace!.turns[0]!.response).toMatchObject({ content: [{ type: "text", text: "Grüße, 東京 😀" }] });
  });

  it("an address of a gateway's own", () => {
    const response = { status: 200, content: { text: answer("yes") } };
    const [trace] = read(entry(question("hi"), response, { url: "http://localhost:4000/llm" }));
    expect(trace!.turns).toHaveLength(1);
  });

  it("an answer whose body the browser did not keep, and one that never came", () => {
    const traces = read(
      entry(question("one"), { status: 200, content: { size: 900, mimeType: "text/event-stream" } }),
      entry(question("two"), { status: 0, content: {}, _error: "net::ERR_ABORTED" }),
    );
    expect(traces.map(({ turns }) => turns.length)).toEqual([0, 0]);
    const errors = traces.flatMap(({ records }) => records.filter(({ kind }) => kind === "error"));
    expect(errors.map(({ payload }) => (payload as JsonObject)["message"])).toEqual([
      expect.stringContaining("the archive has no body of the answer"),
      expect.stringContaining("net::ERR_ABORTED"),
    ]);
    expect(traces[0]!.source.notes).toEqual(["1 answer without a body: the archive does not have it"]);
  });

  it("the same bytes whatever the order of its entries", () => {
    const at = (second: number, asked: string): Json => ({
      ...(entry(question(asked), { status: 200, content: { text: answer(asked) } }) as JsonObject),
      startedDateTime: `2026-01-01T00:00:0${second}.000Z`,
    });
    const [one, two] = [at(1, "first"), at(2, "second")];
    expect(JSON.stringify(read(one, two))).toBe(JSON.stringify(read(two, one)));
  });
});

it.each([
  ["of no request", [], "is an HTTP archive without any request"],
  [
    "of other traffic",
    ["a.example", "b.example", "b.example", "c.example", "d.example"].map((host) =>
      entry("{}", { status: 200, content: {} }, { url: `https://${host}/x` }),
    ),
    "holds 5 requests and no call of a model API that Spoor knows; they went to b.example, a.example, c.example and 1 more",
  ],
])("refuses an archive %s in words", (_what, entries, said) => {
  expect(() => read(...entries)).toThrow(said);
});

it.each([
  ["aGVsbG8=", "hello"],
  ["w6k", "é"],
  ["", ""],
  ["not base64!", undefined],
  ["/w==", undefined],
])("base64 %j is %j", (base64, text) => {
  expect(base64Text(base64)).toBe(text);
});
