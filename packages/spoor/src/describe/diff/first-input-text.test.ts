import type { FirstInput, InputDifference } from "@spoor/core/internal/diff/input-difference";
import { describe, expect, it } from "vitest";
import { firstInputSentence } from "./first-input-text.ts";

const sentence = (difference: InputDifference | null, rest: Partial<FirstInput> = {}) =>
  firstInputSentence({ difference, also: [], notRecorded: [], ...rest });
const at = { baselineTurn: 0, candidateTurn: 0 };

describe("the first difference going in, in words", () => {
  it("every kind", () => {
    const all: InputDifference[] = [
      { code: "system_line", line: 2, baseline: "Confirm.", candidate: "Be quick.", ...at },
      { code: "system_line", line: 2, candidate: "Be quick.", baselineTurn: 2, candidateTurn: 3 },
      { code: "system_line", line: 2, baseline: "Confirm.", ...at },
      { code: "tool_added", tool: "cancel", ...at },
      { code: "tool_removed", tool: "cancel", ...at },
      { code: "tools_reordered", ...at },
      {
        code: "tool_definition",
        tool: "refund",
        path: "description",
        baseline: "Pays.",
        candidate: "Pays back.",
        ...at,
      },
      { code: "model", baseline: "m-1", candidate: "m-2", ...at },
      { code: "setting", path: "temperature", candidate: 1, ...at },
      { code: "said", role: "user", baseline: "Hi", candidate: "Hello", ...at },
      { code: "said", role: "user", line: 3, candidate: "And now?", candidateTurn: 4 },
      { code: "said", role: "developer", baseline: "Hurry.", baselineTurn: 1 },
      { code: "tool_result", tool: "lookup", path: "items[0].price", baseline: 40, candidate: 89, ...at },
      { code: "tool_result", tool: "lookup", path: "error", candidate: "timed out", ...at },
      { code: "tool_result", tool: "confirm", path: "", baseline: "yes", baselineTurn: 1 },
    ];
    const words = all.map((difference) => sentence(difference)).join("\n");
    expect(words).not.toMatch(/cause/i);
    expect(words).toMatchInlineSnapshot(`
      "First difference going in: line 2 of the system prompt, "Confirm." → "Be quick."
      First difference going in: line 2 of the system prompt is new: "Be quick." (from turn 4 on)
      First difference going in: line 2 of the system prompt is gone: "Confirm."
      First difference going in: cancel is newly offered
      First difference going in: cancel is no longer offered
      First difference going in: the tools are offered in another order
      First difference going in: the definition of refund, description "Pays." → "Pays back."
      First difference going in: the model, m-1 → m-2
      First difference going in: the setting temperature (absent) → 1
      First difference going in: what the user said before turn 1, "Hi" → "Hello"
      First difference going in: what the user said before turn 5 of the candidate, line 3 is new: "And now?"
      First difference going in: a message of the role developer before turn 2 of the baseline is gone: "Hurry."
      First difference going in: the result of lookup in turn 1, items[0].price 40 → 89
      First difference going in: the result of lookup in turn 1, error (absent) → "timed out"
      First difference going in: the result of confirm in turn 2, which only the baseline has: "yes""
    `);
  });

  it("what else differs, what was not recorded, and nothing", () => {
    expect(
      [
        sentence(
          { code: "model", baseline: "a", candidate: "b", ...at },
          { also: ["settings"], notRecorded: ["tools"] },
        ),
        sentence({ code: "tools_reordered", ...at }, { also: ["model"] }),
        sentence(null),
        sentence(null, { volatile: true }),
        sentence(null, { notRecorded: ["system", "messages", "results"] }),
      ].join("\n"),
    ).toMatchInlineSnapshot(`
      "First difference going in: the model, a → b; the settings differ as well; not recorded: the tools
      First difference going in: the tools are offered in another order; the model differs as well
      Nothing recorded going in differs
      Nothing recorded going in differs, but for ids and times
      Nothing recorded going in differs; not recorded: the system prompt, what users said and results of tools"
    `);
  });
});
