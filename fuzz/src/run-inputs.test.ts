/** A short part of what `npm run fuzz` does for hours, and that it can be repeated. */
import { afterAll, describe, expect, it } from "vitest";
import { areaOf, areas } from "./areas.ts";
import { areaNamed } from "./load-areas.ts";
import { createWorld, makeInput, runInputs } from "./run-inputs.ts";
import { signatureOf } from "./signature.ts";

const world = createWorld();
const home = process.cwd();
afterAll(() => {
  process.chdir(home);
  world.close();
});

/** Cheap enough for every test run; commands that start programs are left to `npm run fuzz`. */
const QUICK = [
  ...["read", "judge", "parse", "guard-sessions", "lenses", "policies", "results", "hooks", "hook-histories"],
  ...["wires", "otlp", "mcp", "ingest", "archives", "databases", "cassettes", "routes", "service-answers", "carried"],
];

describe("damaged files", () => {
  it.each(QUICK)("%s gives a result or a typed error", async (only) => {
    const defects: string[] = [];
    const seen = new Set<string>();
    const watcher = {
      begin() {},
      end: (_number: number, _area: string, outcome: string) => void seen.add(outcome),
      failed: async ({ number, error }: { number: number; error: unknown }) =>
        void defects.push(`input ${number}: ${signatureOf(error)}`),
    };
    const to =
      {
        read: 400,
        judge: 80,
        "guard-sessions": 100,
        parse: 40,
        wires: 60,
        otlp: 60,
        archives: 60,
        databases: 40,
        cassettes: 40,
        routes: 40,
      }[only] ?? 10;
    await runInputs({ seed: 42, from: 0, to, areaOf: () => areaNamed({ areas }, only) }, watcher, world);
    expect(defects).toEqual([]);
    expect(seen.size).toBeGreaterThan(1);
  });

  it("are the same whenever they are made", async () => {
    const open = await world.open(areaNamed({ areas }, "read"));
    expect(makeInput(open, "read", 7, 12)).toEqual(makeInput(open, "read", 7, 12));
    expect(makeInput(open, "read", 7, 12)).not.toEqual(makeInput(open, "read", 8, 12));
  });

  it("go to every area, each its share of a thousand", () => {
    const counted = new Map<string, number>();
    for (let number = 0; number < 1_000; number++) {
      const { name } = areaOf(number);
      counted.set(name, (counted.get(name) ?? 0) + 1);
    }
    expect(Object.fromEntries(counted)).toEqual(Object.fromEntries(areas.map(({ name, share }) => [name, share])));
  });
});
