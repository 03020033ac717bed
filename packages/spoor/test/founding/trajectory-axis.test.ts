/** The text on the trajectory axis, statement by statement: numbers from the library, what people read from the built command line. */
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { diffTraces } from "@spoor/core";
import { callToken } from "@spoor/core/internal/diff/call-token";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CallSpec, recordsOf, type TurnSpec, traceOf } from "../../../core/test/build.ts";
import { writeAgentlog } from "../../src/formats/agentlog.ts";
import { runSpoor, type SpoorRun } from "../e2e/run-spoor.ts";
import { describeFounding, foundingLines } from "./founding-text.ts";

const folder = mkdtempSync(join(tmpdir(), "spoor-founding-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const calling = (...calls: (string | CallSpec)[]): TurnSpec => ({ text: "Working on it.", calls });
const word = (letters: string) => [calling(...letters)];
const remove = (id: string): TurnSpec[] => [calling({ name: "delete_user", input: { id } })];
const rowOf = (axis: string, baseline: TurnSpec[], candidate: TurnSpec[]) =>
  diffTraces(traceOf(baseline), traceOf(candidate)).rows.find((row) => row.axis === axis)!;

describeFounding("the text on the trajectory axis", () => {
  it("is the text these statements are from", () => {
    expect(foundingLines("000", 2, 3)).toContain("tool-call trajectory divergence");
  });

  describe("line 3: tokens", () => {
    it("hold the name, the sorted keys and 16 hex digits of SHA-256 over canonical JSON", () => {
      const digest = createHash("sha256").update('{"id":"alice"}').digest("hex").slice(0, 16);
      expect(callToken({ name: "delete_user", input: { id: "alice" } })).toBe(`delete_user(id|${digest})`);
      expect(callToken({ name: "s", input: { b: 1, a: 2 } })).toMatch(/^s\(a,b\|[0-9a-f]{16}\)$/);
    });
    it("do not depend on the order of keys", () => {
      const one = [calling({ name: "a", input: { x: 1, y: 2 } })];
      expect(rowOf("trajectory", one, [calling({ name: "a", input: { y: 2, x: 1 } })]).candidate).toBe(0);
    });
  });

  describe("line 3: Levenshtein distance over the longer sequence", () => {
    // By hand: edits over the longer length.
    it.each([
      ["abc", "acb", 2 / 3],
      ["abc", "ab", 1 / 3],
      ["abc", "abcd", 1 / 4],
      ["", "abc", 1],
      ["", "", 0],
      ["abc", "abc", 0],
    ])("%j to %j is %d", (baseline, candidate, expected) => {
      expect(rowOf("trajectory", word(baseline), word(candidate)).candidate).toBeCloseTo(expected, 12);
    });
  });

  describe("lines 17 to 20: what it catches", () => {
    const loop = [calling("a"), calling("b"), calling("c"), { text: "Done." }];
    it.each<[string, TurnSpec[], TurnSpec[]]>([
      ["a tool added", loop, [calling("a"), calling("b"), calling("c"), calling("issue_refund"), { text: "Done." }]],
      ["a tool dropped", loop, [calling("a"), { text: "Done." }]],
      ["tools reordered", loop, [calling("b"), calling("a"), calling("c"), { text: "Done." }]],
      [
        "argument keys added",
        [calling({ name: "a", input: { x: 1 } })],
        [calling({ name: "a", input: { x: 1, y: 2 } })],
      ],
      [
        "argument keys dropped",
        [calling({ name: "a", input: { x: 1, y: 2 } })],
        [calling({ name: "a", input: { x: 1 } })],
      ],
      ["argument values changed", remove("alice"), remove("bob")],
    ])("%s", (_name, baseline, candidate) => {
      const result = diffTraces(traceOf(baseline), traceOf(candidate));
      expect(result.rows.find((row) => row.axis === "trajectory")!.candidate).toBeGreaterThan(0);
      expect(result.verdict.code).not.toBe("unchanged");
    });
  });

  it("lines 22 to 24: response text is left to the semantic axis", () => {
    const [before, after] = [[{ text: "The parcel comes tomorrow." }], [{ text: "Bananas grow in warm lands." }]];
    expect(rowOf("trajectory", before, after)).toMatchObject({ candidate: 0, severity: "none" });
    expect(rowOf("semantic", before, after).severity).toBe("severe");
  });

  describe("line 30: the exact turn, and its kind", () => {
    const sixty = Array.from({ length: 60 }, (_, index) => `word${index}`);
    const reworded = sixty.map((one, index) => (index === 30 ? "other" : one));
    it.each<[string, TurnSpec[], TurnSpec[]]>([
      ["structural", [calling("a"), calling("b")], [calling("a"), calling("z")]],
      ["decision", [calling("a"), ...remove("alice")], [calling("a"), ...remove("bob")]],
      ["style", [calling("a"), { text: sixty.join(" ") }], [calling("a"), { text: reworded.join(" ") }]],
    ])("%s", (kind, baseline, candidate) => {
      const { traces } = diffTraces(traceOf(baseline), traceOf(candidate));
      expect(traces[0]!.divergences[0]).toMatchObject({ kind, baselineTurn: 1, candidateTurn: 1 });
    });
  });
});

describeFounding("the trajectory axis as people read it", () => {
  const run: Record<string, SpoorRun> = {};
  beforeAll(async () => {
    const write = (name: string, turns: TurnSpec[]) =>
      writeFileSync(join(folder, `${name}.agentlog`), writeAgentlog(recordsOf(turns)));
    write("alice", remove("alice"));
    write("bob", remove("bob"));
    write("unsafe", [calling("refund"), calling("execute_sql"), calling("drop_table")]);
    writeFileSync(
      join(folder, "policy.yaml"),
      `- { id: verify-first, kind: must_call_before, params: { first: verify, second: refund } }
- { id: preview-first, kind: must_call_before, params: { first: preview_sql, second: execute_sql } }
- { id: no-drop, kind: no_call, params: { tool: drop_table } }
- { id: formula, kind: ltl_formula, params: { formula: '!tool_call:refund W tool_call:verify' } }
`,
    );
    const [diff, check] = await Promise.all([
      runSpoor(["diff", "alice.agentlog", "bob.agentlog", "--fail-on", "severe"], { cwd: folder }),
      runSpoor(["check", "unsafe.agentlog", "--policy", "policy.yaml"], { cwd: folder }),
    ]);
    Object.assign(run, { diff, check });
  });

  it("lines 4 to 7: delete_user(alice) and delete_user(bob) differ", () => {
    expect(run["diff"]!.stdout).toContain("delete_user is now called with another id");
    expect(run["diff"]!.stdout).toMatch(/trajectory .*0\.00\s+1\.00/);
    expect(run["diff"]!.code).toBe(1);
  });
  it.each([
    ["verify-first", "“verify before refund”"],
    ["preview-first", "“no execute_sql without preview”"],
    ["no-drop", "no_call"],
    ["formula", "the temporal checker"],
  ])("lines 25 to 28: %s, %s, is the policy's", (id) => {
    expect(run["check"]!.stdout).toMatch(new RegExp(`✗ error +${id}`));
    expect(run["check"]!.code).toBe(1);
  });
});
