import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../trace/json.ts";
import { Conversation } from "./conversation.ts";
import { mostlyStrange } from "./require-understood.ts";

/** A conversation of so many questions and answers, each answer of these parts. */
function conversationOf(turns: number, parts: readonly JsonObject[], question: Json = "go on") {
  const conversation = new Conversation([]);
  for (let turn = 0; turn < turns; turn++) {
    conversation.say("user", question);
    conversation.respond({ parts });
  }
  return conversation.records;
}

const text = { type: "text", text: "x" };
const strange = { type: "invocation", fn: "ls" };

describe("parts that were not understood", () => {
  it.each([
    {
      name: "two of three parts, no question between",
      turns: 1,
      parts: [strange, text, strange],
      lost: 2,
      refused: false,
    },
    // Thirty against ten known parts and ten questions.
    { name: "three of four", turns: 10, parts: [strange, strange, strange, text], lost: 30, refused: true },
    { name: "half of them", turns: 10, parts: [strange, text], lost: 10, refused: false },
    { name: "one of many", turns: 10, parts: [strange, text, text, text], lost: 10, refused: false },
    { name: "all of them", turns: 1, parts: [strange, strange], lost: 2, refused: true },
  ])("$name: refused $refused", ({ turns, parts, lost, refused }) => {
    const records = conversationOf(turns, parts);
    const strangeParts = mostlyStrange({ records, unknown: { "part invocation": lost } });
    expect(strangeParts).toBe(refused ? `part invocation (${lost})` : undefined);
  });

  it("in what was asked do not count against what was answered", () => {
    const question = [{ type: "attachment" }, text];
    const records = conversationOf(3, [text, text], question);
    expect(mostlyStrange({ records, unknown: { "part attachment": 3 } })).toBeUndefined();
  });

  it("a name with hyphens is the one it is counted by", () => {
    const records = conversationOf(4, [{ type: "my-call" }, { type: "my-call" }, { type: "my-call" }]);
    expect(mostlyStrange({ records, unknown: { "part my_call": 12 } })).toBe("part my_call (12)");
  });
});
