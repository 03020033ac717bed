import { describe, expect, it } from "vitest";
import { type CallSpec, type TurnSpec, traceOf } from "../../test/build.ts";
import {
  acceptVariant,
  addRun,
  applyAdmissionGates,
  type Baseline,
  checkWindow,
  createBaseline,
  intentOf,
  rejectHash,
} from "./baseline.ts";
import { renderBaselineFile } from "./baseline-json.ts";
import { baselineVerdict } from "./baseline-verdict.ts";
import { compareRuns } from "./compare-baseline.ts";
import { parseBaseline } from "./parse-baseline.ts";
import { type RunFacts, runFacts } from "./run-facts.ts";
import { gateComparisons, isBlocking } from "./verdict.ts";

const decision = { by: "ada", why: "new flow", at: "2026-01-02T00:00:00Z" };

function fresh(windowSize = 10, mode: Baseline["mode"] = "sequence"): Baseline {
  return createBaseline({
    agent: "support",
    mode,
    producer: { tool: "spoor", version: "0.0.0", runner: "node 20" },
    now: "2026-01-01T00:00:00Z",
    windowSize,
  });
}

let counter = 0;
/** A run that calls tools one per turn and then replies. */
function run(
  tools: readonly (string | CallSpec)[],
  options: { turn?: Partial<TurnSpec>; metadata?: Record<string, unknown>; name?: string } = {},
): RunFacts {
  const turns = [...tools.map((call) => ({ calls: [call] })), { text: "done" }].map((turn) => ({
    model: "m",
    ...turn,
    ...options.turn,
  }));
  const facts = runFacts(traceOf(turns, { agent: "support", ...options.metadata } as never));
  const name = options.name ?? `run-${counter++}`;
  return { ...facts, key: name, run: name, sample: { ...facts.sample, run: name } };
}

const REFUND = ["lookup_order", "confirm_refund_amount", "issue_refund"];

function refunds(times = 24): Baseline {
  const baseline = fresh();
  for (let index = 0; index < times; index++) addRun(baseline, run(REFUND));
  for (const intent of baseline.intents.values()) intent.name = "refund";
  return baseline;
}

describe("adding runs", () => {
  it("keeps the last runs of the window and counts all", () => {
    const baseline = refunds(24);
    const [intent] = [...baseline.intents.values()];
    expect([intent!.runs, intent!.window.length, baseline.runCount]).toEqual([24, 10, 24]);
  });

  it("learns nothing from failed and empty runs, and adds no run twice", () => {
    const baseline = fresh();
    expect(addRun(baseline, run(REFUND, { metadata: { success: false } }))).toBe("failed_run");
    expect(addRun(baseline, run(REFUND, { metadata: { status: "error" } }))).toBe("failed_run");
    expect(addRun(baseline, runFacts(traceOf([])))).toBe("empty_run");
    expect(addRun(baseline, run(REFUND, { name: "a" }))).toBe("new_intent");
    expect(addRun(baseline, run(REFUND, { name: "a" }))).toBe("already_recorded");
    expect([baseline.runCount, baseline.leftOutRuns]).toEqual([1, 3]);
  });

  it("refuses fingerprints of the other mode", () => {
    const structural = runFacts(traceOf([{ text: "x" }]), { mode: "structural" });
    expect(() => addRun(fresh(), structural)).toThrow(expect.objectContaining({ code: "baseline.not-comparable" }));
  });

  it.each([0, 101, 1.5])("a window of %d is refused", (size) => {
    expect(() => checkWindow(size)).toThrow(expect.objectContaining({ code: "baseline.bad-window" }));
  });

  it("leaves out intents that a gate does not admit, and says why", () => {
    const baseline = refunds(3);
    addRun(baseline, run(["lookup_order"]));
    const leftOut = applyAdmissionGates(baseline, { minRuns: 2 });
    expect(leftOut).toMatchObject([{ runs: 1, why: "seen in 1 of at least 2 runs" }]);
    expect([baseline.intents.size, baseline.runCount]).toEqual([1, 3]);
  });
});

