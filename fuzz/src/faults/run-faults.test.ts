/** A part of `npm run faults`: the two writers that many processes share, killed in the middle of a write. */
import { describe, expect, it } from "vitest";
import { runFaults } from "./run-faults.ts";
import { fileWriters } from "./writers.ts";

describe("a process that is killed in the middle of writing", () => {
  it.each(fileWriters.filter(({ name }) => name === "guard sessions"))("loses nothing of $name", (writer) => {
    const { points, defects } = runFaults(writer, ["kill-half"]);
    expect(points).toBeGreaterThan(10);
    expect(defects).toEqual([]);
  });
});
