/** `spoor check` and `spoor policy` as a shell runs them. */
import { cpSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { type CallSpec, recordsOf, type TurnSpec } from "../../../core/test/build.ts";
import { writeAgentlog } from "../../src/formats/agentlog.ts";
import { runSpoor, temporaryFolder } from "./run-spoor.ts";

const POLICY = `apiVersion: spoor.dev/v1
description: Refunds
rules:
  - id: confirm-before-refund
    kind: must_call_before
    description: Confirm the amount with the customer before refunding.
    params: { first: confirm_refund_amount, second: issue_refund }
    scope: session

  - id: large-refund
    kind: no_call
    severity: warning
    params: { tool: issue_refund, args: [{ path: refund.amount, op: ">", value: 75 }] }
  - id: one-refund-per-ticket
    kind: max_calls
    params: { tool: issue_refund, limit: 1 }
`;

const lookup = (order_id: string): CallSpec => ({ name: "lookup_order", input: { order_id }, output: "found" });
const confirm: CallSpec = { name: "confirm_refund_amount", input: { amount: 20 }, output: "yes" };
const refund = (order_id: string, amount: number): CallSpec => ({
  name: "issue_refund",
  input: { order_id, refund: { amount } },
  output: "ok",
});
const tickets: Record<string, TurnSpec[]> = {
  "ticket-1041": [{ user: "Where is it?", calls: [lookup("A-1")] }, { text: "On its way." }],
  "ticket-1042": [
    { user: "Broken!", calls: [lookup("A-7731")] },
    { calls: [refund("A-7731", 89)] },
    { text: "Sorry." },
  ],
  "ticket-1043": [
    { user: "New address.", calls: [{ name: "update_address", input: {}, output: "ok" }] },
    { text: "Done." },
  ],
  "ticket-1044": [{ user: "Twice!", calls: [lookup("A-7742")] }, { calls: [refund("A-7742", 50)] }, { text: "Sorry." }],
  "ticket-1045": [
    { user: "Too small.", calls: [lookup("A-9")] },
    { calls: [confirm] },
    { calls: [refund("A-9", 20)] },
    { text: "Done." },
  ],
};

function project(policy = POLICY): string {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "candidate"));
  mkdirSync(join(folder, "policies"));
  for (const [name, turns] of Object.entries(tickets)) {
    writeFileSync(join(folder, "candidate", `${name}.agentlog`), writeAgentlog(recordsOf(turns)));
  }
  writeFileSync(join(folder, "policies", "refunds.yaml"), policy);
  return folder;
}

