/** `diff --policy` in every format: each rule that is newly broken or newly kept, with its trace, its turn and what happened there. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DiffReport } from "@spoor/core/internal/diff/diff-report";
import { describe, expect, it } from "vitest";
import { recordsOf, type TurnSpec } from "../../../../core/test/build.ts";
import { temporaryFolder } from "../../../test/e2e/run-spoor.ts";
import { writeAgentlog } from "../../formats/agentlog.ts";
import { runInMemory } from "../run-in-memory.ts";

const POLICY = `rules:
  - { id: confirm-first, kind: must_call_before, params: { first: confirm, second: refund } }
  - { id: no-legacy, kind: no_call, params: { tool: legacy } }
  - { id: no-promise, kind: forbidden_text, severity: warning, params: { text: guarantee } }
  - { id: short, kind: max_turns, severity: warning, params: { limit: 4 } }
`;

interface Run {
  readonly code: number;
  readonly terminal: string;
  readonly markdown: string;
  readonly html: string;
  readonly report: DiffReport;
}

/** Sides as files: name → turns. */
type Side = Readonly<Record<string, readonly TurnSpec[]>>;

async function diff(baseline: Side, candidate: Side, words: readonly string[] = []): Promise<Run> {
  const folder = temporaryFolder();
  for (const [side, runs] of Object.entries({ baseline, candidate })) {
    mkdirSync(join(folder, side));
    for (const [name, turns] of Object.entries(runs))
      writeFileSync(join(folder, side, `${name}.agentlog`), writeAgentlog(recordsOf(turns)));
  }
  writeFileSync(join(folder, "rules.yaml"), POLICY);
  const file = (name: string) => join(folder, name);
  const { code, out, err } = await runInMemory(
    [
      ...["diff", file("baseline"), file("candidate"), "--policy", file("rules.yaml"), ...words],
      ...["r.json", "r.md", "r.html"].flatMap((name) => ["-o", file(name)]),
    ],
    { cwd: folder },
  );
  const fold = (text: string) => text.replace(/\s+/g, " ");
  const read = (name: string) => readFileSync(file(name), "utf8");
  return {
    code,
    terminal: fold(out + err),
    markdown: fold(read("r.md").replace(/[`\\]/g, "")),
    html: fold(
      read("r.html")
        .replace(/<script[\s\S]*?<\/script>/g, "")
        .replace(/<[^>]+>/g, " "),
    ),
    report: JSON.parse(read("r.json")) as DiffReport,
  };
}

const look: TurnSpec = { text: "One moment.", calls: ["look"] };
const confirm: TurnSpec = { text: "Is that right?", calls: ["confirm"] };
const refund: TurnSpec = { text: "Paying.", calls: ["refund"] };
const legacy: TurnSpec = { text: "The old way.", calls: ["legacy"] };
const bye: TurnSpec = { text: "Goodbye." };
const promise: TurnSpec = { text: "Goodbye, and I guarantee it." };

/** What people must be able to read in every format. */
function expectNamed({ terminal, markdown, html }: Run, rule: string, place: string, detail: string): void {
  for (const text of [terminal, markdown, html]) {
    expect(text).toContain(rule);
    expect(text.replace(/ ,/g, ",")).toContain(place);
    expect(text).toContain(detail);
  }
}

describe("what is new and what is gone", () => {
  it("a regression names the candidate's turn, a fix the baseline's", async () => {
    const run = await diff(
      { "ticket-7": [look, legacy, confirm, refund, bye], "ticket-8": [look, confirm, refund, bye] },
      { "ticket-7": [look, confirm, refund, bye], "ticket-8": [look, refund, bye] },
      ["--fail-on", "severe"],
    );
    expect(run.code).toBe(1);
    expect(run.report.policy).toMatchObject({
      regressions: [{ ruleId: "confirm-first", trace: "ticket-8", turnIndex: 1, severity: "severe" }],
      fixes: [
        { ruleId: "no-legacy", trace: "ticket-7", turnIndex: 1, severity: "severe" },
        { ruleId: "short", trace: "ticket-7", severity: "moderate" },
      ],
    });
    expectNamed(run, "confirm-first", "ticket-8, turn 2", "refund was called without confirm before it");
    expectNamed(run, "no-legacy", "ticket-7, turn 2 of the baseline", "legacy");
    expectNamed(run, "short", "ticket-7, the whole trace of the baseline", "5 turns");
    expect(run.terminal).toContain("1 new violation, 0 new warnings, 2 fixed");
    expect(run.terminal).toMatch(/✗ new error confirm-first .* ✓ fixed no-legacy .* ✓ fixed short/);
  });

  it("only warnings are new: no ✗ below the line, one above it, and each is named", async () => {
    const sides = [{ a: [look, confirm, look, bye] }, { a: [look, confirm, look, promise] }] as const;
    const below = await diff(...sides, ["--fail-on", "severe"]);
    expect(below.code).toBe(0);
    expect(below.terminal[0]).toBe("!");
    expect(below.terminal).not.toContain("✗");
    expectNamed(below, "no-promise", "a, turn 4", "guarantee");
    expect(below.terminal).toContain("! new warning no-promise");
    expect(below.terminal).toContain("Next: spoor show");
    const above = await diff(...sides, ["--fail-on", "moderate"]);
    expect(above.code).toBe(1);
    expect(above.terminal).toMatch(/^✗ .*✗ new warning no-promise/);
  });

  it("two violations of one rule are two places, and everything fixed is no regression", async () => {
    const worse = await diff(
      { a: [look, confirm, bye], b: [look, bye] },
      { a: [legacy, legacy, bye], b: [legacy, bye] },
    );
    expect(worse.report.policy!.regressions.map(({ trace, turnIndex }) => [trace, turnIndex])).toEqual([
      ["a", 0],
      ["a", 1],
      ["b", 0],
    ]);
    for (const place of ["a, turn 1", "a, turn 2", "b, turn 1"]) expectNamed(worse, "no-legacy", place, "legacy");
    expect(worse.code).toBe(0);
    expect(worse.terminal[0]).toBe("!");
    const fixed = await diff({ a: [legacy, bye] }, { a: [look, bye] });
    expect(fixed.report.policy).toMatchObject({ regressions: [], fixes: [{ ruleId: "no-legacy", turnIndex: 0 }] });
    expectNamed(fixed, "no-legacy", "turn 1 of the baseline", "legacy");
  });

  it("a run without a partner has nothing old: what it breaks is new", async () => {
    const run = await diff(
      { a: [look, bye], b: [look, confirm, refund] },
      { a: [look, bye], b: [look, confirm, refund], nine: [look, refund] },
      ["--fail-on", "severe"],
    );
    expect(run.code).toBe(1);
    expect(run.report.verdict).toMatchObject({ code: "order_broken", traces: 1, of: 3 });
    expectNamed(run, "confirm-first", "nine, turn 2", "refund was called without confirm before it");
  });
});
