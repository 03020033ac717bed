/**
 * How much of what an agent asks the recordings of other runs can answer: runs of public benchmarks, played against a cassette of
 * other runs of the same tasks. The calls are those that were made live; what an agent does after a refusal is not in it.
 */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Trace } from "@spoor/core";
import { buildCassette } from "@spoor/core/internal/cassette/build-cassette";
import { jsonEqual, stringifyJson } from "@spoor/core/internal/trace/json";
import { loadTraces } from "spoor/internal/load/load-traces";
import { type Benchmark, type BenchmarkRow, cpuSeconds } from "./benchmark.ts";

const CORPORA = fileURLToPath(new URL("../../../shared/corpora/", import.meta.url));
const FILES = {
  airline: "tau-airline/gpt-4o.json.gz",
  gemini1: "tau-retail/gemini-2.0-flash.run1.json.gz",
  gemini3: "tau-retail/gemini-2.0-flash.run3.json.gz",
  gpt41: "tau-retail/gpt-4.1.json.gz",
  gpt41mini: "tau-retail/gpt-4.1-mini.json.gz",
  o4mini: "tau-retail/o4-mini.json.gz",
  promptA1: "tau2-retail/gpt4o-refined.trial1.json.gz",
  promptA2: "tau2-retail/gpt4o-refined.trial2.json.gz",
  promptA3: "tau2-retail/gpt4o-refined.trial3.json.gz",
  promptB1: "tau2-retail/gpt5mini-refined.trial1.json.gz",
  promptB2: "tau2-retail/gpt5mini-refined.trial2.json.gz",
  promptB3: "tau2-retail/gpt5mini-refined.trial3.json.gz",
} as const;

/** A cassette and the runs that are played against it. */
type Pair = readonly [cassette: readonly Trace[], candidate: readonly Trace[]];

export const replayBenchmark: Benchmark = {
  name: "replay",
  promise: "97 % of what is served is what the tool returned; building a cassette 8 times JSON.parse, a call 0.2 ms",
  async run() {
    if (!existsSync(CORPORA))
      return [{ what: "replay", measured: "skipped", against: "the corpora are not beside this checkout" }];
    const loaded = new Map<string, readonly Trace[]>();
    for (const file of Object.values(FILES)) loaded.set(file, await tapesOf(CORPORA + file));
    const side = (name: keyof typeof FILES) => loaded.get(FILES[name])!;
    return [...servedRows(side), ...(await costRows(side))];
  },
};

async function tapesOf(path: string): Promise<Trace[]> {
  return (await loadTraces([path])).filter(({ turns }) => turns.length > 0);
}

function servedRows(side: (name: keyof typeof FILES) => readonly Trace[]): BenchmarkRow[] {
  const trials = [0, 1, 2, 3].map((trial) => side("airline").filter(({ metadata }) => metadata["trial"] === trial));
  const promptA = [side("promptA1"), side("promptA2"), side("promptA3")];
  const promptB = [side("promptB1"), side("promptB2"), side("promptB3")];
  const models = [side("gpt41"), side("gpt41mini"), side("o4mini")];
  return [
    row("airline, same agent, 1 run", pairsOf(trials, 1), "38–45 %, 50 %; 0–7 %, 5 %"),
    row("airline, same agent, 3 runs", pairsOf(trials, 3), "56 %, 65 %; 24 %, 62 %"),
    row("retail, same model, 1 run", pairsOf([side("gemini1"), side("gemini3")], 1), "57–71 %, 75 %; 36 %, 44 %"),
    row("retail, another model, 1 run", pairsOf(models, 1), "80 %, 89 %; 48 %, 56 %"),
    row(
      "retail, another model, library of 3",
      models.map((candidate) => [[...models.filter((one) => one !== candidate), side("gemini3")].flat(), candidate]),
      "89 %, 92 %; 60 %, 72 %",
    ),
    row("tau2, same agent, 1 run", [...pairsOf(promptA, 1), ...pairsOf(promptB, 1)], "92 %, 94 %; 70 %, 75 %"),
    row("tau2, same agent, 2 runs", [...pairsOf(promptA, 2), ...pairsOf(promptB, 2)], "95 %, 95 %; 78 %, 83 %"),
    row(
      "tau2, another prompt, library of 3",
      [...promptB.map((one): Pair => [promptA.flat(), one]), ...promptA.map((one): Pair => [promptB.flat(), one])],
      "93 %, 94 %; 68 %, 88 %",
    ),
  ];
}

/** Every choice of `size` sides as the cassette of each side that is not among them. */
function pairsOf(sides: readonly (readonly Trace[])[], size: number): Pair[] {
  const chosen = choices(sides.length, size);
  return chosen.flatMap((numbers) =>
    sides.flatMap((candidate, index): Pair[] =>
      numbers.includes(index) ? [] : [[numbers.flatMap((number) => sides[number]!), candidate]],
    ),
  );
}

function choices(count: number, size: number, from = 0): number[][] {
  if (size === 0) return [[]];
  return Array.from({ length: Math.max(0, count - from) }, (_, at) => from + at).flatMap((first) =>
    choices(count, size - 1, first + 1).map((rest) => [first, ...rest]),
  );
}

