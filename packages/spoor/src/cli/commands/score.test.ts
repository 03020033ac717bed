import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { type Json, type JsonObject, SpoorError } from "@spoor/core";
import type { ScoreReport } from "@spoor/core/internal/evaluators/score-report";
import { compileSchema } from "@spoor/core/internal/json-schema/compile-schema";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/e2e/run-spoor.ts";
import type { Command } from "../command.ts";
import type { Io } from "../io.ts";
import { parseArgs } from "../parse-args.ts";
import { scoreCommand } from "./score.ts";

const refund = {
  order_id: "A-7731",
  refund: { amount: 89, currency: "EUR" },
  reason: "customer upset",
};
const ticket = {
  id: "ticket-1042",
  output_messages: [
    { role: "assistant", tool_calls: [{ tool: "lookup_order", input: { order_id: "A-7731" }, output: "found" }] },
    { role: "assistant", tool_calls: [{ tool: "issue_refund", input: refund, output: "ok" }] },
    { role: "assistant", content: "I am so sorry about this." },
  ],
};
const refundPath = `
- name: refund-path
  type: tool_trajectory
  mode: in_order
  expected:
    - { tool: lookup_order, max_duration_ms: 500 }
    - tool: confirm_refund_amount
    - tool: issue_refund
      args: { order_id: A-7731, refund: { amount: 40, currency: EUR } }
- name: call-budget
  type: tool_trajectory
  mode: any_order
  maximums: { lookup_order: 2 }
`;

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder();
  mkdirSync(join(folder, ".git"));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

async function score(folder: string, ...args: string[]): Promise<{ code: number; text: string }> {
  let text = "";
  const io: Io = {
    cwd: folder,
    program: "spoor",
    env: {},
    stdin: Readable.from([]),
    interactive: false,
    stdoutIsTerminal: false,
    stderrIsTerminal: false,
    columns: 80,
    out: (piece) => {
      text += piece;
    },
    err: () => undefined,
    now: () => new Date(0),
  };
  const command: Command = { ...scoreCommand, name: "score", summary: "Score" };
  const absolute = args.map((arg) => (/^[a-z0-9-]+\.(json|yaml)$/.test(arg) ? join(folder, arg) : arg));
  const parsed = parseArgs(command, absolute) as never;
  return { code: await scoreCommand.run(parsed, io), text: text.replaceAll(`${folder}/`, "") };
}

