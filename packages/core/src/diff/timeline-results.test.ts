import { expect, it } from "vitest";
import { traceOf } from "../../test/build.ts";
import { createReportRedaction } from "../redact/redaction.ts";
import type { Json } from "../trace/json.ts";
import { diffTraces } from "./diff-traces.ts";

const clean = (output: Json) => createReportRedaction().json({ output }).output;
const run = (amount: number, output: Json, failed = false) =>
  traceOf([{ calls: [{ name: "pay", input: { amount }, output, failed }] }]);

function callsOf(before: Json, after: Json, budget: number) {
  const { traces } = diffTraces(run(1, before), run(2, after), { results: { budget, clean } });
  const row = traces[0]!.timeline!.rows.find(({ kind }) => kind === "changed")!;
  return { baseline: row.baseline!.calls[0]!, candidate: row.candidate!.calls[0]! };
}

it("a comparison lists on each side what its own call returned", () => {
  const { baseline, candidate } = callsOf({ paid: 1 }, "paid 2", 1_000_000);
  expect(baseline.output).toEqual({ paid: 1 });
  expect(candidate).toMatchObject({ output: "paid 2" });
  expect(candidate).not.toHaveProperty("resultCut");
});

it("results share their room, and what is cut is counted", () => {
  // Two calls share 1,000 characters.
  const { baseline, candidate } = callsOf("a".repeat(700), "b".repeat(300), 1_000);
  expect(baseline).toMatchObject({ output: "a".repeat(500), resultCut: 200 });
  expect(candidate).toMatchObject({ output: "b".repeat(300) });
});

it.each([
  ["in a text", `${"x".repeat(470)} ghp_${"A1b2C3d4E5".repeat(4)} ${"y".repeat(500)}`],
  [
    "under its name in JSON",
    JSON.stringify({ log: "x".repeat(450), password: "correct-Horse-7", more: "y".repeat(500) }),
  ],
  ["under its name in data", { log: "x".repeat(450), password: "correct-Horse-7", more: "y".repeat(500) }],
])("a secret %s that a cut would halve is taken out first", (_, output) => {
  const text = String(callsOf("", output, 1_000).candidate.output);
  expect(text).toContain("[REDACTED:");
  expect(text).not.toMatch(/ghp_|correct/);
});

it("a character of two halves is not cut between them", () => {
  const { candidate } = callsOf("", `${"a".repeat(499)}😀${"b".repeat(100)}`, 1_000);
  expect(candidate).toMatchObject({ output: "a".repeat(499), resultCut: 102 });
});

it("a failure whose words are the result stands once", () => {
  const { traces } = diffTraces(run(1, "ok"), run(2, "no such order", true), { results: { budget: 1_000, clean } });
  const [call] = traces[0]!.timeline!.rows.find(({ kind }) => kind === "changed")!.candidate!.calls;
  expect(call).toMatchObject({ error: "no such order" });
  expect(call).not.toHaveProperty("output");
});
