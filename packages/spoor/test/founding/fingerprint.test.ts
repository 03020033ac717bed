/** The text on behavioural fingerprints, statement by statement, through the built command line. */
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fingerprintTrace, type Json } from "@spoor/core";
import type { BaselineReport } from "@spoor/core/internal/fingerprint/baseline-report";
import type { RunComparison } from "@spoor/core/internal/fingerprint/comparison";
import type { FingerprintReport } from "@spoor/core/internal/fingerprint/fingerprint-report";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readTraceValue } from "../../src/load/read-trace.ts";
import { runSpoor } from "../e2e/run-spoor.ts";
import { describeFounding, foundingLines } from "./founding-text.ts";

const home = mkdtempSync(join(tmpdir(), "spoor-founding-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

interface StepOptions {
  readonly model?: string;
  /** Members of every step. */
  readonly rest?: Readonly<Record<string, Json>>;
}

/** `L` calls the model, `http:…` and `other:…` do what they say, everything else is a tool; `!` marks one that failed. */
function interactions(path: string, { model = "gpt-4", rest = {} }: StepOptions = {}): Json[] {
  return path.split(" ").map((word, sequence): Json => {
    const step = { sequence, status: word.endsWith("!") ? "error" : "ok", ...rest };
    const name = word.replace(/!$/, "");
    if (name === "L") return { ...step, type: "LLM_CALL", target: model };
    if (name.startsWith("http:")) return { ...step, type: "HTTP_REQUEST", target: name.slice(5) };
    if (name.startsWith("other:")) return { ...step, type: "OTHER", target: name.slice(6) };
    return { ...step, type: "TOOL_CALL", target: name };
  });
}

function write(file: string, steps: readonly Json[], agent = "bot"): void {
  mkdirSync(join(home, file, ".."), { recursive: true });
  writeFileSync(join(home, file), JSON.stringify({ agent_id: agent, run_id: file, interactions: steps }));
}

const grouped = (path: string) =>
  interactions(path).map((step) =>
    (step as { type: string }).type === "TOOL_CALL" ? { ...(step as object), parallel_group: "p" } : step,
  ) as Json[];

async function report<T>(...args: readonly string[]): Promise<T> {
  const { stdout, stderr } = await runSpoor([...args, "--format", "json"], { cwd: home });
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout) as T;
}

const sha = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 16);

