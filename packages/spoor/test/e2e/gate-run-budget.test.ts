/** Runs that cost something: 45 tokens each, with a price of a dollar a token where a price list says so. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { changeAgent, recordedIn, scriptedProject, spoorIn } from "./scripted-agent.ts";

const SIX = Array.from({ length: 6 }, (_, index) => `ticket-${index}: Refund order A-${index}.`);
const PRICES = JSON.stringify({ "m-1": [1, 1] });
const oneLine = (text: string) => text.replaceAll(/\s+/g, " ");

function priced(run: readonly string[]): string {
  const folder = scriptedProject({ scenarios: SIX, run, config: ["cohort: { use: never }"] });
  const config = join(folder, "spoor.config.yaml");
  writeFileSync(join(folder, "prices.json"), PRICES);
  writeFileSync(
    config,
    readFileSync(config, "utf8").replace("baseline: recordings,", "baseline: recordings, pricing: prices.json,"),
  );
  return folder;
}

describe("a budget", () => {
  it("starts no run that would go over it, and holds when the runs are gone on with", async () => {
    // Each run is three answers of 10 and 5 tokens: $45.
    const folder = priced(["workers: 3", "budget: 140"]);
    const stopped = await spoorIn(folder, ["record", "--baseline"]);
    expect([stopped.code, stopped.stdout]).toEqual([3, ""]);
    const told = oneLine(stopped.stderr);
    expect(told).toContain(
      "$135.00 are spent in 3 runs; another would go over the budget of $140.00. 3 of 6 runs are recorded.",
    );
    expect(told).toContain("spoor record --baseline --resume --budget USD");
    expect(told).toContain("run.budget");
    expect(stopped.stderr).toContain("recorded, 45 tok, $45.00");

    const same = await spoorIn(folder, ["record", "--baseline", "--resume"]);
    expect([same.code, oneLine(same.stderr)]).toEqual([
      3,
      expect.stringContaining("3 of 6 runs are recorded.") as string,
    ]);
    const more = await spoorIn(folder, ["record", "--baseline", "--resume", "--budget", "1000"]);
    expect([more.code, more.stderr]).toEqual([
      0,
      expect.stringContaining("6 runs recorded: 270 tok, $270.00.") as string,
    ]);
    expect(recordedIn(folder)).toHaveLength(6);
  });

  it("counts tokens where nobody knows a price, and never takes an unknown price for nothing", async () => {
    const folder = scriptedProject({ scenarios: SIX, run: ["workers: 4", "budget: { tokens: 100 }"] });
    const tokens = await spoorIn(folder, ["gate", "--run"]);
    expect([tokens.code, oneLine(tokens.stderr)]).toEqual([
      3,
      expect.stringContaining(
        "90 tokens are spent in 2 runs; another would go over the budget of 100 tokens.",
      ) as string,
    ]);
    expect(tokens.stderr).toContain("Not counted: the price of m-1 is not known.");
    const dollars = await spoorIn(folder, ["gate", "--run", "--budget", "5", "--max-tokens", "100000"]);
    expect([dollars.code, oneLine(dollars.stderr)]).toEqual([
      3,
      expect.stringContaining("cannot be kept: nobody has told what m-1 costs. 1 of 6 runs is recorded.") as string,
    ]);
  });

  it("counts what failed runs cost", async () => {
    const folder = priced(["workers: 1", "budget: 100"]);
    const agent = readFileSync(join(folder, "agent.mjs"), "utf8");
    changeAgent(folder, `${agent}\nthrow new Error("at the very end");`);
    const { code, stderr } = await spoorIn(folder, ["gate", "--run"]);
    expect(code).toBe(3);
    expect(oneLine(stderr)).toContain("$90.00 are spent in 2 runs");
    expect(oneLine(stderr)).toContain("2 runs did not happen");
    expect(oneLine(stderr)).toContain("Error: at the very end");
  });
});
