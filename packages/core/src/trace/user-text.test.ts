import { describe, expect, it } from "vitest";
import { recordsOf, traceOf } from "../../test/build.ts";
import { buildTrace } from "./build-trace.ts";
import { userTexts } from "./user-text.ts";

const request = (messages: readonly { role: string; content: string }[], more = {}) => ({
  kind: "chat_request" as const,
  payload: { model: "m", messages: [...messages], params: {}, ...more },
});
const response = { kind: "chat_response" as const, payload: { model: "m", content: [{ type: "text", text: "ok" }] } };
const user = (content: string) => ({ role: "user", content });

describe("what the user said", () => {
  it("is each message once, however often the history repeats it", () => {
    const trace = traceOf([
      { user: "Refund A-1", calls: [{ name: "lookup", output: "found" }] },
      { text: "How much?" },
      { user: "All of it", calls: ["refund"] },
      { text: "Done." },
    ]);
    expect(userTexts(trace)).toEqual(["Refund A-1", "All of it"]);
  });

  it("is found where requests carry only what is new, or say the last thing again", () => {
    const records = [
      ...recordsOf([]),
      request([user("one")]),
      response,
      request([user("two")]),
      response,
      request([user("two")]),
      response,
    ];
    expect(userTexts(buildTrace(records))).toEqual(["one", "two"]);
  });

  it("begins with a history that was there before the recording", () => {
    const records = [
      ...recordsOf([]),
      request([user("one"), { role: "assistant", content: "?" }, user("two")]),
      response,
    ];
    expect(userTexts(buildTrace(records))).toEqual(["one", "two"]);
  });

  it("is nothing where nobody spoke", () => {
    expect(userTexts(traceOf([{ calls: ["wake"] }]))).toEqual([]);
  });
});
