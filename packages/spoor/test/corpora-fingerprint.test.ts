/** Real agents: how many behaviours and families each has, and what changed between trials, prompts and models. */
import { join } from "node:path";
import { blindTrace, buildTrace, readBlindRecords, type Trace, verifyChain } from "@spoor/core";
import { addRun, type Baseline, createBaseline } from "@spoor/core/internal/fingerprint/baseline";
import { renderBaselineFile } from "@spoor/core/internal/fingerprint/baseline-json";
import { compareRuns } from "@spoor/core/internal/fingerprint/compare-baseline";
import { agentFamilies } from "@spoor/core/internal/fingerprint/fingerprint-report";
import { parseBaseline } from "@spoor/core/internal/fingerprint/parse-baseline";
import { runFacts } from "@spoor/core/internal/fingerprint/run-facts";
import { buildTrend, responseVectors } from "@spoor/core/internal/fingerprint/trend";
import { gateComparisons } from "@spoor/core/internal/fingerprint/verdict";
import { describe, expect, it } from "vitest";
import { onShared, sharedExists, sharedFolder } from "../../core/test/shared.ts";
import { loadTraces } from "../src/load/load-traces.ts";

const load = (...files: string[]) => loadTraces(files.map((file) => join(sharedFolder, "corpora", file)));
const factsOf = (traces: readonly Trace[]) => traces.map((trace) => ({ ...runFacts(trace), agent: "agent" }));

function learn(traces: readonly Trace[]): Baseline {
  const baseline = createBaseline({
    agent: "agent",
    mode: "sequence",
    producer: { tool: "t", version: "0", runner: "r" },
    now: "",
  });
  for (const facts of factsOf(traces)) addRun(baseline, facts);
  return baseline;
}

describe.skipIf(!sharedExists)(onShared("fingerprints of real agents"), () => {
  it("nearly every run has its own hash, and families gather them", async () => {
    const [airline] = agentFamilies(factsOf(await load("tau-airline/gpt-4o.json.gz")));
    expect(airline!.runs).toBe(100);
    expect(airline!.intents).toBeGreaterThan(80);
    expect(airline!.families.length).toBeLessThan(0.6 * airline!.intents);
    expect(airline!.families.reduce((sum, family) => sum + family.runs, 0)).toBe(100 - airline!.emptyRuns);
  });

  it("another trial of the same agent loses no tool and is not blocked for one", async () => {
    const known = learn(
      await load("tau2-retail/gpt4o-refined.trial1.json.gz", "tau2-retail/gpt4o-refined.trial2.json.gz"),
    );
    const compared = compareRuns(known, factsOf(await load("tau2-retail/gpt4o-refined.trial3.json.gz")));
    const gate = gateComparisons([compared], { failOn: "tools", blocking: true });
    expect(gate.reasons.filter((reason) => reason.code === "lost_tool")).toEqual([]);
    expect(compared.runs).toHaveLength(40);
  });

  it("trials of one prompt look alike, another prompt shows in the tokens", async () => {
    const points = ["gpt4o-refined.trial1", "gpt4o-refined.trial2", "gpt5mini-refined.trial1"];
    const inputs = [];
    for (const name of points) {
      const traces = await load(`tau2-retail/${name}.json.gz`);
      inputs.push({ name, runs: factsOf(traces), responses: traces.map(responseVectors) });
    }
    const tokens = buildTrend(inputs).measures.find((measure) => measure.name === "tokens")!;
    expect(tokens.test).toMatchObject({ state: "drift", form: "shift", point: 2 });
  });

  it("between models the report names the tools that came and went", async () => {
    const inputs = [];
    for (const name of ["gpt-4.1", "o4-mini"]) {
      const traces = await load(`tau-retail/${name}.json.gz`);
      inputs.push({ name, runs: factsOf(traces), responses: traces.map(responseVectors) });
    }
    const { changes, points } = buildTrend(inputs);
    expect(changes[0]!.lostTools).toContain("think");
    expect(points.map((point) => point.runs)).toEqual([50, 50]);
  });

  it("an attack on an agent is seen against its calm runs", async () => {
    const known = learn(await load("agentdojo-drift/dailylife.none.jsonl.gz"));
    const compared = compareRuns(
      known,
      factsOf(await load("agentdojo-drift/dailylife.important_instructions.jsonl.gz")),
    );
    expect(compared.runs.length).toBeGreaterThan(0);
    expect(compared.counts.no_baseline).toBe(0);
  });

  it.each([
    "tau-airline/gpt-4o.json.gz",
    "claude-code/python-to-rust-port.jsonl.gz",
    "agentdojo-drift/banking.important_instructions.jsonl.gz",
    "pi-session/large-session.jsonl.gz",
    "otel-genai/jaeger-helm.json.gz",
  ])("%s: content-blind copies verify, keep their fingerprints and hold no text", async (file) => {
    for (const trace of await load(file)) {
      const blind = JSON.parse(JSON.stringify(blindTrace(trace)));
      expect(verifyChain(blind).valid).toBe(true);
      const again = runFacts(buildTrace(readBlindRecords(blind)));
      const facts = runFacts(trace);
      expect(again.fingerprint.hash).toBe(facts.fingerprint.hash);
      expect(again.errorPatterns).toEqual(facts.errorPatterns);
      expect([again.sample.tokens, again.sample.errors]).toEqual([facts.sample.tokens, facts.sample.errors]);
      expect([...again.retries]).toEqual([...facts.retries]);
    }
  });

  it("a baseline of real runs reads back the same", async () => {
    const text = renderBaselineFile(learn(await load("claude-code", "pi-session")));
    expect(renderBaselineFile(parseBaseline(text, { file: "b.json" }))).toBe(text);
  });
});
