import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TraceRecord } from "@spoor/core/internal/trace/record";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { agentlogLines } from "../../formats/agentlog.ts";
import { listPacks } from "../../load/load-policy.ts";
import { runInMemory } from "../run-in-memory.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "spoor-policy-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (file: string, text: string) => writeFileSync(join(folder, file), text);
const spoor = (...words: string[]) => runInMemory(["policy", "test", ...words], { cwd: folder });

const policy = `rules:
  - { id: order, kind: must_call_before, params: { first: confirm_amount, second: issue_refnd } }
  - { id: large, kind: no_call, params: { tool: issue_refund, args: [{ path: amount, op: ">", value: 75 }] } }
  - { id: never, kind: no_call, params: { tool: confirm_amount } }
examples:
  - { name: 89 euros, fails: large, turns: [{ calls: [{ name: issue_refund, args: { amount: 89 } }] }] }
`;
const tools = JSON.stringify({
  tools: [
    { name: "confirm_amount", inputSchema: { type: "object", properties: { amount: { type: "number" } } } },
    { name: "issue_refund", inputSchema: { type: "object", properties: { amount: { type: "number" } } } },
  ],
});

describe("spoor policy test", () => {
  it("says what is wrong with the rules themselves", async () => {
    write("p.yaml", policy);
    write("tools.json", tools);
    const { code, out } = await spoor("p.yaml", "--tools", "tools.json");
    expect(code).toBe(1);
    expect(out).toMatchInlineSnapshot(`
      "✗ 2 errors in the rules themselves; 1 of 1 example behaves as it says.

        ✓ 89 euros

        Not shown to work:
        order  no example passes it or fails it
        large  no example passes it
        never  no example passes it or fails it

        The rules themselves:
        ✗ error  order                                    p.yaml:2
            issue_refnd: no such tool. Did you mean issue_refund?
        ✗ error  order                                    p.yaml:2
            issue_refnd needs confirm_amount before it, which rule never forbids: it
            can never be called.

        Conditions that no example shows both ways:
        large  amount > 75  never false

        Names were compared with 2 tools.
                                                                           exit code 1
      "
    `);
  });

  it("has the same as JSON: codes and facts, no sentences", async () => {
    write("p.yaml", policy);
    write("tools.json", tools);
    const report = JSON.parse((await spoor("p.yaml", "--tools", "tools.json", "--format", "json")).out);
    const published = new URL("../../../schemas/policy-test.schema.json", import.meta.url);
    const validate = new Ajv2020({ strict: false }).compile(JSON.parse(readFileSync(published, "utf8")));
    expect([validate(report), validate.errors]).toEqual([true, null]);
    expect(validate({ ...report, errors: "two" })).toBe(false);
    expect(report).toMatchObject({
      schema: "spoor.policy-test/1",
      errors: 2,
      warnings: 0,
      tools: 2,
      findings: [
        {
          code: "unknown_tool",
          level: "error",
          ruleIds: ["order"],
          facts: { tool: "issue_refnd", nearest: "issue_refund" },
        },
        { code: "needed_and_forbidden", level: "error", ruleIds: ["order", "never"] },
      ],
      conditions: [{ ruleId: "large", place: "args", condition: "amount > 75", holds: 1, fails: 0 }],
    });
  });

  it("warns without failing, unless it is to be strict", async () => {
    write("p.yaml", "rules: [{ id: r, kind: no_call, params: { tool: delete_account } }]\n");
    write("tools.json", tools);
    expect((await spoor("p.yaml", "--tools", "tools.json")).code).toBe(0);
    expect((await spoor("p.yaml", "--tools", "tools.json", "--strict")).code).toBe(1);
  });

  it("takes the traces of a configuration that names the policy, and of no other", async () => {
    write("p.yaml", policy);
    write("q.yaml", policy);
    write("spoor.config.yaml", "traces: run.agentlog\npolicy: { files: [p.yaml] }\n");
    const records: TraceRecord[] = [
      { kind: "chat_request", payload: { messages: [], tools: JSON.parse(tools).tools } },
      { kind: "chat_response", payload: { content: [{ type: "text", text: "Hello." }] } },
    ];
    write("run.agentlog", [...agentlogLines(records)].join(""));
    const toolsOf = async (file: string) => {
      const { out, err } = await spoor(file, "--format", "json");
      expect(err).toBe("");
      return JSON.parse(out).tools;
    };
    expect(await toolsOf("p.yaml")).toBe(2);
    expect(await toolsOf("q.yaml")).toBeNull();
  });

  it.each([
    ["is not there", "none.json", "does not exist"],
    ["is no JSON", "p.yaml", "is not JSON"],
    ["lists nothing", "other.json", "is no list of tools"],
  ])("cannot run with a list of tools that %s", async (_name, file, words) => {
    write("p.yaml", policy);
    write("other.json", '{"rules": []}');
    const { code, err } = await spoor("p.yaml", "--tools", file);
    expect([code, err.includes(words)]).toEqual([2, true]);
  });

  it.each(listPacks())("finds nothing wrong with the pack %s", async (pack) => {
    const report = JSON.parse((await spoor(`spoor:${pack}`, "--format", "json")).out);
    expect(report.findings).toEqual([]);
    const untouched = report.conditions.filter((one: { holds: number; fails: number }) => one.holds * one.fails === 0);
    expect(untouched).toEqual([]);
  });
});
