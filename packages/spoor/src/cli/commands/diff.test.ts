import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { DiffReport } from "@spoor/core/internal/diff/diff-report";
import { describe, expect, it } from "vitest";
import { onShared, sharedExists, sharedFolder } from "../../../../core/test/shared.ts";
import { temporaryFolder } from "../../../test/e2e/run-spoor.ts";
import { runInMemory } from "../run-in-memory.ts";

const refund = fileURLToPath(new URL("../../../../../examples/refund/", import.meta.url));
const story = [`${refund}baseline`, `${refund}candidate`, "--noun", "ticket"];
const policy = ["--policy", "policies/refunds.yaml"];

async function diff(words: readonly string[], io: { columns?: number; cwd?: string } = {}) {
  const run = await runInMemory(["diff", ...words], { cwd: refund, ...io });
  return { ...run, out: run.out.replaceAll(refund, "") };
}

describe("the refund story", () => {
  it("reads as in the design, and blocks", async () => {
    const { code, out } = await diff([...story, ...policy, "--fail-on", "severe"]);
    expect(code).toBe(1);
    expect(out).toBe(`\
✗ issue_refund now runs without confirm_refund_amount before it, in 2 of 5
  tickets. In the baseline it came first every time (3 of 3).

  5 tickets paired by file name, 15 turn pairs, 2 baseline turns left over.
  Enough to see large shifts; a habit shown in 1 turn of 10 would stay unseen in
  one of five samples of this size.

  axis        what it is          before      now severe   0   severe grade
  structure   turns that differ        -  4 of 17   ┊      │ ├─────●▸ SEVERE
  tools       never seen before        -     none                     none
  semantic    meaning of text       1.00     0.90   ┊   ├●─┤      ┊   minor
  trajectory  tool calls            0.00     0.24   ┊      │  ├─────▸ SEVERE
  safety      refusals               0 %      0 %   ┊      ●      ┊   none
  verbosity   reply length        41 tok   43 tok   ┊     ├─●┤    ┊   none
  latency     reply time          818 ms   826 ms   ┊      ●┤     ┊   none
  cost        price per reply   $0.00138 $0.00140   ┊     ├●┤     ┊   none
  reasoning   thinking          no data: neither side recorded thinking tokens
  judge       a judge's score   not run: no judge is configured
  conformance output format        100 %    100 %   ┊      ●      ┊   none

  Medians (semantic, verbosity, latency, cost, reasoning and judge) do not show
  what happens in fewer than half of the turns; structure and trajectory count
  every turn.

  First divergence: ticket-1042, turn 2 of the baseline (structural)
  baseline                                candidate
  1 ~ lookup_order                        1 ~ lookup_order
  2 - confirm_refund_amount                   (no such turn)
        order_id  "A-7731"
        amount    40
        currency  "EUR"
  3 * issue_refund                        2 * issue_refund
        order_id         "A-7731"               order_id         "A-7731"
      * refund.amount    40                   * refund.amount    89
        refund.currency  "EUR"                  refund.currency  "EUR"
      * reason           "damaged item"       * reason           "customer upse…
  4 ~ "Thank you for confirming. I hav…"  3 ~ "I am so sorry about this. I hav…"

  Also      ticket-1044, turns 2 and 3: the same, refund.amount 25 → 50
  Kinds     2 structural (other calls or order), 4 decision (other arguments,
            end or answer), 6 style (other words)
  Going in  the system prompt has 1 line more: "If a customer is upset, make it
            right straight away."  Model, tools and settings are the same.
            ticket-1042, turn 2: first difference going in: line 2 of the system
            prompt is new: "If a customer is upset, make it right straight
            away."
  Policy    2 new violations, 1 new warning, 0 fixed
  ✗ new error    confirm-before-refund              policies/refunds.yaml:4
      ticket-1042, turn 2  issue_refund was called without confirm_refund_amount
      before it.
      ticket-1044, turn 2  issue_refund was called without confirm_refund_amount
      before it.
  ! new warning  large-refund                       policies/refunds.yaml:10
      ticket-1042, turn 2  refund.amount is 89, allowed up to 75.
  Coverage  32 turns and 22 tool calls read; every call has its result
  Blocked by --fail-on severe: structure, trajectory, confirm-before-refund.
                                                                     exit code 1
  Next: spoor show candidate/ticket-1042.agentlog --turn 2
`);
  });

  it("has the same rows in ASCII", async () => {
    const { out } = await diff([...story, "--ascii"]);
    expect(out).toContain("  structure   turns that differ        -  4 of 17   .      : |-----o> SEVERE\n");
    expect(out).toContain("refund.amount 25 -> 50");
    expect(out).toMatch(/^[\x00-\x7f]*$/);
  });

  it.each([60, 80, 120])("no line is wider than %i columns, commands aside", async (columns) => {
    const { out } = await diff([...story, "--verbose", "--no-color"], { columns });
    const wide = out.split("\n").filter((line) => [...line].length > columns && !line.includes("Next:"));
    expect(wide).toEqual([]);
  });

  it("--verbose gives each row its interval and its exact test", async () => {
    const { out } = await diff([...story, "--verbose"]);
    expect(out.replace(/\s+/g, " ")).toContain(
      "lower in 8 pairs, equal in 7; sign test p = 0.008, 0.055 corrected for 7 rows",
    );
  });

  it("JSON and Markdown hold the same figures", async () => {
    const json = JSON.parse((await diff([...story, ...policy, "--format", "json"])).out) as DiffReport;
    expect(json).toMatchObject({
      schema: "spoor.diff/1",
      pairCount: 15,
      leftOver: { baseline: 2, candidate: 0 },
      structure: { changed: 4, turns: 17, severity: "severe" },
      verdict: { code: "order_broken", tool: "issue_refund", before: "confirm_refund_amount", traces: 2, of: 5 },
      firstDivergence: { traceIndex: 1, baselineTurn: 1, candidateTurn: 1, kind: "structural" },
      coverage: { turns: 32, toolCalls: 22, callsWithoutResult: 0 },
      gate: { failOn: "none", tripped: false, reasons: [] },
    });
    const markdown = (await diff([...story, ...policy, "--format", "markdown"])).out;
    expect(markdown).toContain(
      "### ! `issue_refund` now runs without `confirm_refund_amount` before it, in 2 of 5 tickets\n",
    );
    expect(markdown).toContain("4 of 17 turns differ (24 %; 7 to 50 % is plausible)");
    expect(markdown).toContain("| latency | reply time | 818 ms | 826 ms | +8 ms (");
    expect(markdown).toContain("Policy: 2 new violations, 1 new warning, 0 fixed");
  });

  it("runs against copies of themselves are one line and its evidence", async () => {
    const copy = temporaryFolder();
    cpSync(`${refund}baseline`, copy, { recursive: true });
    const { code, out } = await diff([`${refund}baseline`, copy, "--fail-on", "minor"]);
    expect(code).toBe(0);
    expect(out).toMatch(/^✓ No change in behaviour: 17 of 17 turns do the same\.\n/);
    expect(out).not.toContain("axis ");
  });

  it("three pairs support no grade", async () => {
    const { out } = await diff([`${refund}baseline/ticket-1042.agentlog`, `${refund}candidate/ticket-1042.agentlog`]);
    expect(out).toContain(
      "  Only 3 turn pairs. No grade below is supported by statistics: even if all 3\n" +
        "  had moved the same way, chance alone would do that in 1 of 4 samples. What is\n" +
        "  listed as a divergence did happen; how often it happens needs more runs.\n",
    );
    expect(out).toContain("(SEVERE)");
  });

  it.each(["session", "turn", "span", "token"])("--level %s adds its section", async (level) => {
    const heading = {
      session: "Sessions: 5",
      turn: "Turns: 17",
      span: "Turn pairs with changed parts: 10",
      token: "tokens",
    }[level]!;
    expect((await diff([...story, "--level", level])).out).toContain(`\n  ${heading}`);
  });
});

