/** The text on behaviour policy, statement by statement, through the built command line: every rule over every trace in one go. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CheckReport } from "@spoor/core/internal/policy/check-report";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeAgentlog } from "../../src/formats/agentlog.ts";
import { runSpoor, type SpoorRun } from "../e2e/run-spoor.ts";
import { calls, kind, type Records, SNIPPETS, STATEMENTS, says } from "./behaviour-statements.ts";
import { describeFounding, foundingLines } from "./founding-text.ts";

const folder = mkdtempSync(join(tmpdir(), "spoor-founding-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const SCHEMA = {
  type: "object",
  properties: { refund: { type: "object", properties: { amount: { type: "number" }, currency: { type: "string" } } } },
};

const writeTrace = (name: string, records: Records[]) =>
  writeFileSync(join(folder, name), writeAgentlog(records.flat()));
const idOf = (index: number) => `s${index}`;

describeFounding("the text on behaviour policy", () => {
  let report: CheckReport;
  beforeAll(async () => {
    for (const place of ["traces", "schemas"]) mkdirSync(join(folder, place));
    writeFileSync(join(folder, "schemas/refund_decision.schema.json"), JSON.stringify(SCHEMA));
    for (const { id, from, to } of SNIPPETS) writeFileSync(join(folder, `${id}.yaml`), foundingLines("001", from, to));
    writeFileSync(
      join(folder, "policy.json"),
      JSON.stringify({
        extends: SNIPPETS.map(({ id }) => `${id}.yaml`),
        rules: STATEMENTS.map(({ rule }, index) => ({ id: idOf(index), ...rule })),
      }),
    );
    const cases = [...SNIPPETS, ...STATEMENTS.map((one, index) => ({ ...one, id: idOf(index) }))];
    for (const one of cases) {
      const traces = { ...one.keeps, ...one.breaks, ...("skips" in one ? one.skips : {}) };
      for (const [name, records] of Object.entries(traces)) writeTrace(`traces/${one.id}-${name}.agentlog`, records);
    }
    const { stdout, stderr } = await runSpoor(["check", "traces", "--policy", "policy.json", "--format", "json"], {
      cwd: folder,
    });
    if (stdout === "") throw new Error(stderr);
    report = JSON.parse(stdout) as CheckReport;
  });

  /** What a rule found in a trace. */
  const found = (id: string, name: string) => {
    const trace = report.traces.findIndex(({ path }) => path?.endsWith(`/${id}-${name}.agentlog`));
    const rule = report.rules.find((one) => one.id === id)!;
    expect(trace).toBeGreaterThanOrEqual(0);
    return rule.violations.filter((violation) => violation.trace === trace);
  };

  describe.each(SNIPPETS)("lines $from to $to, $id, word for word", ({ id, keeps, breaks, skips = {} }) => {
    it.each(Object.keys({ ...keeps, ...skips }))("%s is no violation", (name) => expect(found(id, name)).toEqual([]));
    it.each(Object.keys(breaks))("%s is one", (name) => expect(found(id, name).length).toBeGreaterThan(0));
  });

  describe.each(STATEMENTS.map((one, index) => ({ ...one, id: idOf(index) })))(
    "line $line: $states",
    ({ id, keeps, breaks }) => {
      it.each(Object.keys(keeps))("%s keeps it", (name) => expect(found(id, name)).toEqual([]));
      it.each(Object.keys(breaks))("%s breaks it", (name) => expect(found(id, name).length).toBeGreaterThan(0));
    },
  );

  it("names the turn, the path and the amounts", () => {
    expect(found("structured-output", "field")[0]).toMatchObject({
      turnIndex: 0,
      evidence: { path: "refund.currency" },
    });
    expect(found("amount-locked-after-confirmation", "changed")[0]!.message).toBe(
      "request.params.amount is 89; in turn 1 it was 40.",
    );
    expect(found("per-conversation-budget", "second")[0]).toMatchObject({ sessionIndex: 1, severity: "moderate" });
    expect(found("confirm-after-quote", "last")[0]!.code).toBe("no_next_turn");
  });
});

describeFounding("the merge gate of the text on behaviour policy", () => {
  const run: Record<string, SpoorRun> = {};
  beforeAll(async () => {
    writeTrace("baseline.agentlog", [calls("legacy"), calls("confirm"), calls("refund")]);
    writeTrace("candidate.agentlog", [calls("look"), calls("refund"), says("Done.")]);
    writeFileSync(
      join(folder, "shadow-policy.yaml"),
      `- { id: confirm-first, kind: must_call_before, params: { first: confirm, second: refund }, severity: error }
- { id: no-legacy, kind: no_call, params: { tool: legacy }, severity: error }
`,
    );
    for (const severity of ["info", "warning", "error"])
      writeFileSync(
        join(folder, `${severity}.json`),
        JSON.stringify([{ id: "r", severity, ...kind("no_call", { tool: "refund" }) }]),
      );
    const [, ...command] = foundingLines("001", 109, 111).replaceAll("\\\n", " ").trim().split(/\s+/);
    const jobs: [string, string[]][] = [
      ["typed", command],
      ["markdown", [...command, "--format", "markdown"]],
      ...["info", "warning", "error"].flatMap((severity) =>
        ["minor", "moderate", "severe"].map((line): [string, string[]] => [
          `${severity} ${line}`,
          ["check", "candidate.agentlog", "--policy", `${severity}.json`, "--fail-on", line],
        ]),
      ),
    ];
    // Two at a time: the machine may have two cores only.
    for (let at = 0; at < jobs.length; at += 2) {
      const pair = jobs.slice(at, at + 2);
      const runs = await Promise.all(pair.map(([, args]) => runSpoor(args, { cwd: folder })));
      for (const [index, [name]] of pair.entries()) run[name] = runs[index]!;
    }
  });

  it("line 5: names the regression and the fix, each with its rule and turn", () => {
    for (const text of [run["typed"]!.stdout, run["markdown"]!.stdout]) {
      expect(text).toContain("confirm-first");
      expect(text).toContain("no-legacy");
    }
    expect(run["typed"]!.stdout).toMatch(/confirm-first[\s\S]*turn 2/);
  });
  it("line 113: the summary prints first, the gate last", () => {
    const lines = run["typed"]!.stdout.trimEnd().split("\n");
    expect(lines.findIndex((line) => line.includes("Blocked by"))).toBeGreaterThan(
      lines.findIndex((line) => line.includes("confirm-first")),
    );
    expect(run["typed"]!.code).toBe(1);
  });
  it.each([
    ["info", [1, 0, 0]],
    ["warning", [1, 1, 0]],
    ["error", [1, 1, 1]],
  ] as const)("line 115: %s trips minor, moderate and severe as %j", (severity, codes) => {
    expect(["minor", "moderate", "severe"].map((line) => run[`${severity} ${line}`]!.code)).toEqual(codes);
  });
});
