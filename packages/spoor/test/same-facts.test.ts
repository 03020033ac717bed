/**
 * One fact, one number, one word: what `spoor diff` and `spoor gate` say of the same two sides, in every format. The figures come from the
 * JSON report; each surface must say them, and none may say another.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Json } from "@spoor/core";
import type { DiffReport } from "@spoor/core/internal/diff/diff-report";
import { firstPlace } from "@spoor/core/internal/diff/first-place";
import type { ComparisonView } from "@spoor/core/internal/gate/comparison-view";
import type { GateReport } from "@spoor/core/internal/gate/gate-report";
import { describe, expect, it } from "vitest";
import { recordsOf, type TurnSpec } from "../../core/test/build.ts";
import { onShared, sharedExists, sharedFolder } from "../../core/test/shared.ts";
import { runInMemory } from "../src/cli/run-in-memory.ts";
import { writeAgentlog } from "../src/formats/agentlog.ts";
import { temporaryFolder } from "./e2e/run-spoor.ts";

const refund = fileURLToPath(new URL("../../../examples/refund/", import.meta.url));

interface Surfaces<R> {
  readonly code: number;
  readonly report: R;
  /** What people read, white space folded. */
  readonly terminal: string;
  readonly markdown: string;
  readonly html: string;
  /** The page's own data. */
  readonly view: ComparisonView;
  readonly next: string;
}