describe("spoor check", () => {
  const args = ["check", "candidate", "--policy", "policies/refunds.yaml", "--noun", "ticket"];

  it("says what broke, where, and what to type next", async () => {
    const { stdout, code } = await runSpoor(args, { cwd: project() });
    expect(code).toBe(1);
    expect(stdout).toMatchInlineSnapshot(`
      "✗ issue_refund runs without confirm_refund_amount before it, in 2 of 5 tickets.

        ✗ error    confirm-before-refund                  policies/refunds.yaml:4:5
            Confirm the amount with the customer before refunding.
            ticket-1042, turn 2  issue_refund(order_id "A-7731", refund.amount 89)
            ticket-1044, turn 2  issue_refund(order_id "A-7742", refund.amount 50)
            Expected confirm_refund_amount earlier.
        ! warning  large-refund                           policies/refunds.yaml:10:5
            ticket-1042, turn 2  refund.amount is 89, allowed up to 75
        ✓ passed   one-refund-per-ticket               3 tickets, 3 issue_refund calls

        3 rules on 5 tickets: 6 passed, 6 idle, 2 violations, 1 warning, 0 not
        evaluated.
        Next: spoor show candidate/ticket-1042.agentlog --turn 2           exit code 1
      "
    `);
  });

  it("prints a next command that works", async () => {
    const cwd = project();
    const { stdout } = await runSpoor(args, { cwd });
    const next = /Next: spoor (.*?) {2,}exit/.exec(stdout)![1]!;
    const shown = await runSpoor(next.split(" "), { cwd });
    expect(shown.code).toBe(0);
    expect(shown.stdout).toContain("issue_refund");
  });

  it("holds 80 columns, also in ASCII", async () => {
    for (const extra of [[], ["--ascii"], ["--verbose"]]) {
      const { stdout } = await runSpoor([...args, ...extra], { cwd: project() });
      for (const line of stdout.split("\n")) expect([...line].length, line).toBeLessThanOrEqual(80);
    }
  });

  it.each([
    ["none", 0],
    ["never", 0],
    ["minor", 1],
    ["moderate", 1],
    ["severe", 1],
  ])("--fail-on %s exits %i", async (level, expected) => {
    expect((await runSpoor([...args, "--fail-on", level], { cwd: project() })).code).toBe(expected);
  });

  it("gives the same facts as JSON and Markdown", async () => {
    const cwd = project();
    const json = JSON.parse((await runSpoor([...args, "--format", "json"], { cwd })).stdout);
    expect(json).toMatchObject({
      schema: "spoor.check/1",
      totals: { evaluations: 15, passed: 6, notApplicable: 6, violations: { severe: 2, moderate: 1 } },
      gate: { failOn: "severe", tripped: true, reasons: [{ subject: "confirm-before-refund" }] },
    });
    expect(json.rules[0].violations[0]).toMatchObject({
      turnIndex: 1,
      evidence: { blockIndex: 0, tool: "issue_refund" },
    });
    const markdown = (await runSpoor([...args, "--format", "markdown"], { cwd })).stdout;
    expect(markdown).toContain("| ✗ error | `confirm-before-refund` |");
    expect(markdown).toContain("`ticket-1042`, turn 2  `issue_refund(");
  });

  it("with a policy that does not load exits 2, lists every problem and prints no report (14.2)", async () => {
    const cwd = project(POLICY.replace("must_call_before", "must_call_befor").replace("limit: 1", "limit: one"));
    const { stdout, stderr, code } = await runSpoor(args, { cwd });
    expect(code).toBe(2);
    expect(stdout).toBe("");
    expect(stderr).toContain("policies/refunds.yaml has 2 problems.");
    expect(stderr).toContain("5:11  unknown kind");
    expect(stderr).toContain(`16:42  limit must be a whole number from 0 on, found the text "one".`);
  });

  it.each([
    ["a policy that is not there", ["check", "candidate", "--policy", "none.yaml"], "policy.unreadable"],
    ["a pack that is not there", ["check", "candidate", "--policy", "spoor:refund"], "Did you mean spoor:refunds?"],
    ["no policy", ["check", "candidate"], "check needs a policy"],
    ["traces that are not there", ["check", "nowhere", "--policy", "policies/refunds.yaml"], "input.missing"],
  ])("%s: exit 2", async (_name, words, expected) => {
    const { code, stderr } = await runSpoor(words, { cwd: project() });
    expect(code).toBe(2);
    expect(stderr).toContain(expected);
  });

  it("lists what it could not judge and exits 2, unless --lenient accepts it", async () => {
    const cwd = project("- { id: budget, kind: max_total_tokens, params: { n: 5 } }\n");
    const { stdout, code } = await runSpoor(args, { cwd });
    expect(code).toBe(2);
    expect(stdout).toContain("? 0 of 1 rule holds on 5 tickets; 1 could not be judged.");
    expect(stdout).toContain("not evaluated: no response recorded how many tokens it used (5 of 5");
    expect(stdout).not.toContain("0 tokens");
    expect((await runSpoor([...args, "--lenient"], { cwd })).code).toBe(0);
  });

  it("does not read a schema outside the project", async () => {
    const cwd = project("- { id: s, kind: must_match_json_schema, params: { schema_path: /etc/hostname } }\n");
    const { code, stderr } = await runSpoor(args, { cwd });
    expect(code).toBe(2);
    expect(stderr).toContain("such files are not read");
  });

  it("text from traces and rules cannot steer the terminal", async () => {
    const cwd = project('- { id: "evil\\u001b[31m", kind: no_call, params: { tool: issue_refund } }\n');
    const { stdout } = await runSpoor(args, { cwd });
    expect(stdout).not.toContain("\u001b");
    expect(stdout).toContain("evil\\u{1b}[31m");
  });
});

