import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TraceRecord } from "@spoor/core";
import { expect, it } from "vitest";
import { type CallSpec, recordsOf } from "../../../core/test/build.ts";
import { runSpoor } from "./run-spoor.ts";

type Served = "exact" | "stale" | "refused" | undefined;

/** A recording of these calls, one a turn, each served as said. */
function recording(scenario: string, calls: readonly (readonly [string, Served])[], model = false): string {
  const specs = calls.map(
    ([name, served]): CallSpec => ({ name, input: { id: 1 }, output: "x", failed: served === "refused" }),
  );
  const replayed = calls.some(([, served]) => served !== undefined);
  const records = recordsOf(
    specs.map((call, index) => ({ user: `step ${index}`, calls: [call], ...(model ? {} : { latencyMs: 700 }) })),
    {
      sdk: { name: "test", version: "0" },
      scenario_id: scenario,
      ...(replayed ? { replayed: { model, tools: true } } : {}),
    },
  );
  let result = -1;
  const lines = records.map((record, index): TraceRecord => {
    if (record.kind === "tool_result") result++;
    const served = record.kind === "tool_result" ? calls[result]![1] : undefined;
    const meta =
      served === undefined
        ? {}
        : served === "exact"
          ? { evidence: "replayed" }
          : { evidence: "stand_in", stand_in: served };
    return { version: "0.1", id: `r${index}`, ts: "2026-11-15T04:00:00Z", parent: null, ...record, meta };
  });
  return `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`;
}

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "spoor-off-path-"));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

const KNOWN = [
  ["get_order", "exact"],
  ["get_user", "exact"],
  ["send_note", "exact"],
] as const;
const LEFT = [
  ["get_order", "stale"],
  ["get_user", "exact"],
  ["cancel_order", "refused"],
] as const;

it("is shown where it begins, with how each call was served", async () => {
  const cwd = folderWith({ "a.agentlog": recording("a", LEFT) });
  const { stdout } = await runSpoor(["show", "a.agentlog"], { cwd });
  expect(stdout).toContain("off the recorded path from turn 2");
  expect(stdout).toMatch(/get_order .*stale: x/);
  expect(stdout).toMatch(/cancel_order .*refused/);
  expect(stdout).toContain("2 turns off the recorded path");
  const json = JSON.parse((await runSpoor(["show", "a.agentlog", "--format", "json"], { cwd })).stdout);
  expect(json.traces[0]).toMatchObject({ replayed: { model: false, tools: true }, offPathFrom: 1 });
  expect(json.traces[0].timeline[0].toolCalls[0]).toMatchObject({ evidence: "stand_in", standIn: "stale" });
});

it("ends the sentences of a check, and leaves a rule that saw nothing else without a verdict", async () => {
  const policy = `rules:
  - { id: no-cancel, kind: no_call, params: { tool: cancel_order }, severity: error }
  - { id: no-order, kind: no_call, params: { tool: get_order }, severity: error }
`;
  const cwd = folderWith({
    "a.agentlog": recording("a", [...LEFT, ["get_order", "exact"]]),
    "policy.yaml": policy,
  });
  const { stdout, code } = await runSpoor(["check", "a.agentlog", "--policy", "policy.yaml"], { cwd });
  expect(code).toBe(2);
  expect(stdout).toMatch(/off path\s+no-cancel/);
  expect(stdout.replaceAll(/\s+/g, " ")).toContain(
    "not evaluated: all its evidence lies off the recorded path, from turn 2 on: turn 3,",
  );
  expect(stdout.replaceAll(/\s+/g, " ")).toContain("turn 4 get_order(id 1) (off the recorded path from turn 2)");
});

it("ends the sentences of a diff, whose reply times are no data", async () => {
  const cwd = folderWith({
    "base/a.agentlog": recording("a", KNOWN, true),
    "cand/a.agentlog": recording("a", LEFT, true),
  });
  const { stdout } = await runSpoor(["diff", "base", "cand"], { cwd });
  expect(stdout.replaceAll(/\s+/g, " ")).toContain("(off the recorded path from turn 2)");
  expect(stdout).toContain("no data: the answers were replayed");
  const json = JSON.parse((await runSpoor(["diff", "base", "cand", "--format", "json"], { cwd })).stdout);
  expect(json.traces[0].candidate.offPathFrom).toBe(1);
  await runSpoor(["diff", "base", "cand", "-o", "report.html"], { cwd });
  expect(readFileSync(join(cwd, "report.html"), "utf8")).toContain("(off the recorded path from turn 2)");
});

it("is a share per side of a cohort, and live runs are not compared with replayed ones", async () => {
  const scenarios = Array.from({ length: 8 }, (_, index) => `s${index}`);
  const files = (side: string, calls: readonly (readonly [string, Served])[]) =>
    scenarios.flatMap((scenario) =>
      [1, 2].map((run) => [`${side}/${scenario}.run${run}.agentlog`, recording(scenario, calls)] as const),
    );
  const live = KNOWN.map(([name]) => [name, undefined] as const);
  const stale = KNOWN.map(([name, served], index) => [name, index === 1 ? "stale" : served] as const);
  const cwd = folderWith(
    Object.fromEntries([...files("known", KNOWN), ...files("stale", stale), ...files("live", live)]),
  );
  const { stdout } = await runSpoor(["cohort", "known", "stale"], { cwd });
  expect(stdout).toContain("in the recorded world");
  expect(stdout.replaceAll(/\s+/g, " ")).toContain(
    "Off the recorded path: 0 % of the baseline's turns, 33 % of the candidate's.",
  );
  const refused = await runSpoor(["cohort", "live", "stale"], { cwd });
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain("The runs were made in different worlds: live ones, ones with tools replayed.");
});

it("is said by the gate and by a comparison with a baseline", async () => {
  const config = { agent: "support", traces: ["cand"], diff: { baseline: "base" } };
  const cwd = folderWith({
    "base/a.agentlog": recording("a", KNOWN),
    "cand/a.agentlog": recording("a", LEFT),
    "spoor.config.json": JSON.stringify(config),
  });
  const gate = await runSpoor(["gate"], { cwd });
  expect(gate.stdout.replaceAll(/\s+/g, " ")).toContain("(off the recorded path from turn 2)");
  await runSpoor(["baseline", "build", "base", "--agent", "support", "--by", "ada", "--baseline", "known"], { cwd });
  const compared = await runSpoor(["baseline", "compare", "cand", "--agent", "support", "--baseline", "known"], {
    cwd,
  });
  expect(compared.stdout.replaceAll(/\s+/g, " ")).toContain("2 turns off the recorded path");
});