async function surfaces<R>(words: readonly string[]): Promise<Surfaces<R>> {
  const folder = temporaryFolder();
  const file = (name: string) => join(folder, name);
  const { code, out } = await runInMemory([
    ...words,
    ...["r.json", "r.md", "r.html"].flatMap((name) => ["-o", file(name)]),
  ]);
  const html = readFileSync(file("r.html"), "utf8");
  const data = /<script type="application\/json"[^>]*>([\s\S]*?)<\/script>/.exec(html)?.[1];
  return {
    code,
    report: JSON.parse(readFileSync(file("r.json"), "utf8")) as R,
    terminal: fold(out),
    markdown: fold(readFileSync(file("r.md"), "utf8").replace(/[`\\]/g, "")),
    html: fold(unescapeHtml(html.replace(/<script[\s\S]*?<\/script>/g, "").replace(/<[^>]+>/g, ""))),
    view: JSON.parse(data ?? "null") as ComparisonView,
    next: / Next: (spoor show .*)/.exec(out)?.[1] ?? "",
  };
}

function fold(text: string): string {
  return text.replace(/\s+/g, " ");
}

function unescapeHtml(text: string): string {
  const names: Record<string, string> = { lt: "<", gt: ">", quot: '"', "#39": "'", amp: "&" };
  return text.replace(/&(lt|gt|quot|#39|amp);/g, (_all, name: string) => names[name]!);
}

async function bothCommands(baseline: string, candidate: string, noun: string) {
  const folder = temporaryFolder();
  const config = join(folder, "spoor.config.yaml");
  const path = (side: string) => JSON.stringify(side);
  writeFileSync(
    config,
    `noun: ${noun}\ntraces: ${path(candidate)}\ndiff: { baseline: ${path(baseline)}, failOn: severe }\ncohort: { use: never }\n`,
  );
  return {
    diff: await surfaces<DiffReport>(["diff", baseline, candidate, "--noun", noun, "--fail-on", "severe"]),
    gate: await surfaces<GateReport>(["gate", "--config", config]),
  };
}

/** Everything that both commands say in all formats. */
function expectSameFacts({ diff, gate }: Awaited<ReturnType<typeof bothCommands>>, noun: string): void {
  const { report } = diff;
  const own = gate.report.reports.diff!;
  expect(own.structure).toEqual(report.structure);
  expect(own.firstDivergence).toEqual(report.firstDivergence);
  expect(own.rows).toEqual(report.rows);
  const withoutPaths = (tools: DiffReport["newTools"]) =>
    tools.map((one) => ({ ...one, places: one.places.map(({ name, turnIndex }) => ({ name, turnIndex })) }));
  expect(withoutPaths(own.newTools)).toEqual(withoutPaths(report.newTools));
  expect(own.verdict).toEqual(report.verdict);

  const texts = [diff.terminal, diff.markdown, diff.html, gate.terminal, gate.markdown, gate.html];
  const { changed, turns } = report.structure;
  const share = `${changed.toLocaleString("en")} of ${turns.toLocaleString("en")}`;
  for (const text of texts) expect(text).toContain(share);

  // Where it begins: one trace, one turn.
  const first = firstPlace(report)!;
  const turn = `turn ${first.turnIndex + 1}`;
  const place = report.traces.length > 1 ? `${first.name}, ${turn}` : turn;
  const { kind, baselineTurn, candidateTurn } = report.firstDivergence!;
  expect(baselineTurn).toBe(candidateTurn);
  expect(diff.terminal).toMatch(
    new RegExp(`First divergence: ${quote(place)} of the (baseline|candidate) \\(${kind}\\)`),
  );
  for (const { markdown } of [diff, gate]) expect(markdown).toContain(`side by side: ${first.name}, ${turn} of the`);
  for (const text of [gate.terminal, gate.markdown, gate.html]) expect(text).toContain(`${first.name} ${turn}`);
  for (const { next } of [diff, gate]) expect(next).toMatch(new RegExp(`--turn ${first.turnIndex + 1}( |$)`));
  for (const { view } of [diff, gate]) expect(view.traces[view.first]!.name).toBe(first.name);

  // Kinds, by their words.
  for (const [word, amount] of Object.entries(report.divergenceKinds))
    for (const text of [diff.terminal, diff.markdown, diff.html])
      if (amount > 0) expect(text).toContain(`${amount.toLocaleString("en")} ${word} (`);

  // The noun of the configuration, never another beside it.
  for (const text of texts) expect(text).not.toMatch(/\d traces? (paired|more|no longer|with)|of \d+ traces?\b/);
  if (report.traces.length > 1) expect(diff.terminal).toContain(`${report.traces.length} ${noun}s paired by`);

  // New tools, with their first place.
  for (const { tool, places } of report.newTools)
    for (const text of texts) {
      expect(text).toContain(tool);
      expect(text).toContain(places[0]!.name);
    }

  // Lines of the prompt.
  const { added, removed } = report.goingIn.system;
  for (const line of [...added.slice(0, 5), ...removed.slice(0, 5)])
    for (const text of texts) expect(text).toContain(fold(line.slice(0, 100).trim()));

  // What first differed going in: the same fact for both, and its values in every text.
  const { difference } = report.firstDivergence!.goingIn;
  for (const text of texts) {
    expect(text).toMatch(/first difference going in|nothing recorded going in differs/i);
    if (difference === null) continue;
    for (const value of [
      ...("baseline" in difference ? [difference.baseline] : []),
      ...("candidate" in difference ? [difference.candidate] : []),
    ])
      if (typeof value === "string") expect(text).toContain(fold(value.slice(0, 100).trim()));
    if ("tool" in difference) expect(text).toContain(difference.tool);
    if (difference.code === "system_line") expect(text).toContain(`line ${difference.line} of the system prompt`);
  }
  for (const { view } of [diff, gate]) expect(view.traces[view.first]!.goingIn).toMatch(/going in/);

  // Better only where the interval lies on one side of zero, and amounts that differ look different.
  for (const row of report.rows) {
    if (row.direction === "better") expect(row.ci95Low * row.ci95High).toBeGreaterThan(0);
    const shown = new RegExp(
      `\\| ${row.axis} \\| [^|]+ \\| ([^|]+) \\| ([^|]+) \\| [^|]* \\| (minor|moderate|SEVERE|better|unclear)`,
    );
    const [, before, now] = shown.exec(diff.markdown) ?? [];
    if (before !== undefined) expect(before).not.toBe(now);
  }

  // The mark says what the exit code says.
  for (const { code, terminal } of [diff, gate]) expect(terminal[0]).toBe(code === 1 ? "✗" : code === 2 ? "?" : "!");
  expect(diff.code).toBe(gate.code);
}

function quote(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

describe("the demo", () => {
  it("says the same everywhere", async () => {
    const both = await bothCommands(`${refund}baseline`, `${refund}candidate`, "ticket");
    expectSameFacts(both, "ticket");
    for (const text of [both.diff.terminal, both.diff.markdown]) expect(text).toContain("refund.amount 25 → 50");
    for (const { view } of [both.diff, both.gate]) expect(JSON.stringify(view)).toContain('"amount":89');
    for (const text of [both.diff.terminal, both.diff.markdown, both.gate.markdown, both.gate.html])
      expect(text).not.toMatch(/\b(40|89|25|50)\.00\b/);
  });
});

describe("runs made up for one fact each", () => {
  const turn = (name: string, id = 1): TurnSpec => ({ calls: [{ name, input: { id } }] });
  const told = (name: string, output: Json): TurnSpec => ({ calls: [{ name, input: { id: 1 }, output }] });
  const long: readonly TurnSpec[] = Array.from({ length: 13 }, (_, index) => turn(`get_${index}`));
  it.each([
    { name: "a new tool", after: [...long.slice(0, 7), turn("delete_database"), ...long.slice(7)], code: 1 },
    { name: "a dropped turn", after: [...long.slice(0, 7), ...long.slice(8)], code: 0 },
    { name: "a dropped last turn", after: long.slice(0, 12), code: 0 },
    // Two of thirteen turns are above the 0.15 from which on calls that differ are severe.
    { name: "another order", after: [long[1]!, long[0]!, ...long.slice(2)], code: 1 },
    { name: "another value", after: long.map((one, index) => (index === 4 ? turn("get_4", 2) : one)), code: 0 },
    {
      name: "another prompt",
      after: [...long.slice(0, 12), turn("get_x")],
      code: 0,
      prompts: ["Be kind.\nAsk.", "Be quick.\nAsk."],
    },
    {
      name: "another result",
      before: long.map((one, index) => (index === 3 ? told("get_3", { price: 40 }) : one)),
      after: long.map((one, index) =>
        index === 3 ? told("get_3", { price: 89 }) : index === 4 ? turn("get_4", 2) : one,
      ),
      code: 0,
    },
    {
      name: "another thing that the user said",
      before: long.map((one, index) => (index === 0 ? { ...one, user: "Book a room" } : one)),
      after: long.map((one, index) =>
        index === 0 ? { ...one, user: "Book two rooms" } : index === 4 ? turn("get_4", 2) : one,
      ),
      code: 0,
    },
  ])("$name", async ({ before = long, after, code, prompts }) => {
    const folder = temporaryFolder();
    const write = (name: string, turns: readonly TurnSpec[], system: string | undefined) => {
      const records = recordsOf(turns).map((record) =>
        system === undefined || record.kind !== "chat_request"
          ? record
          : { ...record, payload: { model: "m", messages: [{ role: "system", content: system }] } },
      );
      writeFileSync(join(folder, name), writeAgentlog(records));
      return join(folder, name);
    };
    const paths = [write("a.agentlog", before, prompts?.[0]), write("b.agentlog", after, prompts?.[1])] as const;
    const both = await bothCommands(...paths, "ticket");
    expectSameFacts(both, "ticket");
    expect(both.diff.code).toBe(code);
  });
});

describe.skipIf(!sharedExists)(onShared("real pairs"), () => {
  it.each([
    ["tau-retail/gpt-4.1.json.gz", "tau-retail/gpt-4.1-mini.json.gz"],
    ["tau-retail/gemini-2.0-flash.run1.json.gz", "tau-retail/gemini-2.0-flash.run3.json.gz"],
    ["tau2-retail/gpt4o-refined.trial1.json.gz", "tau2-retail/gpt5mini-refined.trial1.json.gz"],
    ["agentdojo-drift/dailylife.none.jsonl.gz", "agentdojo-drift/dailylife.important_instructions.jsonl.gz"],
  ])("%s against %s", async (baseline, candidate) => {
    const corpora = `${sharedFolder}corpora/`;
    expectSameFacts(await bothCommands(corpora + baseline, corpora + candidate, "task"), "task");
  });
});