function row(what: string, pairs: readonly Pair[], published: string): BenchmarkRow {
  const played = pairs.map(([cassette, candidate]) => play(cassette, candidate));
  const sum = (of: (one: Played) => number) => played.reduce((total, one) => total + of(one), 0);
  const share = (of: (one: Played) => number, whole: (one: Played) => number) => percent(sum(of) / sum(whole));
  const each = (of: (one: Played) => number) => {
    const shares = played.map((one) => of(one) / one.calls).sort((left, right) => left - right);
    return shares.length === 1 ? "" : ` (${percent(shares[0]!)} to ${percent(shares.at(-1)!)})`;
  };
  const exact = (one: Played) => one.exact;
  const calls = (one: Played) => one.calls;
  return {
    what: `${what} (${sum(({ runs }) => runs)} runs)`,
    measured:
      `exact ${share(exact, calls)}${each(exact)}, with constants and reads of all ${share((one) => one.served, calls)}; ` +
      `runs without a miss ${share(
        (one) => one.whole,
        (one) => one.runs,
      )}, if missed reads run ${share(
        (one) => one.wholeWithReads,
        (one) => one.runs,
      )}; ` +
      `of those served ${share(
        (one) => one.equal,
        (one) => one.served,
      )} equal, ${share(
        (one) => one.stale,
        (one) => one.served,
      )} stale`,
    against: `published ${published}`,
    kept: sum((one) => one.equal) >= EQUAL_FROM * sum((one) => one.served),
  };
}

/** Of what was served, so much is what the tool really returned: published as 97 to 100 %. */
const EQUAL_FROM = 0.97;

interface Played {
  readonly runs: number;
  readonly calls: number;
  /** By a call with the same arguments in the same scenario, whatever came before it. */
  readonly exact: number;
  readonly served: number;
  readonly stale: number;
  /** Served, and the same as the tool really returned. */
  readonly equal: number;
  readonly whole: number;
  readonly wholeWithReads: number;
}

function play(recorded: readonly Trace[], candidates: readonly Trace[]): Played {
  const cassette = buildCassette(recorded.map((trace, index) => ({ ...trace, key: `${trace.key} ${index}` })));
  const known = new Set(recorded.map(({ scenario }) => scenario));
  const played = { runs: 0, calls: 0, exact: 0, served: 0, stale: 0, equal: 0, whole: 0, wholeWithReads: 0 };
  for (const trace of candidates) {
    // A run that asks nothing of its tools says nothing about serving them.
    if (!known.has(trace.scenario) || trace.toolCalls.length === 0) continue;
    const session = cassette.open({ scenario: trace.scenario });
    let missed = 0;
    let missedEffects = 0;
    for (const { name, input, output, status } of trace.toolCalls) {
      const call = { name, args: input };
      const answer = session.answerTool(call);
      played.calls++;
      if (answer.served === "miss") {
        missed++;
        if (session.isEffect(name)) missedEffects++;
        session.noteRan(call, status === "ok");
      } else if (answer.served !== "live") {
        played.served++;
        if (IN_SCENARIO.has(answer.served)) played.exact++;
        if (answer.served === "stale") played.stale++;
        if (jsonEqual(answer.result, output)) played.equal++;
      }
    }
    played.runs++;
    if (missed === 0) played.whole++;
    if (missedEffects === 0) played.wholeWithReads++;
  }
  return played;
}

const IN_SCENARIO: ReadonlySet<string> = new Set(["exact", "stale", "again"]);

/** What a cassette and a look-up cost. */
async function costRows(side: (name: keyof typeof FILES) => readonly Trace[]): Promise<BenchmarkRow[]> {
  const traces = [...side("promptA1"), ...side("promptA2"), ...side("promptA3")];
  const lines = traces.flatMap(({ records }) => records.map(({ kind, payload }) => stringifyJson({ kind, payload })));
  const parse = await cpuSeconds(() => lines.map((line) => JSON.parse(line)), 5);
  const build = await cpuSeconds(() => buildCassette(traces), 5);
  const cassette = buildCassette(traces);
  let asked = 0;
  const serve = await cpuSeconds(() => {
    asked = 0;
    for (const { scenario, toolCalls } of side("promptB1")) {
      const session = cassette.open({ scenario });
      for (const { name, input } of toolCalls) {
        session.answerTool({ name, args: input });
        asked++;
      }
    }
  }, 5);
  const callMs = (serve / asked) * 1_000;
  return [
    {
      what: `building a cassette of ${traces.length} recordings`,
      measured: `${(build / parse).toFixed(2)} times`,
      against: `JSON.parse of their records, ${(parse * 1_000).toFixed(0)} ms; 8 times`,
      kept: build <= 8 * parse,
    },
    {
      what: "a tool call looked up, sessions included",
      measured: `${callMs.toFixed(4)} ms`,
      against: "0.2 ms",
      kept: callMs <= 0.2,
    },
  ];
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
