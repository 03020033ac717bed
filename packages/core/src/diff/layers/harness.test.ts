import { describe, expect, it } from "vitest";
import { buildTrace } from "../../trace/build-trace.ts";
import { diffHarness } from "./harness.ts";

describe("events of the harness", () => {
  const events = (...names: [string, string][]) =>
    buildTrace(
      names.map(([name, severity]) => ({ kind: "harness_event", payload: { category: "retry", name, severity } })),
    );

  it("counts what rose and what got worse, the largest change first", () => {
    const changes = diffHarness(
      [events(["timeout", "info"])],
      [events(["timeout", "error"], ["limit", "info"], ["limit", "info"])],
    );
    expect(changes).toMatchObject([
      { name: "limit", countDelta: 2, shift: "regression" },
      { name: "timeout", countDelta: 0, baselineWorst: "info", candidateWorst: "error", shift: "regression" },
    ]);
    expect(diffHarness([events(["timeout", "info"])], [events(["timeout", "info"])])).toEqual([]);
  });

  it("leaves out what a recorder says about itself", () => {
    const payload = { category: "recording", name: "gap", severity: "error" };
    expect(diffHarness([events()], [buildTrace([{ kind: "harness_event", payload }])])).toEqual([]);
  });
});