describe("spoor policy", () => {
  const packs = readdirSync(fileURLToPath(new URL("../../policies/", import.meta.url))).map((name) =>
    name.replace(".yaml", ""),
  );

  it.each(packs)("the pack %s proves every one of its rules", async (pack) => {
    const { code, stdout } = await runSpoor(["policy", "test", `spoor:${pack}`, "--format", "json"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ failed: 0, untested: [] });
  });

  it("test exits 1 when an example behaves otherwise, and names untested rules", async () => {
    const cwd = project(`${POLICY}examples:
  - name: asks first
    fails: confirm-before-refund
    turns: [{ calls: [confirm_refund_amount] }, { calls: [issue_refund] }]
`);
    const { code, stdout } = await runSpoor(["policy", "test", "policies/refunds.yaml"], { cwd });
    expect(code).toBe(1);
    expect(stdout).toContain("confirm-before-refund should fail, but it passes.");
    expect(stdout).toContain("large-refund           no example passes it or fails it");
  });

  it("explain says each rule in one sentence", async () => {
    const { stdout } = await runSpoor(["policy", "explain", "policies/refunds.yaml"], { cwd: project() });
    expect(stdout).toContain("confirm_refund_amount must be called before issue_refund, in each session.");
    expect(stdout).toContain("issue_refund must never be called with refund.amount > 75.");
  });
});

describe("the founding examples behave as described", () => {
  const root = fileURLToPath(new URL("../../../../examples/policy/", import.meta.url));
  const turnsOf = async (name: string, trace: string) => {
    const run = await runSpoor(
      ["check", `${trace}.agentlog`, "--policy", "policy.yaml", "--fail-on", "minor", "--format", "json"],
      { cwd: join(root, name) },
    );
    const { rules } = JSON.parse(run.stdout);
    return {
      code: run.code,
      places: rules[0].violations.map(
        (one: { turnIndex: number | null; sessionIndex: number | null }) =>
          one.turnIndex ?? `session ${one.sessionIndex}`,
      ),
    };
  };
  it.each([
    ["confirm-large-refunds", [2]],
    ["amount-locked-after-confirmation", [1]],
    ["confirm-after-quote", [1, 2]],
    ["rag-grounding", [0]],
    ["structured-output", [0, 1]],
    ["per-conversation-budget", ["session 1"]],
  ])("%s breaks at %j", async (name, places) => {
    expect(await turnsOf(name, "obeys")).toEqual({ code: 0, places: [] });
    expect(await turnsOf(name, "breaks")).toEqual({ code: 1, places });
  });
});

describe("a rule that saw nothing", () => {
  const args = ["check", "candidate", "--policy", "policies/refunds.yaml", "--noun", "ticket"];

  it("is marked and counted apart, and what is misspelt", async () => {
    const cwd = project(`rules:
  - { id: order, kind: must_call_before, params: { first: confirm_refund_amount, second: isue_refund } }
  - { id: gated, kind: no_call, params: { tool: issue_refund }, when: [{ path: request.modle, op: "==", value: m }] }
  - { id: never, kind: no_call, params: { tool: delete_account } }
  - { id: often, kind: max_calls, params: { tool: issue_refund, limit: 1 }, min_seen: 4 }
`);
    const text = await runSpoor(args, { cwd });
    expect(text.code).toBe(2);
    expect(text.stdout).toContain("? idle     order");
    expect(text.stdout).toContain("isue_refund is neither offered nor called. Did you mean issue_refund?");
    expect(text.stdout).toContain("request.modle leads nowhere. Did you mean request.model?");
    expect(text.stdout).toContain("? too few  often");
    expect(text.stdout).toContain("5 passed, 10 idle, 0 violations, 0 warnings, 5 not");
    const junit = await runSpoor([...args, "--format", "junit"], { cwd });
    expect(junit.stdout).toMatch(/name="order"[^>]*>\s*<skipped message="It found nothing to look at/);
    const markdown = await runSpoor([...args, "--format", "markdown"], { cwd });
    expect(markdown.stdout).toContain("idle");
  });

  it("judges nothing, exit 2, where no rule saw anything, also in a diff", async () => {
    const cwd = project(`[{ id: order, kind: must_call_before, params: { first: a, second: b } }]`);
    const check = await runSpoor([...args, "--lenient"], { cwd });
    expect(check.stdout).toContain("? Nothing was judged: no rule found anything to look at in 5 tickets.");
    expect(check.code).toBe(2);
    cpSync(join(cwd, "candidate"), join(cwd, "baseline"), { recursive: true });
    const diff = await runSpoor(["diff", "baseline", "candidate", "--policy", "policies/refunds.yaml", "--verbose"], {
      cwd,
    });
    expect(diff.stdout).toContain("order: it found nothing to look at in any trace");
    expect(diff.code).toBe(2);
  });
});
