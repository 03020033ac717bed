/**
 * The same work done by Spoor and by the tools that come nearest, in the same run: whole processes, loading included. Where to install
 * them stands in bench/README.md.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { TraceRecord } from "@spoor/core";
import { contentId } from "@spoor/core/internal/canonical/digest";
import { writeAgentlog } from "spoor/internal/formats/agentlog";
import type { Benchmark, BenchmarkRow } from "../benchmark.ts";
import { childCpu, dataFolder, spoorBin } from "../child-figures.ts";
import { syntheticAgentlog } from "../synthetic.ts";
import { TWELVE_RULES } from "./twelve-rules.ts";

const folder = `${dataFolder}peers/`;
const shadowChild = fileURLToPath(new URL("../../src/peers/shadow-child.py", import.meta.url));
const trajectoryChild = fileURLToPath(new URL("./trajectory-child.js", import.meta.url));
const ROUNDS = 2;
/** A peer that takes longer than this for one row is stopped, and the row says so; one that takes a quarter of it is asked once. */
const PATIENCE_SECONDS = 120;

export const peersBenchmark: Benchmark = {
  name: "peers",
  promise: "no peer takes less CPU for the same work, loading included",
  run({ peers }) {
    if (peers === undefined) return [];
    const place = resolve(process.env["INIT_CWD"] ?? "", peers);
    mkdirSync(folder, { recursive: true });
    writeFileSync(`${folder}rules.json`, `{ "apiVersion": "shadow.dev/v1alpha1", "rules": ${TWELVE_RULES} }`);
    writeFileSync(`${folder}policy.json`, `{ "rules": ${TWELVE_RULES} }`);
    return [...shadowRows(place), ...trajectoryRows(place)];
  },
};

interface Told {
  readonly seconds: number;
  readonly version: string;
  /** It was stopped then. */
  readonly isMore?: boolean;
}

function shadowRows(place: string): BenchmarkRow[] {
  const python = join(place, "shadow/bin/python");
  if (!existsSync(python)) return [];
  const shadow = (...args: string[]) => least(() => told(python, [shadowChild, ...args]));
  const diff = (what: string, baseline: string, candidate: string) =>
    row(`diff, ${what}`, spoor("diff", baseline, candidate), "Shadow", shadow("diff", baseline, candidate));
  const check = (what: string, traces: string) =>
    row(
      `12 rules, ${what}`,
      spoor("check", traces, "--policy", `${folder}policy.json`, "--fail-on", "none"),
      "Shadow",
      shadow("policy", `${folder}rules.json`, traces),
    );
  return [
    diff("one pair of 1,000 turns", long(1000, 0), long(1000, 0.05)),
    diff("1,000 pairs of 3 turns", many(0), many(0.05)),
    diff("one response with 10,000 calls", calls(0), calls(20)),
    check("1,000 turns", long(1000, 0)),
    check("10,000 turns", long(10_000, 0)),
    check("1,000 traces of 3 turns", many(0)),
    check("10,000 calls in one response", calls(0)),
  ];
}

function trajectoryRows(place: string): BenchmarkRow[] {
  const score = (tool: string) => least(() => told(process.execPath, [trajectoryChild, tool, place]));
  const found = [
    { tool: "agentv", name: "AgentV", installed: "@agentv/core" },
    { tool: "agentevals", name: "agentevals", installed: "agentevals" },
  ].filter(({ installed }) => existsSync(join(place, "node_modules", installed)));
  const ours = found.length === 0 ? 0 : score("spoor").seconds;
  return found.map(({ tool, name }) => row("five modes over 10,000 calls", ours, name, score(tool)));
}

function row(what: string, ours: number, peer: string, theirs: Told): BenchmarkRow {
  return {
    what,
    measured: `${ours.toFixed(2)} s, ${theirs.isMore ? "less than " : ""}${(ours / theirs.seconds).toPrecision(2)} times`,
    against: `${peer} ${theirs.version}, ${theirs.isMore ? "stopped after " : ""}${theirs.seconds.toFixed(2)} s of CPU`,
    kept: ours <= theirs.seconds,
  };
}

function spoor(...words: string[]): number {
  return Math.min(...Array.from({ length: ROUNDS }, () => childCpu([spoorBin, ...words])));
}

function least(run: () => Told): Told {
  let best = run();
  for (let round = 1; round < ROUNDS && best.seconds < PATIENCE_SECONDS / 4; round++) {
    const next = run();
    if (next.seconds < best.seconds) best = next;
  }
  return best;
}

function told(program: string, args: readonly string[]): Told {
  const env = { ...process.env, PATIENCE_SECONDS: String(PATIENCE_SECONDS) };
  const child = spawnSync(program, args, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"], env });
  const [version, seconds] = child.stdout.split("\n");
  if (child.signal === "SIGXCPU") return { version: version!, seconds: PATIENCE_SECONDS, isMore: true };
  if (child.status !== 0) throw new Error(`${args.join(" ")} ended with ${child.status ?? child.signal}`);
  return { version: version!, seconds: Number(seconds) };
}

function long(turns: number, changed: number): string {
  return file(`long-${turns}-${changed}.agentlog`, () => syntheticAgentlog({ turns, seed: 7, changed }));
}

function many(changed: number): string {
  const path = `${folder}many-${changed}`;
  if (!existsSync(path)) mkdirSync(path);
  for (let index = 0; index < 1000; index++)
    file(`many-${changed}/${index}.agentlog`, () => syntheticAgentlog({ turns: 3, seed: index + 1, changed }));
  return path;
}

/** One response with 10,000 calls; every so many of them another. */
function calls(changedEvery: number): string {
  return file(`calls-${changedEvery}.agentlog`, () => {
    const content = Array.from({ length: 10_000 }, (_, index) => ({
      type: "tool_use",
      id: `call_${index}`,
      name: `tool_${index % 7}`,
      input: { row: index, value: changedEvery > 0 && index % changedEvery === 0 ? "changed" : "same" },
    }));
    const ts = "2026-01-01T00:00:00.000Z";
    const record = (kind: string, payload: TraceRecord["payload"]): TraceRecord => ({
      version: "0.1",
      id: contentId(payload),
      kind,
      ts,
      payload,
    });
    const request = { model: "m", messages: [{ role: "user", content: "go" }], params: {} };
    const usage = { input_tokens: 9, output_tokens: 9, thinking_tokens: 0 };
    const response = { model: "m", content, stop_reason: "tool_use", latency_ms: 9, usage };
    return writeAgentlog([record("chat_request", request), record("chat_response", response)]);
  });
}

/** Made once and kept in a folder git ignores. */
function file(name: string, content: () => string): string {
  const path = folder + name;
  if (!existsSync(path)) writeFileSync(path, content());
  return path;
}