describe("one trace", () => {
  const files = { "ticket-1042.json": JSON.stringify(ticket), "refund-path.yaml": refundPath };

  it("says what came closest and at which path it differs", async () => {
    const { code, text } = await score(folderWith(files), "ticket-1042.json", "--evaluators", "refund-path.yaml");
    expect(code).toBe(1);
    expect(text).toMatchInlineSnapshot(`
      "✗ ticket-1042 scores 0.67, the pass line is 0.80. 1 of 2 evaluators fails.

        ✗ refund-path  in_order   0.33  1 of 3 steps
            ✓ 1  lookup_order           turn 1, no duration to check
            ✗ 2  confirm_refund_amount  never called
            ✗ 3  issue_refund           the search for step 2 had used up the rest
                closest: turn 2, where one argument differs
                  order_id         "A-7731"   as expected
                  refund.amount    89         expected 40
                  refund.currency  "EUR"      as expected
                reason is not part of the expectation and was not compared
        ✓ call-budget  any_order  1.00  lookup_order 1 call, at most 2

        Case score: mean of 0.33 and 1.00, equal weights.                  exit code 1
        Not checked: max_duration_ms of lookup_order (step 1), which has no duration.
        Next: spoor show ticket-1042.json --turn 2
      "
    `);
  });

  it("prints the same facts in ASCII", async () => {
    const { text } = await score(folderWith(files), "ticket-1042.json", "--evaluators", "refund-path.yaml", "--ascii");
    expect(text).toContain("X ticket-1042 scores 0.67");
    expect(text).toContain("  ok call-budget  any_order  1.00");
    expect([...text].every((char) => char.charCodeAt(0) < 128)).toBe(true);
  });

  it("moves the pass line", async () => {
    const { code, text } = await score(
      folderWith(files),
      "ticket-1042.json",
      "--evaluators",
      "refund-path.yaml",
      "--threshold",
      "0.5",
    );
    expect(code).toBe(0);
    expect(text).toContain("✓ ticket-1042 scores 0.67, the pass line is 0.50.");
  });

  it("writes the whole report as JSON", async () => {
    const { text } = await score(
      folderWith(files),
      "ticket-1042.json",
      "--evaluators",
      "refund-path.yaml",
      "--format",
      "json",
    );
    const report = JSON.parse(text) as ScoreReport;
    expect(report).toMatchObject({
      schema: "spoor.score/1",
      tool: { name: "spoor" },
      inputs: [{ role: "trace", format: "agentv" }, { role: "evaluators" }],
      coverage: { traces: 1, turns: 3, toolCalls: 2 },
      gate: { tripped: true, reasons: [{ code: "below_pass_line", subject: "ticket-1042" }] },
    });
    expect(report.results[0]!.evaluators[0]!.trajectory).toMatchObject({
      score: 1 / 3,
      aspects: 3,
      skippedLimits: [{ tool: "lookup_order" }],
    });
  });

  it("keeps to its published schema, whatever the evaluators", async () => {
    const evaluators = `${refundPath}
- { type: tool_trajectory, mode: exact, expected: [lookup_order] }
- { type: tool_trajectory, mode: unordered, expected: [[lookup_order, issue_refund]] }
- { type: tool_trajectory, mode: subset, expected: [lookup_order], required: true }
- { type: tool_trajectory, mode: superset, expected: [{ tool: issue_refund, status: error, turn: 1 }], negate: true }
- { type: composite, evaluators: [{ type: contains, value: sorry }, { type: latency, threshold: 5 }] }
- Is polite.
`;
    const folder = folderWith({ ...files, "many.yaml": evaluators });
    const { text } = await score(
      folder,
      "ticket-1042.json",
      "--evaluators",
      "many.yaml",
      "--format",
      "json",
      "--no-judge",
    );
    const schema = JSON.parse(
      readFileSync(new URL("../../../schemas/score.schema.json", import.meta.url), "utf8"),
    ) as Json;
    const compiled = compileSchema(schema);
    if (typeof compiled === "string") throw new Error(compiled);
    expect(compiled.check(JSON.parse(text) as Json)).toEqual([]);
    expect(compiled.check({ ...(JSON.parse(text) as JsonObject), extra: 1 })).toHaveLength(1);
  });

  it("writes JUnit with a case per evaluator", async () => {
    const folder = folderWith({ ...files, "judged.yaml": `${refundPath}\n- Is <polite>.\n` });
    const { text } = await score(
      folder,
      "ticket-1042.json",
      "--evaluators",
      "judged.yaml",
      "--format",
      "junit",
      "--no-judge",
    );
    expect(text).toContain('<testsuites name="spoor scores" tests="3" failures="1" errors="0" skipped="1">');
    expect(text).toContain(
      '<failure message="0.33, needed 0.80: 1 of 3 steps">0.33, needed 0.80: 1 of 3 steps\nticket-1042: Step 2, confirm_refund_amount: never called',
    );
    expect(text).toContain('<testcase classname="spoor.ticket-1042" name="call-budget"/>');
  });

  it("writes Markdown in which trace text cannot become markup", async () => {
    const evil = structuredClone(ticket);
    evil.output_messages[1]!.tool_calls![0]!.input = { ...refund, order_id: "`</td>|@team" };
    const folder = folderWith({ ...files, "ticket-1042.json": JSON.stringify(evil) });
    const { text } = await score(
      folder,
      "ticket-1042.json",
      "--evaluators",
      "refund-path.yaml",
      "--format",
      "markdown",
    );
    expect(text).toContain("### ✗ `ticket-1042` scores 0.67, the pass line is 0.80");
    expect(text).toContain('| `order_id` | ``"`</td>\\|@team"`` | expected `"A-7731"` |');
  });
});

describe("what an exact sequence admits", () => {
  const pipeline = `
- name: pipeline-check
  type: tool_trajectory
  mode: exact
  expected: [loadData, validate, transform, export]
`;
  const called = (...tools: string[]) =>
    JSON.stringify({ output_messages: tools.map((tool) => ({ role: "assistant", tool_calls: [{ tool }] })) });

  it("no extra call, which is named, whatever the score and the pass line", async () => {
    const folder = folderWith({
      "run.json": called("loadData", "validate", "deleteEverything", "transform", "export"),
      "end.json": called("loadData", "validate", "transform", "export", "deleteEverything"),
      "e.yaml": pipeline,
    });
    const { code, text } = await score(folder, "end.json", "--evaluators", "e.yaml", "--threshold", "0.1");
    expect(code).toBe(1);
    expect(text).toMatchInlineSnapshot(`
      "✗ end scores 0.80, but is ruled out by pipeline-check. 1 of 1 evaluator fails.

        ✗ pipeline-check  exact  0.80  4 of 4 steps, 1 extra call
            ✓ 1  loadData   turn 1
            ✓ 2  validate   turn 2
            ✓ 3  transform  turn 3
            ✓ 4  export     turn 4
            + 1 call that no step asks for: deleteEverything (turn 5)
            Without the extra calls the score would be 1.00 (extra: allow).
            0.80 is no pass: exact admits no extra call.

        Case score: 0.80, its only evaluator.                              exit code 1
        Next: spoor show end.json --turn 5
      "
    `);
    const gap = await score(folder, "run.json", "--evaluators", "e.yaml");
    expect(gap.code).toBe(1);
    expect(gap.text).toContain("+ 1 call that no step asks for: deleteEverything (turn 3)");
    const both = await score(folder, "run.json", "end.json", "--evaluators", "e.yaml");
    expect(both.text).toContain("2 of 2 traces fail, with a pass line of 0.80");
  });

  it("a call with other arguments is not said to have the right ones", async () => {
    const folder = folderWith({
      "run.json": JSON.stringify({
        output_messages: ["x", "ml"].map((query) => ({
          role: "assistant",
          tool_calls: [{ tool: "search", input: { query } }],
        })),
      }),
      "e.yaml": "- {type: tool_trajectory, mode: in_order, expected: [{tool: search, args: {query: ml}}]}",
    });
    const { text } = await score(folder, "run.json", "--evaluators", "e.yaml");
    expect(text).toMatchInlineSnapshot(`
      "✗ run scores 0.00, the pass line is 0.80. 1 of 1 evaluator fails.

        ✗ tool_trajectory  in_order  0.00  0 of 1 step
            ✗ 1  search  called with other arguments (query)
                looked at: turn 1, where one argument differs
                  query  "x"   expected "ml"
                turn 2 has what was expected, but stands at another place
            The best possible alignment scores 1.00 (match: optimal).

        Case score: 0.00, its only evaluator.                              exit code 1
        Next: spoor show run.json --turn 1
      "
    `);
  });
});