describe("the file", () => {
  it("reads back exactly what was written", () => {
    const baseline = refunds(12);
    addRun(
      baseline,
      run([{ name: "search", input: { q: 1 }, output: { results: [] }, durationMs: 100 }], {
        turn: { latencyMs: 100, usage: { input_tokens: 5, output_tokens: 7 } },
      }),
    );
    const [intent] = baseline.intents.values();
    acceptVariant(baseline, intent!.hash, "0123456789abcdef", decision);
    rejectHash(baseline, "fedcba9876543210", decision);
    baseline.history.push({ ...decision, generation: 1, action: "build", change: "12 runs" });
    const text = renderBaselineFile(baseline);
    const again = parseBaseline(text, { file: "b.json" });
    expect(again).toEqual(baseline);
    expect(renderBaselineFile(again)).toBe(text);
  });

  it("one more run changes a handful of lines", () => {
    const baseline = refunds(12);
    const before = renderBaselineFile(baseline).split("\n");
    addRun(baseline, run(REFUND));
    const after = renderBaselineFile(baseline).split("\n");
    const changed = after.filter((line) => !before.includes(line));
    expect(changed.length).toBeLessThanOrEqual(8);
  });

  it("keeps names, notes and members it does not know, through an update", () => {
    const edited = renderBaselineFile(refunds(2))
      .replace('"fingerprint_hash"', '"note": "by hand",\n      "owner": { "team": "a" },\n      "fingerprint_hash"')
      .replace('"generation"', '"x_team": ["a"],\n  "generation"');
    const baseline = parseBaseline(edited, { file: "b.json" });
    addRun(baseline, run(REFUND));
    const again = parseBaseline(renderBaselineFile(baseline), { file: "b.json" });
    const [intent] = again.intents.values();
    expect(again.extra).toEqual({ x_team: ["a"] });
    expect(intent).toMatchObject({ name: "refund", note: "by hand", extra: { owner: { team: "a" } }, runs: 3 });
  });

  it("hostile names survive", () => {
    const baseline = fresh();
    addRun(baseline, run(["__proto__", "constructor", "a|b", "\\"]));
    expect(parseBaseline(renderBaselineFile(baseline), { file: "b.json" })).toEqual(baseline);
  });

  const text = renderBaselineFile(refunds(2));
  const hash = [...refunds(1).intents.keys()][0]!;
  it.each([
    { name: "cut off", broken: text.slice(0, text.length / 2), code: "baseline.truncated" },
    { name: "empty", broken: "", code: "baseline.truncated" },
    { name: "not JSON in the middle", broken: text.replace('"mode":', '"mode"'), code: "baseline.bad-json" },
    { name: "a list", broken: "[]", code: "baseline.invalid" },
    { name: "no baseline at all", broken: "{}", code: "baseline.invalid" },
    {
      name: "a newer layout",
      broken: text.replace('"schema_version": 1', '"schema_version": 2'),
      code: "baseline.not-comparable",
    },
    {
      name: "another hash version",
      broken: text.replace('"hash_version": "v2"', '"hash_version": "v3"'),
      code: "baseline.not-comparable",
    },
    { name: "an unknown mode", broken: text.replace('"mode": "sequence"', '"mode": "both"'), code: "baseline.invalid" },
    { name: "a window of 0", broken: text.replace('"window_size": 10', '"window_size": 0'), code: "baseline.invalid" },
    {
      name: "a negative time",
      broken: text.replace('"errors": 0', '"latency_ms": -5, "errors": 0'),
      code: "baseline.invalid",
    },
    {
      name: "a count that is text",
      broken: text.replace('"run_count": 2', '"run_count": "2"'),
      code: "baseline.invalid",
    },
    {
      name: "an edited path",
      broken: text.replace("TOOL_CALL:lookup_order|", "TOOL_CALL:other|"),
      code: "baseline.invalid",
    },
    {
      name: "a hash that is none",
      broken: text.replace(`["${hash}"]`, `["${hash}", "xyz"]`),
      code: "baseline.invalid",
    },
    {
      name: "weights that sum to 2",
      broken: text.replace('"tool_jaccard": 0.4', '"tool_jaccard": 1'),
      code: "baseline.invalid",
    },
  ])("refuses a file that is $name", ({ broken, code }) => {
    expect(broken).not.toBe(text);
    expect(() => parseBaseline(broken, { file: "b.json", toolVersion: "0.4.0" })).toThrow(
      expect.objectContaining({ code }),
    );
  });

  it("names every problem of an edited file at once", () => {
    const broken = text
      .replace('"window_size": 10', '"window_size": 0')
      .replace('"mode": "sequence"', '"mode": "both"');
    try {
      parseBaseline(broken, { file: "b.json" });
      expect.unreachable();
    } catch (error) {
      expect((error as { problems: { at: { path: string } }[] }).problems.map((problem) => problem.at.path)).toEqual(
        expect.arrayContaining(["mode", "window_size"]),
      );
    }
  });
});

