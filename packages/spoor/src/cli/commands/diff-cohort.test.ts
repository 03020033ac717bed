/** `spoor diff` on folders with enough runs leads with what all of them say together. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CohortReport } from "@spoor/core/internal/cohort/cohort-report";
import type { DiffReport } from "@spoor/core/internal/diff/diff-report";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/e2e/run-spoor.ts";
import { confirms, skips, tauRuns } from "../../../test/tau-runs.ts";
import { runInMemory } from "../run-in-memory.ts";

const spoor = (...words: readonly string[]) => runInMemory(words, { stdin: "" });

/** Two folders with a file per repeat; `repeats` runs a side of each of `scenarios` tasks. */
function folders(scenarios: number, repeats: number, before: readonly string[], after: readonly string[]) {
  const folder = temporaryFolder();
  const side = (name: string, tools: readonly string[]) => {
    mkdirSync(join(folder, name));
    for (let repeat = 0; repeat < repeats; repeat++) {
      writeFileSync(join(folder, name, `trial${repeat}.json`), JSON.stringify(tauRuns(scenarios, tools)));
    }
    return join(folder, name);
  };
  return [side("before", before), side("after", after)] as const;
}

describe("enough runs", () => {
  it.each([
    ["six scenarios, one run a side", 6, 1, true],
    ["five scenarios, one run a side: 2 of 32 labellings are 6 %", 5, 1, false],
    ["one scenario, four runs a side: 2 of 70 labellings", 1, 4, true],
    ["one scenario, three runs a side: 2 of 20 labellings", 1, 3, false],
    ["two scenarios, three runs a side", 2, 3, true],
  ])("are those that could show a change: %s", async (_, scenarios, repeats, enough) => {
    const { out } = await spoor("diff", ...folders(scenarios, repeats, confirms, skips), "--format", "json");
    expect((JSON.parse(out) as DiffReport).cohort?.verdict).toBe(enough ? "changed" : undefined);
  });
});

describe("the lead", () => {
  it("is the verdict of spoor cohort on the same runs, with the way there, in every format", async () => {
    const [before, after] = folders(8, 1, confirms, skips);
    const cohort = JSON.parse((await spoor("cohort", before, after, "--format", "json")).out) as CohortReport;
    const lead = (JSON.parse((await spoor("diff", before, after, "--format", "json")).out) as DiffReport).cohort!;
    expect(lead).toMatchObject({ verdict: cohort.verdict, p: cohort.p, relabellings: cohort.relabellings });
    expect(lead.aspects).toEqual(cohort.aspects);
    for (const format of ["terminal", "markdown", "html"]) {
      const { out, code } = await spoor("diff", before, after, "--format", format);
      expect(code).toBe(0);
      const text = out.replaceAll(/<[^>]*>|[`]/g, "").replaceAll(/\s+/g, " ");
      expect(text).toContain("Changed (p = 0.0078)");
      expect(text).toContain(
        "8 and 8 runs together, against the agent's own noise: ".replace("'", format === "html" ? "&#39;" : "'"),
      );
      expect(text.indexOf("Changed (p")).toBeLessThan(text.indexOf("refund now runs without confirm"));
    }
  });

  it("fails only with the gate: exit 0 is a warning", async () => {
    const sides = folders(8, 1, confirms, skips);
    expect((await spoor("diff", ...sides)).out).toMatch(/^! Changed/);
    const gated = await spoor("diff", ...sides, "--fail-on", "severe");
    expect(gated).toMatchObject({ code: 1 });
    expect(gated.out).toMatch(/^✗ Changed/);
  });

  it("of equal runs says how far that reaches: unchanged with twenty, not enough evidence with six", async () => {
    expect((await spoor("diff", ...folders(20, 1, confirms, confirms))).out).toMatch(/^✓ Unchanged on average/);
    expect((await spoor("diff", ...folders(6, 1, confirms, confirms))).out).toMatch(/^! Not enough evidence/);
  });
});
