import { describe, expect, it } from "vitest";
import { agentvVerdict, statusOfVerdict } from "./agentv-verdict.ts";

describe("AgentV's words", () => {
  it.each([
    ["pass", { status: "passed" }],
    ["borderline", { status: "failed", reason: "borderline" }],
    ["fail", { status: "failed" }],
    ["fail", { status: "failed", reason: "nothing_evaluated" }],
    ["skip", { status: "not_evaluated", reason: "needs_judge" }],
  ] as const)("%s stands for %o", (verdict, scored) => {
    expect(agentvVerdict(scored)).toBe(verdict);
    expect(statusOfVerdict(verdict)).toBe(scored.status);
  });

  it("takes no unknown word for a pass", () => {
    expect(statusOfVerdict("")).toBe("failed");
  });
});