describe("comparing", () => {
  it("tells a lost tool from a fixed path, with its chance", () => {
    const baseline = refunds(24);
    const compared = compareRuns(baseline, [
      run(["lookup_order", "issue_refund"]),
      run(["lookup_order", "issue_refund"]),
      run(REFUND),
    ]);
    expect(compared.counts).toMatchObject({ match: 1, new: 2 });
    // Hypergeometric: both of the 2 misses among 27 runs fall into these 3: C(3,2) / C(27,2) = 3 / 351.
    expect(compared.lostTools).toMatchObject([
      { tool: "confirm_refund_amount", runs: 2, of: 3, recorded: 24, behaviour: "refund", fixedPath: true },
    ]);
    expect(compared.lostTools[0]!.chance).toBeCloseTo(3 / 351, 10);
    expect(baselineVerdict([compared]).code).toBe("lost_tool");
    const gate = gateComparisons([compared], { failOn: "tools", blocking: true });
    expect(gate).toMatchObject({ tripped: true, reasons: [{ code: "lost_tool", subject: "confirm_refund_amount" }] });
    expect(gateComparisons([compared], { failOn: "tools", blocking: false }).tripped).toBe(false);
    expect(gateComparisons([compared], { failOn: "none", blocking: true }).tripped).toBe(false);
  });

  it("a tool missing from a behaviour seen twice is a matter for review, not a reason to block", () => {
    const compared = compareRuns(refunds(2), [run(["lookup_order", "issue_refund"])]);
    expect(compared.lostTools).toHaveLength(1);
    expect(gateComparisons([compared], { failOn: "tools", blocking: true }).tripped).toBe(false);
    expect(gateComparisons([compared], { failOn: "new", blocking: true }).tripped).toBe(true);
  });

  it("an agent that varies by itself does not lose tools by varying once more", () => {
    const baseline = fresh();
    const noisy = (index: number) =>
      run(["find", "read", ...["a", "b", "c"].filter((_, bit) => index & (1 << bit)), "write"]);
    for (let index = 0; index < 8; index++) addRun(baseline, noisy(index));
    const compared = compareRuns(baseline, [run(["find", "a", "write"])]);
    expect(gateComparisons([compared], { failOn: "tools", blocking: true }).reasons).toEqual([]);
  });

  it("a tool nobody has seen before blocks, and is the headline", () => {
    const compared = compareRuns(refunds(24), [run([...REFUND, "delete_account"]), run(REFUND)]);
    expect(compared.newTools).toEqual([{ tool: "delete_account", runs: 1, of: 2 }]);
    expect(baselineVerdict([compared])).toMatchObject({ code: "new_tool", recorded: 24 });
  });

  it.each([
    { name: "above tools that are gone", runs: [["foo", "bar"]], tool: "bar", others: ["foo"], lost: true },
    {
      name: "one that may change the world first",
      runs: [
        ["get_a", ...REFUND],
        ["get_a", ...REFUND],
        ["wipe_all", ...REFUND],
      ],
      tool: "wipe_all",
      others: ["get_a"],
      lost: false,
    },
    {
      name: "above a loss that chance cannot explain",
      runs: [["foo", "lookup_order"], ...Array(5).fill(["lookup_order"])],
      tool: "foo",
      others: [],
      lost: true,
    },
  ])("a tool nobody has seen leads: $name", ({ runs, tool, others, lost }) => {
    const verdict = baselineVerdict([
      compareRuns(
        refunds(24),
        runs.map((tools) => run(tools)),
      ),
    ]);
    expect(verdict).toMatchObject({ code: "new_tool", tool: { tool }, others: others.map((one) => ({ tool: one })) });
    expect("lost" in verdict).toBe(lost);
  });

  it("a tool nobody has seen leads even where another agent has no baseline", () => {
    const alien = { ...run(REFUND), agent: "other" };
    const comparisons = [compareRuns(undefined, [alien]), compareRuns(refunds(24), [run(["wipe_all"])])];
    expect(baselineVerdict(comparisons).code).toBe("new_tool");
  });

  it("an extra model call is more steps, shown where it was made; another order is an order", () => {
    const turns = (tools: readonly (string | undefined)[]) =>
      runFacts(
        traceOf(
          tools.map((tool) => ({ model: "m", ...(tool === undefined ? { text: "…" } : { calls: [tool] }) })),
          { agent: "support" } as never,
        ),
      );
    const thinking = turns([REFUND[0], undefined, REFUND[1], REFUND[2], undefined]);
    const swapped = turns([REFUND[1], REFUND[0], REFUND[2], undefined]);
    const [more, order] = compareRuns(refunds(24), [thinking, swapped]).runs;
    expect(more).toMatchObject({ status: "structural_match", differsIn: "more_steps" });
    const rows = more!.closest!.alignment!;
    expect(rows.filter(({ side }) => side !== "both")).toEqual([{ segment: "m", side: "now" }]);
    // m lookup m (m) confirm: the model speaks twice before the confirmation.
    expect(rows.findIndex(({ side }) => side === "now")).toBeGreaterThan(
      rows.findIndex(({ segment }) => segment === REFUND[0]),
    );
    expect(rows.findIndex(({ side }) => side === "now")).toBeLessThan(
      rows.findIndex(({ segment }) => segment === REFUND[1]),
    );
    expect(order).toMatchObject({ status: "structural_match", differsIn: "order" });
  });

  it("says that only the model changed when only the model changed", () => {
    const compared = compareRuns(refunds(24), [run(REFUND, { turn: { model: "m2" } })]);
    expect(compared.differences).toEqual([{ what: "model", before: ["m"], now: ["m2"] }]);
    expect(compared.runs[0]).toMatchObject({ status: "variant", closest: { similarity: { composite: 1 } } });
    expect(baselineVerdict([compared])).toMatchObject({ code: "model_swap", before: ["m"], now: ["m2"] });
  });

  it("knows accepted variants and remembers rejections", () => {
    const baseline = refunds(24);
    const other = run(["lookup_order", "issue_refund"]);
    const [intent] = baseline.intents.keys();
    rejectHash(baseline, other.fingerprint.hash, decision);
    const rejected = compareRuns(baseline, [other]);
    expect(rejected.runs[0]!.rejected).toBe(true);
    expect(gateComparisons([rejected], { failOn: "tools", blocking: true }).reasons).toContainEqual({
      code: "rejected_path",
      subject: other.fingerprint.hash,
    });
    acceptVariant(baseline, intent!, other.fingerprint.hash, decision);
    expect(compareRuns(baseline, [other]).runs[0]).toMatchObject({ status: "accepted_variant", rejected: false });
    expect(intentOf(baseline, other.fingerprint.hash)!.hash).toBe(intent);
    expect(() => rejectHash(baseline, other.fingerprint.hash, decision)).toThrow(/known behaviour/);
  });

  it("without a baseline nothing passes, and an empty run is no pass either", () => {
    const none = compareRuns(undefined, [run(REFUND)]);
    expect(none.counts.no_baseline).toBe(1);
    expect(gateComparisons([none], { failOn: "tools", blocking: true }).tripped).toBe(true);
    const empty = compareRuns(refunds(5), [runFacts(traceOf([]))]);
    expect(empty.runs[0]).toMatchObject({ status: "new", stepCount: 0 });
    expect(gateComparisons([empty], { failOn: "tools", blocking: true }).reasons).toContainEqual(
      expect.objectContaining({ code: "empty_run" }),
    );
  });

  it("takes the statistics of the family when the closest behaviour is too rare, and says so", () => {
    const baseline = fresh();
    for (let index = 1; index <= 6; index++)
      addRun(baseline, run(["find", ...Array<string>(index).fill("read"), "write"]));
    const compared = compareRuns(baseline, [run(["find", ...Array<string>(9).fill("read"), "write"])]);
    expect(compared.baseline).toMatchObject({ intents: 6, families: 1 });
    expect(compared.runs[0]!.statisticsFrom).toEqual({ scope: "family", runs: 6 });
  });

  it("a field that every result had and that is gone blocks", () => {
    const baseline = fresh();
    const search = (output: Record<string, number>) => run([{ name: "search", input: {}, output }]);
    for (let index = 0; index < 5; index++) addRun(baseline, search({ total: 1, next: 2 }));
    const compared = compareRuns(baseline, [search({ next: 2, extra: 3 })]);
    expect(compared.lostFields).toEqual([{ tool: "search", field: "total", runs: 1, of: 1 }]);
    expect(gateComparisons([compared], { failOn: "tools", blocking: true }).reasons).toContainEqual({
      code: "lost_field",
      subject: "search.total",
    });
  });
});

it.each([
  [undefined, undefined, true],
  [undefined, false, false],
  [true, false, true],
  [false, true, false],
])("flag %s and file %s: blocking is %s", (flag, file, expected) => expect(isBlocking(flag, file)).toBe(expected));