describe("bad input", () => {
  it("lists every problem of the file and scores nothing", async () => {
    const folder = folderWith({
      "t.json": JSON.stringify(ticket),
      "e.yaml": "- {type: tool_trajectory, mode: inorder, expected: []}\n- {type: contains, valu: x}\n",
    });
    const error = (await score(folder, "t.json", "--evaluators", "e.yaml").catch(
      (thrown: unknown) => thrown,
    )) as SpoorError;
    expect(error).toBeInstanceOf(SpoorError);
    expect(error.problems.map(({ at, message }) => `${at.line} ${message}`)).toEqual([
      '1 mode must be any_order, in_order, exact, superset, subset, unordered or strict, found the text "inorder". Did you mean in_order?',
      '2 evaluator "contains" needs value: the text.',
      '2 unknown key "valu" in evaluator "contains". Did you mean value? As written, it would be read over.',
    ]);
  });

  it("refuses to run without the judge an evaluator needs, and leaves it out when told to", async () => {
    const folder = folderWith({
      "t.json": JSON.stringify(ticket),
      "e.yaml": "- {type: contains, value: sorry}\n- Is polite.\n",
    });
    await expect(score(folder, "t.json", "--evaluators", "e.yaml")).rejects.toMatchObject({ code: "judge.missing" });
    const { code, text } = await score(folder, "t.json", "--evaluators", "e.yaml", "--no-judge");
    expect(code).toBe(0);
    expect(text).toContain("Not checked: no judge is configured (criteria).");
  });

  it("needs the file with the evaluators", async () => {
    await expect(score(folderWith({ "t.json": JSON.stringify(ticket) }), "t.json")).rejects.toMatchObject({
      code: "usage.bad-argument",
    });
  });
});

describe("several traces and cases", () => {
  const suite = (ids: readonly string[]) =>
    `tests:\n${ids.map((id) => `  - {id: ${id}, input: x, assertions: [{type: tool_trajectory, mode: any_order, minimums: {lookup_order: 1}}]}`).join("\n")}\n`;
  const other = { id: "ticket-2", output_messages: [{ role: "assistant", content: "no tools" }] };

  it("scores each trace by the case of its name", async () => {
    const folder = folderWith({
      "a.json": JSON.stringify(ticket),
      "b.json": JSON.stringify(other),
      "s.yaml": suite(["ticket-1042", "ticket-2"]),
    });
    const { code, text } = await score(folder, "a.json", "b.json", "--evaluators", "s.yaml");
    expect(code).toBe(1);
    expect(text).toContain("1 of 2 traces is below the pass line of 0.80.");
    expect(text).toContain("lookup_order 0 calls, at least 1");
  });

  it("says which cases had no trace", async () => {
    const folder = folderWith({ "a.json": JSON.stringify(ticket), "s.yaml": suite(["ticket-1042", "ticket-9"]) });
    const { text } = await score(folder, "a.json", "--evaluators", "s.yaml");
    expect(text).toContain("Not checked: case ticket-9: no trace was scored by it.");
  });

  it("never passes over a trace that no case names", async () => {
    const folder = folderWith({
      "a.json": JSON.stringify(ticket),
      "b.json": JSON.stringify(other),
      "s.yaml": suite(["ticket-1042", "ticket-3"]),
    });
    await expect(score(folder, "a.json", "b.json", "--evaluators", "s.yaml")).rejects.toMatchObject({
      code: "score.no-case",
    });
  });

  it("scores a single trace that no case names by all of them, or by the chosen one", async () => {
    const folder = folderWith({ "a.json": JSON.stringify(other), "s.yaml": suite(["one", "two"]) });
    expect((await score(folder, "a.json", "--evaluators", "s.yaml")).text).toContain("2 of 2 cases are below");
    expect((await score(folder, "a.json", "--evaluators", "s.yaml", "--case", "one")).text).toContain(
      "(case one) scores 0.00",
    );
    await expect(score(folder, "a.json", "--evaluators", "s.yaml", "--case", "on")).rejects.toThrow('no case "on"');
  });
});
