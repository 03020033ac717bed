/**
 * Everything the fingerprint lens needs to know about one run, read in one pass over its steps: who acted, the ordered
 * segments, what failed, what it cost, and per tool how often it was called and what came back. No content is kept.
 */
import { type Json, member, stringifyJson } from "../trace/json.ts";
import type { Step, Trace } from "../trace/trace.ts";
import { type Fingerprint, type FingerprintOptions, fingerprintSegments } from "./fingerprint-trace.ts";
import { outputShape } from "./output-shape.ts";
import { segmentOf, segmentsOf } from "./segments.ts";

export interface RunFacts {
  /** The trace's key: reports are joined by it. */
  readonly key: string;
  /** The trace's name, for people. */
  readonly run: string;
  readonly agent: string;
  readonly fingerprint: Fingerprint;
  readonly structuralHash: string;
  readonly segments: readonly string[];
  /** `TYPE:target!kind`, sorted, each once. */
  readonly errorPatterns: readonly string[];
  readonly models: readonly string[];
  readonly toolsOffered: readonly string[];
  /** False when the recorder said that the run failed; a failed run teaches a baseline nothing. */
  readonly success: boolean;
  readonly sample: RunSample;
  /** Output field names per tool, over the calls that returned an object: in every call, and in any. */
  readonly outputKeys: ReadonlyMap<string, OutputKeys>;
  /** Longest chain of calls of a tool, each right after a failed call of the same tool. */
  readonly retries: ReadonlyMap<string, number>;
}

export interface OutputKeys {
  readonly always: readonly string[];
  readonly ever: readonly string[];
}

/** The numbers of one run, as a baseline's window keeps them. Absent means not recorded, never 0. */
export interface RunSample {
  /** The run's key, so that the same file is not counted twice; files of one name in two folders are two runs. */
  readonly run: string;
  /** The run's own hash. */
  readonly hash: string;
  readonly steps: number;
  readonly errors: number;
  /** Mean time of a step, ms, over the steps that have one. */
  readonly latencyMs?: number;
  readonly tokens?: number;
  readonly tools: ReadonlyMap<string, number>;
  readonly errorPatterns: readonly string[];
  /** Mean time per component: `llm:gpt-4`, `tool:search`, `http:api.example.com`. */
  readonly components: ReadonlyMap<string, number>;
  readonly retrieval: ReadonlyMap<string, RetrievalSample>;
  /** Calls per tool that repeat an earlier successful call of the run with the same arguments. */
  readonly redundant: ReadonlyMap<string, number>;
}

export interface RetrievalSample {
  readonly calls: number;
  /** Calls whose result could be seen. */
  readonly seen: number;
  readonly empty: number;
  /** Sum of result counts, over the calls that list results. */
  readonly results?: number;
  readonly counted: number;
}

/** Tools whose names say that they look something up. */
const RETRIEVAL = /(^|[^a-z])(retrieve|retrieval|retriever|vector_?search|search|query)([^a-z]|$)/i;

function isRetrievalTool(name: string): boolean {
  return RETRIEVAL.test(name.replace(/([a-z])([A-Z])/g, "$1_$2"));
}

/** The same few names come up in every run; the answer for a name never changes. */
const retrievalNames = new Map<string, boolean>();
const MOST_NAMES = 10_000;

function isKnownRetrievalTool(name: string): boolean {
  let answer = retrievalNames.get(name);
  if (answer === undefined) {
    answer = isRetrievalTool(name);
    if (retrievalNames.size < MOST_NAMES) retrievalNames.set(name, answer);
  }
  return answer;
}

