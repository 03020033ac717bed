/** Requests told by what they add: writing and expanding are inverse, memory is shared, ids can be verified. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "../canonical/canonical-json.ts";
import { contentId } from "../canonical/digest.ts";
import { expandRequests } from "../trace/expand-requests.ts";
import { type Json, type JsonObject, stringifyJson } from "../trace/json.ts";
import { messageList } from "../trace/message-list.ts";
import { parseJson } from "../trace/parse-json.ts";
import type { TraceRecord } from "../trace/record.ts";
import { createRecordVerifier } from "../verify/verify-records.ts";
import { DeltaRequests } from "./delta-requests.ts";
import { type ReadPart, readMessage } from "./read-history.ts";
import { type WholeRequest, wholeRequest } from "./whole-request.ts";

function part(value: Json | undefined): ReadPart | undefined {
  return value === undefined ? undefined : { value, text: canonicalJson(value), redacted: false };
}

function whole(payload: JsonObject): WholeRequest {
  return wholeRequest({
    messages: messageList(payload)!
      .slice()
      .map((message) => readMessage(message as JsonObject)),
    model: part(payload["model"]),
    params: part(payload["params"]),
    tools: part(payload["tools"]),
  });
}

/** Records of the requests of one conversation, as a recording has them. */
function written(payloads: readonly JsonObject[], requests = new DeltaRequests()): TraceRecord[] {
  const lines = payloads.map((payload) => {
    const { kind, payload: kept } = requests.write(whole(payload));
    return { version: "0.1", id: contentId(kept), kind, ts: "", parent: null, payload: kept };
  });
  // Through text, as a file would be.
  return lines.map((record) => parseJson(stringifyJson(record as unknown as Json)) as unknown as TraceRecord);
}

const plain = (value: Json) => parseJson(stringifyJson(value));

const text = fc.string({ unit: "grapheme", maxLength: 8 });
const message = fc.record({ role: fc.constantFrom("user", "assistant", "tool"), content: text });
const tools = fc.option(fc.array(fc.record({ name: text }), { maxLength: 2 }), { nil: undefined });
/** Mostly going on, sometimes going back, sometimes starting over; tools come and go. */
const conversation = fc
  .array(
    fc.record({
      keep: fc.nat(8),
      said: fc.array(message, { maxLength: 3 }),
      tools,
      model: fc.option(text, { nil: undefined }),
    }),
    {
      minLength: 1,
      maxLength: 80,
    },
  )
  .map((steps) => {
    let history: Json[] = [];
    return steps.map((step): JsonObject => {
      history = [...history.slice(0, step.keep === 0 ? 0 : Math.max(0, history.length - step.keep + 4)), ...step.said];
      const { model, tools: offered } = step;
      return {
        messages: history,
        ...(model === undefined ? {} : { model }),
        ...(offered === undefined ? {} : { tools: offered }),
      };
    });
  });

describe("laws", () => {
  it("what is expanded is what was written, under its own id, and verifies", () => {
    fc.assert(
      fc.property(conversation, (payloads) => {
        const records = written(payloads);
        const expanded = expandRequests(records);
        expect(expanded.map(({ payload }) => plain(payload))).toEqual(payloads.map(plain));
        expect(expanded.map(({ id }) => id)).toEqual(payloads.map(contentId));
        const verifier = createRecordVerifier();
        for (const [index, record] of records.entries()) verifier.add(record, index + 1);
        expect(verifier.counts()).toEqual({ first_not_metadata: 1 });
      }),
    );
  });

  it("a request is whole after 64, as soon as it costs no more than twice what was added, and after four mebibytes", () => {
    const long = Array.from(
      { length: 300 },
      (_, turn): JsonObject => ({
        messages: Array.from({ length: turn + 1 }, (_message, index) => ({
          role: "user",
          content: `m${1000 + index}`,
        })),
      }),
    );
    const places = written(long).flatMap(({ kind }, index) => (kind === "chat_request" ? [index] : []));
    // Messages of equal length: after a whole one at w, the first i from 64 on with i - w - 1 >= (i + 1) / 2, hence i >= 2 w + 3.
    expect(places).toEqual([0, 64, 131, 265]);
    const large = "x".repeat(1024 * 1024);
    const heavy = Array.from(
      { length: 12 },
      (_, turn): JsonObject => ({
        messages: Array.from({ length: turn + 1 }, (_message, index) => ({
          role: "user",
          content: `${index}${large}`,
        })),
      }),
    );
    const again = written(heavy).flatMap(({ kind }, index) => (kind === "chat_request" ? [index] : []));
    expect(again).toEqual([0, 5, 10]);
  });
});

describe("damage", () => {
  const payloads = [1, 2, 3].map(
    (count): JsonObject => ({
      model: "m",
      messages: Array.from({ length: count }, (_, index) => ({ role: "user", content: `m${index}` })),
    }),
  );

  it("a request whose beginning is missing is an error that says so, or is left out and counted", () => {
    const [, second, third] = written(payloads);
    expect(() => expandRequests([second!, third!], { path: "a.agentlog" })).toThrow(
      expect.objectContaining({ code: "trace.missing-base" }),
    );
    const missing: TraceRecord[] = [];
    expect(expandRequests([second!, third!], { onMissing: (record) => missing.push(record) })).toEqual([]);
    expect(missing).toHaveLength(2);
  });

  it.each<[string, (records: TraceRecord[]) => TraceRecord[], string]>([
    [
      "a changed message of the whole request",
      ([first, ...rest]) => [renamed(first!, { messages: [{ role: "user", content: "other" }], model: "m" }), ...rest],
      "request_incomplete",
    ],
    [
      "a request that keeps another number of messages",
      ([first, second]) => [first!, renamed(second!, { ...(second!.payload as JsonObject), keep: 0 })],
      "request_mismatch",
    ],
    [
      "a request that names another id",
      ([first, second]) => [
        first!,
        renamed(second!, { ...(second!.payload as JsonObject), request_id: `sha256:${"0".repeat(64)}` }),
      ],
      "request_mismatch",
    ],
    ["a whole request that was removed", ([, second]) => [second!], "request_incomplete"],
  ])("verifying finds %s", (_name, damage, code) => {
    const verifier = createRecordVerifier();
    for (const [index, record] of damage(written(payloads)).entries()) verifier.add(record, index + 1);
    expect(Object.keys(verifier.counts())).toContain(code);
  });

  /** Changed by someone who knows how ids are made. */
  function renamed(record: TraceRecord, payload: JsonObject): TraceRecord {
    return { ...record, payload, id: contentId(payload) };
  }
});

it("responses name the request that was expanded", () => {
  const records = written([
    { messages: [{ role: "user", content: "a" }] },
    {
      messages: [
        { role: "user", content: "a" },
        { role: "user", content: "b" },
      ],
    },
  ]);
  const response: TraceRecord = { kind: "chat_response", payload: {}, parent: records[1]!.id! };
  const expanded = expandRequests([...records, response]);
  expect(expanded[2]!.parent).toBe(expanded[1]!.id);
});

it("a long conversation shares its messages", () => {
  const messages: Json[] = [];
  const payloads = Array.from({ length: 300 }, (_, turn): JsonObject => {
    messages.push({ role: "user", content: `${turn}` });
    return { messages: [...messages] };
  });
  const expanded = expandRequests(written(payloads));
  const objects = new Set(expanded.flatMap(({ payload }) => messageList(payload)!.slice()));
  // Also where a whole request repeats them.
  expect(objects.size).toBe(300);
});