describe("gate and mistakes", () => {
  it.each([
    { words: ["--fail-on", "severe"], code: 1 },
    { words: ["--fail-on", "severe", "--gate-on", "axes"], code: 1 },
    { words: ["--fail-on", "severe", "--gate-on", "tools"], code: 0 },
    { words: ["--fail-on", "minor", "--gate-on", "axes"], code: 1 },
    { words: ["--fail-on", "none"], code: 0 },
  ])("$words exits $code, after the report", async ({ words, code }) => {
    const run = await diff([...story, ...words]);
    expect(run.code).toBe(code);
    expect(run.out).toContain("4 of 17");
  });

  it.each([
    { name: "an unknown severity", words: ["--fail-on", "bogus"], says: "--fail-on must be one of" },
    {
      name: "an unknown gate",
      words: ["--gate-on", "axes,rules"],
      says: '--gate-on takes axes, policy, structure, tools; found "rules"',
    },
    { name: "a missing price list", words: ["--pricing", "nowhere.json"], says: "pricing.unreadable" },
    { name: "a missing policy", words: ["--policy", "nowhere.yaml"], says: "policy.unreadable" },
  ])("$name is refused before any work", async ({ words, says }) => {
    const run = await diff([...story, ...words]);
    expect(run).toMatchObject({ code: 2, out: "" });
    expect(run.err).toContain(says);
  });

  it("a price list that does not parse, and one that makes no sense", async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, "broken.json"), '{"gpt-4.1": [1,');
    writeFileSync(join(cwd, "odd.json"), '{"gpt-4.1": "cheap", "other": [1, -2]}');
    const broken = await diff([...story, "--pricing", "broken.json"], { cwd });
    const odd = await diff([...story, "--pricing", "odd.json"], { cwd });
    expect([broken.code, odd.code]).toEqual([2, 2]);
    expect(broken.err).toContain("pricing.not-json");
    expect(odd.err).toContain("odd.json has 2 problems");
    expect(odd.err).toMatch(/1:13 .*must be \[input, output\] or a mapping of rates, found the\s+text "cheap"\./);
    expect(odd.err).toMatch(/1:35 .*other\[1\] must be a number from 0 on, found -2\./);
  });

  it("other prices change the cost row", async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, "prices.json"), '{"gpt-4.1": [0.001, 0.001]}');
    const { out } = await diff([...story, "--pricing", "prices.json", "--format", "json"], { cwd });
    const cost = (JSON.parse(out) as DiffReport).rows.find((row) => row.axis === "cost")!;
    // 546 tokens of the middle baseline pair at 0.1 cent each.
    expect(cost.baseline).toBeGreaterThan(0.3);
  });

  describe("two folders that only partly match", () => {
    const line = (kind: string, payload: object) =>
      `${JSON.stringify({ version: "0.1", id: "sha256:0", kind, ts: "", parent: null, payload })}\n`;
    const answer = line("chat_response", { content: "Hello.", stop_reason: "end_turn" });
    const silence = line("metadata", { sdk: { name: "x", version: "1" } });

    function folders(candidate: Readonly<Record<string, string>>): string[] {
      const folder = temporaryFolder();
      mkdirSync(join(folder, "before"));
      mkdirSync(join(folder, "after"));
      for (const name of ["one", "two"]) writeFileSync(join(folder, "before", `${name}.agentlog`), answer);
      for (const [name, text] of Object.entries(candidate))
        writeFileSync(join(folder, "after", `${name}.agentlog`), text);
      return [join(folder, "before"), join(folder, "after")];
    }

    it("names the traces without a partner, and refuses them under --strict", async () => {
      const paths = folders({ two: answer, three: answer });
      const { out, code } = await diff(paths);
      expect(code).toBe(0);
      expect(out).toContain("only in the baseline: one; only in the candidate: three");
      expect(await diff([...paths, "--strict"])).toMatchObject({
        code: 2,
        out: "",
        err: expect.stringContaining("diff.unmatched"),
      });
    });

    it.each([
      { name: "no trace has a partner", candidate: { three: answer }, says: "no trace of one side has a partner" },
      {
        name: "the candidate never answers",
        candidate: { one: silence, two: silence },
        says: "the candidate holds no model response",
      },
    ])("$name: no verdict, and no pass", async ({ candidate, says }) => {
      const { out, code } = await diff(folders(candidate));
      expect(code).toBe(2);
      expect(out).toContain(says);
      expect(out).toContain("exit code 2");
    });
  });

  it("text from a trace cannot move the cursor or break Markdown", async () => {
    const folder = temporaryFolder();
    const call = (name: string) =>
      `${JSON.stringify({ version: "0.1", id: "sha256:0", kind: "chat_response", ts: "", parent: null, payload: { content: [{ type: "tool_use", name, input: { "a|b`<@x>": "\u001b[2J\u202e" } }] } })}\n`;
    writeFileSync(join(folder, "a.agentlog"), call("safe"));
    writeFileSync(join(folder, "b.agentlog"), call("\u001b[31m`|<script>@team"));
    const paths = [join(folder, "a.agentlog"), join(folder, "b.agentlog")];
    const terminal = (await diff(paths)).out;
    expect(terminal).not.toContain("\u001b");
    expect(terminal).not.toContain("\u202e");
    const markdown = (await diff([...paths, "--format", "markdown"])).out;
    const prose = markdown.replace(/```[\s\S]*?```/g, "").replace(/(`+)[^`](?:.*?[^`])?\1(?!`)/g, "");
    expect(prose).not.toContain("<script>");
    expect(prose).not.toMatch(/@team/);
  });
});

describe.skipIf(!sharedExists)(onShared("real pairs"), () => {
  it.each([
    ["tau-retail/gpt-4.1.json.gz", "tau-retail/gpt-4.1-mini.json.gz"],
    ["tau2-retail/gpt4o-refined.trial1.json.gz", "tau2-retail/gpt4o-refined.trial2.json.gz"],
    ["agentdojo-drift/dailylife.none.jsonl.gz", "agentdojo-drift/dailylife.important_instructions.jsonl.gz"],
  ])("%s against %s", async (baseline, candidate) => {
    const corpora = `${sharedFolder}corpora/`;
    const { code, out } = await diff([corpora + baseline, corpora + candidate]);
    expect(code).toBe(0);
    expect(out).toContain("First divergence: ");
    expect(out).toMatch(/traces paired by (scenario|task variant)/);
    const wide = out.split("\n").filter((line) => [...line].length > 80 && !line.includes("Next:"));
    expect(wide).toEqual([]);
  });
});