export function runFacts(trace: Trace, options: FingerprintOptions = {}): RunFacts {
  const segments = segmentsOf(trace.steps, options.modelAliases);
  const fingerprint = fingerprintSegments(segments, options.mode ?? "sequence");
  const tally = new StepTally(options);
  for (const step of trace.steps) tally.add(step);
  const structuralHash =
    fingerprint.mode === "structural" ? fingerprint.hash : fingerprintSegments(segments, "structural").hash;
  const errorPatterns = [...tally.errorPatterns].sort();
  return {
    key: trace.key,
    run: trace.name,
    agent: trace.agent ?? "default",
    fingerprint,
    structuralHash,
    segments,
    errorPatterns,
    models: [...tally.models].sort(),
    toolsOffered: offered(trace),
    success: succeeded(trace),
    sample: { run: trace.key, hash: fingerprint.hash, steps: trace.steps.length, errorPatterns, ...tally.numbers() },
    outputKeys: tally.outputKeys,
    retries: tally.longestRetries,
  };
}

function offered(trace: Trace): string[] {
  const names = new Set<string>();
  for (const turn of trace.turns) for (const { name } of turn.offeredTools ?? []) names.add(name);
  return [...names].sort();
}

function succeeded(trace: Trace): boolean {
  const success = member(trace.metadata, "success");
  if (typeof success === "boolean") return success;
  const status = member(trace.metadata, "status");
  return !(typeof status === "string" && /^(error|failed|failure|aborted|cancelled|timeout)$/i.test(status));
}

class StepTally {
  readonly errorPatterns = new Set<string>();
  readonly models = new Set<string>();
  readonly outputKeys = new Map<string, OutputKeys>();
  readonly longestRetries = new Map<string, number>();
  private errors = 0;
  private tokens: number | undefined;
  private readonly time = { sum: 0, count: 0 };
  private readonly tools = new Map<string, number>();
  private readonly components = new Map<string, { sum: number; count: number }>();
  private readonly retrieval = new Map<string, RetrievalSample>();
  private readonly redundant = new Map<string, number>();
  private readonly earlierCalls = new Map<string, Set<string>>();
  private readonly firstCalls = new Map<string, Step>();
  private retrying: { tool: string; failed: boolean; count: number } | undefined;
  private readonly options: FingerprintOptions;

  constructor(options: FingerprintOptions) {
    this.options = options;
  }

  add(step: Step): void {
    if (step.status === "error") {
      this.errors++;
      this.errorPatterns.add(`${segmentOf(step, this.options.modelAliases)}!${step.errorKind || "error"}`);
    }
    this.addTokens(step);
    this.addTime(step);
    if (step.kind === "llm") this.models.add(modelName(step.target, this.options));
    if (step.kind === "tool") this.addCall(step);
  }

  numbers(): Omit<RunSample, "run" | "hash" | "steps" | "errorPatterns"> {
    return {
      errors: this.errors,
      ...(this.time.count === 0 ? {} : { latencyMs: this.time.sum / this.time.count }),
      ...(this.tokens === undefined ? {} : { tokens: this.tokens }),
      tools: this.tools,
      components: new Map([...this.components].map(([name, { sum, count }]) => [name, sum / count])),
      retrieval: this.retrieval,
      redundant: this.redundant,
    };
  }

  private addTokens(step: Step): void {
    if (step.inputTokens === undefined && step.outputTokens === undefined) return;
    this.tokens = (this.tokens ?? 0) + (step.inputTokens ?? 0) + (step.outputTokens ?? 0);
  }

  /** A negative time is a broken clock, not a fast step. */
  private addTime(step: Step): void {
    if (step.durationMs === undefined || step.durationMs < 0) return;
    this.time.sum += step.durationMs;
    this.time.count++;
    const name = componentOf(step, this.options);
    const component = this.components.get(name);
    if (component === undefined) this.components.set(name, { sum: step.durationMs, count: 1 });
    else {
      component.sum += step.durationMs;
      component.count++;
    }
  }