describeFounding("the text on behavioural fingerprints", () => {
  describe("what is in a fingerprint", () => {
    let prints: Map<string, FingerprintReport["traces"][number]>;
    let structural: Map<string, FingerprintReport["traces"][number]>;
    beforeAll(async () => {
      write("f/plain.json", interactions("L search summarize"));
      write(
        "f/other-words.json",
        interactions("L search summarize", { rest: { input: { q: "other" }, output: "words" } }),
      );
      write("f/kinds.json", interactions("L search http:GET other:cache"));
      write("f/swapped.json", interactions("L summarize search"));
      write("f/mini.json", interactions("L search summarize", { model: "gpt-4o-mini" }));
      write("f/group-ab.json", grouped("L search summarize"));
      write("f/group-ba.json", grouped("L summarize search"));
      write("f/loop2.json", interactions("L search L search L"));
      write("f/loop5.json", interactions("L search L search L search L search L search L"));
      const [sequence, set] = await Promise.all([
        report<FingerprintReport>("fingerprint", "f"),
        report<FingerprintReport>("fingerprint", "f", "--mode", "structural"),
      ]);
      const byName = ({ traces }: FingerprintReport) =>
        new Map(traces.map((trace) => [trace.key.replace(/^f\/|\.json$/g, ""), trace]));
      prints = byName(sequence);
      structural = byName(set);
    });
    const print = (name: string) => prints.get(name)!;

    it("it captures what was done, not what was said", () => {
      expect(print("other-words").hash).toBe(print("plain").hash);
    });
    it("the four kinds of steps stand in it, with tools, models and endpoints, in order", () => {
      expect(print("kinds").string).toMatch(/^v2\|LLM_CALL:gpt-4\|TOOL_CALL:search\|HTTP_REQUEST:GET.*\|OTHER:cache$/);
    });
    it("so does the number of steps", () => expect(print("plain").stepCount).toBe(3));
    it("the string of the text hashes to the first 16 hex digits of its SHA-256", () => {
      const [, string] = /"(v2\|LLM_CALL:gpt-4\|TOOL_CALL:search\|TOOL_CALL:summarize)\|/.exec(
        foundingLines("003", 13, 13),
      )!;
      expect(print("plain").string).toBe(string);
      expect(print("plain").hash).toBe(sha(string!));
    });
    it("sequence is the default, and order counts in it", () => {
      expect(print("swapped").hash).not.toBe(print("plain").hash);
    });
    it("steps of one parallel group are sorted first", () => {
      expect(print("group-ba").hash).toBe(print("group-ab").hash);
    });
    it("structural is the sorted set of steps: order and number of rounds do not count", () => {
      const hashOf = (name: string) => structural.get(name)!.hash;
      expect(hashOf("swapped")).toBe(hashOf("plain"));
      expect(hashOf("loop5")).toBe(hashOf("loop2"));
      expect(hashOf("loop2")).not.toBe(hashOf("plain"));
    });
    it("another model is another fingerprint", () => expect(print("mini").hash).not.toBe(print("plain").hash));

    it("calls of one AgentV message ten seconds apart keep their order", () => {
      const call = (tool: string, second: string) => ({
        tool,
        timestamp: `2026-01-15T10:30:${second}Z`,
        duration_ms: 45,
      });
      const hashOf = (...calls: Json[]) =>
        fingerprintTrace(readTraceValue({ output_messages: [{ role: "assistant", tool_calls: calls }] })).hash;
      expect(hashOf(call("a", "00"), call("b", "10"))).not.toBe(hashOf(call("b", "00"), call("a", "10")));
    });

    it("the mode comes from the variable or a parameter; a word that is no mode is refused by both", async () => {
      const asked = (mode: string) =>
        runSpoor(["fingerprint", "f/swapped.json", "--format", "json"], {
          cwd: home,
          env: { SPOOLED_FINGERPRINT_MODE: mode },
        });
      const [good, bad] = await Promise.all([asked("structural"), asked("bogus")]);
      expect((JSON.parse(good.stdout) as FingerprintReport).traces[0]!.hash).toBe(structural.get("plain")!.hash);
      expect(bad).toMatchObject({ code: 2, stdout: "" });
      const trace = readTraceValue(["search", "summarize"]);
      expect(fingerprintTrace(trace, { mode: "structural" }).mode).toBe("structural");
      expect(() => fingerprintTrace(trace, { mode: "bogus" as never })).toThrow(
        expect.objectContaining({ code: "fingerprint.unknown-mode" }),
      );
    });
  });

  describe("baselines", () => {
    let comparison: BaselineReport;
    let built: {
      readonly intents: Readonly<Record<string, { readonly [key: string]: Json }>>;
      readonly [key: string]: unknown;
    };
    const known = "L a b c a b c a b L";
    const cases: Readonly<Record<string, Json[]>> = {
      same: interactions(known, { rest: { input: { other: "words" } } }),
      // 3 of 4 tools, 5 of 8 in order, no errors: 0.4 × 0.75 + 0.4 × 0.625 + 0.2 = 0.75.
      variant: interactions("L a b c a b get_d get_d get_d L"),
      // 3 of 4 tools, 4 of 8 in order: 0.70.
      new: interactions("L a b c a get_d get_d get_d get_d L"),
      order: interactions("L b a c a b c a b L"),
      model: interactions(known, { model: "gpt-4o-mini" }),
      dropped: interactions("L a b! L"),
      thinking: interactions("L a b c L a b c a b L"),
      added: interactions("L a b c a b c a b delete_all L"),
      status: interactions("L lookup_status L"),
    };
    const result = (name: string): RunComparison =>
      comparison.agents[0]!.runs.find(({ key }) => key === `now/${name}.json`)!;
    beforeAll(async () => {
      for (let index = 0; index < 6; index++) {
        write(`traces/a${index}.json`, interactions(known, { rest: { latency_ms: 10, output_tokens: 5 } }));
        write(`traces/b${index}.json`, interactions("L lookup_status L", { rest: { latency_ms: 10 } }));
      }
      for (const [name, steps] of Object.entries(cases)) write(`now/${name}.json`, steps);
      const build = await runSpoor(["baseline", "build", "traces"], { cwd: home });
      if (build.code !== 0) throw new Error(build.stderr);
      built = JSON.parse(readFileSync(join(home, "baselines/bot.json"), "utf8"));
      comparison = await report<BaselineReport>("baseline", "compare", "now");
    });

    it("an agent has as many intents as it has paths", () => expect(Object.keys(built.intents)).toHaveLength(2));
    it("statistics are kept per intent", () => {
      for (const intent of Object.values(built.intents))
        expect(Object.keys(intent)).toEqual(expect.arrayContaining(["tool_call_counts", "error_rate"]));
    });
    it("a run is compared with its own intent", () => {
      expect(result("status")).toMatchObject({ status: "match", closest: { path: "lookup_status > reply" } });
      expect(result("same")).toMatchObject({ status: "match" });
    });
    it("overlap of tools, kept order and overlap of errors make a weighted similarity", () => {
      const { similarity } = result("variant").closest!;
      expect(similarity.toolJaccard).toMatchObject({ common: 3, total: 4 });
      expect(similarity.sequenceLcs).toMatchObject({ common: 5, total: 8 });
      // The known runs had no error; this one had one.
      expect(result("dropped").closest!.similarity.errorJaccard).toMatchObject({ common: 0, total: 1 });
      expect(similarity.composite).toBeCloseTo(0.75, 12);
    });
    it("from 75 % on a run is a variant, below it is new", () => {
      expect(result("variant").status).toBe("variant");
      expect(result("new")).toMatchObject({ status: "new" });
      expect(result("new").closest!.similarity.composite).toBeCloseTo(0.7, 12);
    });
    it("tools added are caught, lead and block", () => {
      expect(comparison.verdict).toMatchObject({ code: "new_tool", tool: { tool: "delete_all" } });
      expect(comparison.gate.tripped).toBe(true);
    });
    it("so are another order, another model, steps dropped and extra model calls", () => {
      expect(result("order")).toMatchObject({ status: "structural_match", differsIn: "order" });
      expect(result("model").status).not.toBe("match");
      expect(result("dropped").status).toBe("new");
      expect(result("thinking")).toMatchObject({ status: "structural_match", differsIn: "more_steps" });
      expect(result("thinking").closest!.alignment!.filter(({ side }) => side === "now")).toEqual([
        { segment: "gpt-4", side: "now" },
      ]);
    });

    it("a baseline of another version is refused, not silently compared", async () => {
      writeFileSync(join(home, "old.json"), JSON.stringify({ ...built, hash_version: "v1" }));
      const run = await runSpoor(["baseline", "compare", "now", "--baseline", "old.json"], { cwd: home });
      expect(run.code).toBe(2);
      expect(run.stderr).toContain("v1");
    });

    it("beside evals: an evaluator asks for a known path", async () => {
      writeFileSync(join(home, "path.yaml"), "- {name: path, type: fingerprint, baseline: baselines/bot.json}\n");
      const run = await runSpoor(
        ["score", "now/same.json", "now/dropped.json", "--evaluators", "path.yaml", "--format", "json"],
        { cwd: home },
      );
      const { results } = JSON.parse(run.stdout) as { results: { status: string }[] };
      expect(results.map(({ status }) => status)).toEqual(["passed", "failed"]);
      expect(run.code).toBe(1);
    });
  });

  it("results of a retrieval that shrink are a signal of their own", async () => {
    const found = (count: number) => [
      { sequence: 0, type: "LLM_CALL", target: "gpt-4" },
      {
        sequence: 1,
        type: "TOOL_CALL",
        target: "search_docs",
        status: "ok",
        output: { results: Array(count).fill("x") },
      },
      { sequence: 2, type: "LLM_CALL", target: "gpt-4" },
    ];
    for (let index = 0; index < 6; index++) write(`docs/${index}.json`, found(5), "librarian");
    write("docs-now/empty.json", found(0), "librarian");
    await runSpoor(["baseline", "build", "docs"], { cwd: home });
    const { agents } = await report<BaselineReport>("baseline", "compare", "docs-now");
    expect(agents[0]!.runs[0]!.signals.map(({ name }) => name)).toContain("retrieval_regression");
  });
});
