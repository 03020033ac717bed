import { describe, expect, it } from "vitest";
import { type CallSpec, type TurnSpec, traceOf } from "../../../test/build.ts";
import { diffTraces } from "../diff-traces.ts";

const calling = (...calls: (string | CallSpec)[]): TurnSpec => ({ text: "Working on it.", calls });
const saying = (text: string): TurnSpec => ({ text });

describe("aligned pairing", () => {
  it("an inserted turn shifts nothing", () => {
    const turns = ["a", "b", "c", "d"].map((name) => ({ ...calling(name), text: `About ${name}.` }));
    const candidate = [turns[0]!, calling("extra"), ...turns.slice(1)];
    const aligned = diffTraces(traceOf(turns), traceOf(candidate));
    expect(aligned).toMatchObject({
      pairCount: 4,
      leftOver: { baseline: 0, candidate: 1 },
      structure: { changed: 1, turns: 5 },
    });
    const byIndex = diffTraces(traceOf(turns), traceOf(candidate), { pairing: "index" });
    expect(byIndex.structure.changed).toBe(4);
  });

  it("a dropped turn among equal ones is the earliest, as a person would say", () => {
    const same = saying("The same again.");
    const result = diffTraces(traceOf([same, same, same]), traceOf([same, same]));
    expect(result.traces[0]!.changes).toEqual([{ baselineTurn: 0, change: "only_baseline" }]);
  });

  it("beyond 300 turns unique turns anchor the alignment", () => {
    const turns = Array.from({ length: 400 }, (_, index) => saying(`Reply number ${index}, about topic ${index * 7}.`));
    const candidate = turns.filter((_, index) => index !== 17 && index !== 350).map((turn) => turn);
    candidate.splice(200, 0, calling("surprise"));
    const [trace] = diffTraces(traceOf(turns), traceOf(candidate)).traces;
    expect(trace!.alignment).toBe("anchored");
    expect(trace!.changes).toEqual([
      { baselineTurn: 17, change: "only_baseline" },
      { candidateTurn: 200, change: "only_candidate" },
      { baselineTurn: 350, change: "only_baseline" },
    ]);
  });

  it("a long stretch without anchors is banded, and says so", () => {
    const turns = Array.from({ length: 320 }, () => saying("Yes."));
    const others = Array.from({ length: 310 }, () => saying("No, thank you."));
    const [trace] = diffTraces(traceOf(turns), traceOf(others)).traces;
    expect(trace!.alignment).toBe("banded");
    expect(trace!.pairCount).toBe(310);
  });
});