  private addCall(step: Step): void {
    const tool = step.target;
    this.tools.set(tool, (this.tools.get(tool) ?? 0) + 1);
    this.countRetry(tool, step.status === "error");
    this.countRepeat(tool, step);
    const output = step.call?.output;
    const isRetrieval = isKnownRetrievalTool(tool);
    if (step.status !== "error" && output !== undefined) {
      const shape = outputShape(output);
      if (shape.keys !== undefined) this.addOutputKeys(tool, shape.keys);
      if (isRetrieval) this.addRetrieval(tool, { seen: 1, empty: shape.empty ? 1 : 0, results: shape.resultCount });
    } else if (isRetrieval) this.addRetrieval(tool, { seen: 0, empty: 0, results: undefined });
  }

  private countRetry(tool: string, failed: boolean): void {
    const previous = this.retrying;
    const count = previous?.tool === tool && previous.failed ? previous.count + 1 : 0;
    this.retrying = { tool, failed, count };
    if (count > (this.longestRetries.get(tool) ?? 0)) this.longestRetries.set(tool, count);
  }

  /** Arguments are spelled out only from a tool's second call on: most tools are called once. */
  private countRepeat(tool: string, step: Step): void {
    const first = this.firstCalls.get(tool);
    if (first === undefined) {
      this.firstCalls.set(tool, step);
      return;
    }
    let known = this.earlierCalls.get(tool);
    if (known === undefined) {
      known = new Set(first.status === "error" ? [] : [argumentsText(first)]);
      this.earlierCalls.set(tool, known);
    }
    const text = argumentsText(step);
    if (known.has(text)) this.redundant.set(tool, (this.redundant.get(tool) ?? 0) + 1);
    else if (step.status !== "error") known.add(text);
  }

  private addOutputKeys(tool: string, keys: readonly string[]): void {
    const known = this.outputKeys.get(tool);
    if (known === undefined) this.outputKeys.set(tool, { always: keys, ever: keys });
    else this.outputKeys.set(tool, mergeOutputKeys(known, { always: keys, ever: keys }));
  }

  private addRetrieval(tool: string, call: { seen: number; empty: number; results: number | undefined }): void {
    const known = this.retrieval.get(tool) ?? { calls: 0, seen: 0, empty: 0, counted: 0 };
    const results = call.results === undefined ? known.results : (known.results ?? 0) + call.results;
    this.retrieval.set(tool, {
      calls: known.calls + 1,
      seen: known.seen + call.seen,
      empty: known.empty + call.empty,
      counted: known.counted + (call.results === undefined ? 0 : 1),
      ...(results === undefined ? {} : { results }),
    });
  }
}

/** What stays true of both: fields in every result, and fields in any. */
export function mergeOutputKeys(left: OutputKeys, right: OutputKeys): OutputKeys {
  if (sameList(left.always, right.always) && sameList(left.ever, right.ever)) return left;
  const always = left.always.filter((key) => right.always.includes(key));
  const ever = [...new Set([...left.ever, ...right.ever])].sort();
  return { always, ever };
}

function sameList(left: readonly string[], right: readonly string[]): boolean {
  return left === right || (left.length === right.length && left.every((item, index) => item === right[index]));
}

/** Compared only with texts of the same run, so the order of keys is taken as recorded: sorting would cost more than it finds. */
function argumentsText(step: Step): string {
  const input: Json = step.call?.input ?? null;
  if (typeof input === "string") return input;
  try {
    return JSON.stringify(input);
  } catch {
    // Integers beyond 2^53 are bigints, which JSON.stringify refuses.
    return stringifyJson(input);
  }
}

function modelName(model: string, options: FingerprintOptions): string {
  const aliases = options.modelAliases;
  return aliases !== undefined && Object.hasOwn(aliases, model) ? aliases[model]! : model;
}

function componentOf(step: Step, options: FingerprintOptions): string {
  if (step.kind === "llm") return `llm:${modelName(step.target, options)}`;
  if (step.kind === "tool") return `tool:${step.target}`;
  if (step.kind === "http") return `http:${step.target.replace(/^[A-Z]+ /, "").replace(/\/.*$/s, "")}`;
  return `other:${step.target}`;
}
