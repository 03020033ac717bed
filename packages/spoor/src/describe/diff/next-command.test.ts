import type { DiffReport } from "@spoor/core/internal/diff/diff-report";
import { describe, expect, it } from "vitest";
import { cohortCommand } from "./next-command.ts";

const report = (pairs: number, inputs: { role: string; path: string }[]) =>
  ({ matching: { pairs }, inputs }) as unknown as DiffReport;
const sides = [
  { role: "baseline", path: "runs/main" },
  { role: "candidate", path: "runs/a branch" },
];

describe("the way from a diff of folders to the cohort", () => {
  it("is shown from six pairs of traces on, as a command that can be pasted", () => {
    expect(cohortCommand(report(6, sides))).toBe("spoor cohort runs/main 'runs/a branch'");
    expect(cohortCommand(report(5, sides))).toBeUndefined();
    expect(cohortCommand(report(6, []))).toBeUndefined();
  });
});
