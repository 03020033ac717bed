/** What once went wrong does so no more. */
import { afterAll, describe, expect, it } from "vitest";
import { areas } from "./areas.ts";
import { loadFound } from "./found.ts";
import { areaNamed } from "./load-areas.ts";
import { createWorld } from "./run-inputs.ts";

const world = createWorld();
const home = process.cwd();
afterAll(() => {
  process.chdir(home);
  world.close();
});

describe("kept inputs", () => {
  it.each(loadFound())("$name: $defect", async ({ area, input }) => {
    const open = await world.open(areaNamed({ areas }, area));
    expect(await open.drive(input)).toMatch(/^(result|not_evaluated|[a-z-]+\.[a-z.-]+)$/);
  });
});
