/** What once went wrong does so no more. */
import { afterAll, describe, expect, it } from "vitest";
import { loadFound } from "./found.ts";
import { areaNamed, createWorld } from "./run-inputs.ts";

const world = createWorld();
const home = process.cwd();
afterAll(() => {
  process.chdir(home);
  world.close();
});

describe("kept inputs", () => {
  it.each(loadFound())("$name: $defect", async ({ area, input }) => {
    const open = await world.open(areaNamed(area));
    expect(await open.drive(input)).toMatch(/^(result|not_evaluated|[a-z-]+\.[a-z.-]+)$/);
  });
});
