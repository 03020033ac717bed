/** Several threads find what one finds: the same results in the same order, the same first error. The threads are the built ones. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkReduction } from "../../src/load/check-files.ts";
import { cohortReduction } from "../../src/load/load-cohort.ts";
import { loadPolicies } from "../../src/load/load-policy.ts";
import { fingerprintReduction, runReduction } from "../../src/load/reduce-runs.ts";
import { trendReduction } from "../../src/load/reduce-trend.ts";
import { type ReduceOptions, reduceTraces } from "../../src/load/threads/reduce-traces.ts";
import type { Reduction } from "../../src/load/threads/reduction.ts";
import { listFixtures } from "../fixtures.ts";
import { runSpoor, temporaryFolder } from "./run-spoor.ts";

const IN_THREADS = { threads: 2, threadsFrom: 0 };

async function reduced<S, R>(
  paths: readonly string[],
  reduction: Reduction<S, R>,
  settings: S,
  options: ReduceOptions,
) {
  const results: R[] = [];
  const { join: joined } = reduction;
  for await (const one of reduceTraces(paths, reduction, settings, options)) results.push(one);
  return joined === undefined || results.length === 0 ? results : [joined(results)];
}

const fixtures = listFixtures().map(({ path }) => path);

describe("files of every format", () => {
  const policy = () => {
    const { sources } = loadPolicies(["spoor:refunds", "spoor:prompt-injection"], { cwd: process.cwd() });
    return { sources, today: "2026-01-01" };
  };
  it.each<[string, Reduction<never, unknown>, () => unknown]>([
    ["fingerprints", fingerprintReduction, () => ({ mode: "sequence" })],
    ["runs of one agent", runReduction, () => ({ mode: "structural", agent: "support" })],
    ["a trend", trendReduction, () => ({})],
    ["a cohort", cohortReduction, () => ({ side: "baseline" })],
    ["a check", checkReduction, policy],
  ])("%s", async (_name, reduction, settings) => {
    const both = [];
    for (const options of [{}, IN_THREADS])
      both.push(
        await reduced(fixtures, reduction as Reduction<unknown, unknown>, settings(), { ...options, lenient: true }),
      );
    expect(both[0]!.length).toBeGreaterThan(0);
    expect(both[1]).toEqual(both[0]);
  });
});

describe("the same file named twice", () => {
  it("is two runs with keys of their own", async () => {
    const [first, second] = fixtures as [string, string];
    const paths = [first, second, first];
    const one = await reduced(paths, runReduction, {}, { lenient: true });
    const two = await reduced(paths, runReduction, {}, { ...IN_THREADS, lenient: true });
    expect(two).toEqual(one);
    expect(JSON.stringify(two)).toContain("~2");
  });
});

describe("the first file that cannot be read", () => {
  it.each<[string, string]>([
    ["is broken", '{"version":"0.1","kind":"chat_response"\n{}\n'],
    ["is empty", ""],
    ["is of no format", '{"hello":1}\n'],
  ])("%s: the same error", async (_name, content) => {
    const folder = temporaryFolder();
    const line = `${JSON.stringify({ version: "0.1", id: "1", kind: "chat_response", ts: "2026-01-01T00:00:00Z", payload: { model: "m", content: [{ type: "text", text: "x".repeat(90_000) }] } })}\n`;
    for (let index = 0; index < 20; index++) writeFileSync(join(folder, `${10 + index}.agentlog`), line);
    for (const name of ["17b.agentlog", "27b.agentlog"]) writeFileSync(join(folder, name), content);
    const errors = [];
    for (const options of [{}, IN_THREADS])
      errors.push(await reduced([folder], runReduction, {}, options).catch((error: unknown) => error));
    expect(errors[0]).toMatchObject({ name: "SpoorError", message: expect.stringContaining("17b.agentlog") });
    expect({ ...(errors[1] as Error), message: (errors[1] as Error).message }).toEqual({
      ...(errors[0] as Error),
      message: (errors[0] as Error).message,
    });
  });
});

describe("SPOOR_THREADS", () => {
  it("that is no number is an error of use", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "a.json"), "[]");
    for (const wrong of ["0", "two"]) {
      const run = await runSpoor(["fingerprint", folder], { env: { SPOOR_THREADS: wrong } });
      expect(run.code).toBe(2);
      expect(run.stderr).toContain(`SPOOR_THREADS is "${wrong}"`);
    }
  });

  it("changes nothing that a command prints", async () => {
    const folder = temporaryFolder();
    const turn = (text: string) =>
      `${JSON.stringify({
        version: "0.1",
        id: text.slice(0, 9),
        kind: "chat_response",
        ts: "2026-01-01T00:00:00Z",
        payload: {
          model: "m",
          content: [
            { type: "text", text },
            { type: "tool_use", id: "1", name: text.length % 2 ? "pay" : "ask", input: {} },
          ],
        },
      })}\n`;
    for (let index = 0; index < 30; index++)
      writeFileSync(join(folder, `${10 + index}.agentlog`), turn("x".repeat(500_000 + index)));
    const policy = join(folder, "policy.yaml");
    writeFileSync(policy, "rules:\n  - { id: no-pay, kind: no_call, params: { tool: pay } }\n");
    const args = ["check", folder, "--policy", policy, "--format", "json"];
    const [one, two] = await Promise.all(
      ["1", "2"].map((threads) => runSpoor(args, { env: { SPOOR_THREADS: threads } })),
    );
    expect(one!.code).toBe(1);
    expect(two).toEqual(one);
  });
});
