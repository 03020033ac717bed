/**
 * The text of a baseline file → a baseline. People edit these files, so every part is checked and every problem is named
 * with its path; a file that cannot be trusted is an error, never an empty baseline.
 */
import { type Problem, SpoorError } from "../errors.ts";
import { isObject, type Json, type JsonObject, member, stringMember } from "../trace/json.ts";
import { JsonSyntaxError, parseJson } from "../trace/parse-json.ts";
import {
  addIntent,
  BASELINE_SCHEMA_VERSION,
  type Baseline,
  type Decision,
  type HistoryEntry,
  type Intent,
  LARGEST_WINDOW,
} from "./baseline.ts";
import { countTools } from "./baseline-json.ts";
import { fingerprintSegments } from "./fingerprint-trace.ts";
import { FINGERPRINT_VERSION, type FingerprintMode, fingerprintModes } from "./mode.ts";
import type { OutputKeys, RetrievalSample, RunSample } from "./run-facts.ts";
import { splitSegments } from "./segments.ts";

export interface ParseBaselineOptions {
  /** The file's name, for messages. */
  readonly file: string;
  /** The version of this tool, for the message about a newer file. */
  readonly toolVersion?: string;
}

export function parseBaseline(text: string, options: ParseBaselineOptions): Baseline {
  const value = parseText(text, options.file);
  checkVersions(value, options);
  const reader = new Reader(options.file);
  const baseline = readBaseline(value, reader);
  reader.throwIfAny();
  return baseline;
}

function parseText(text: string, file: string): JsonObject {
  let value: Json;
  try {
    value = parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    const before = text.slice(0, error.offset);
    const line = before.split("\n").length;
    const column = error.offset - before.lastIndexOf("\n");
    const cutOff = text.trim() === "" || !text.trimEnd().endsWith("}");
    throw new SpoorError(
      cutOff ? "baseline.truncated" : "baseline.bad-json",
      cutOff
        ? `${file} ends early: it is only part of a baseline.`
        : `${file}:${line}:${column} is not valid JSON: ${error.message}.`,
      {
        at: { file, line, column },
        consequence: "Nothing was compared and nothing was written.",
        hint: `Take the last good version back: git checkout -- ${file}, or spoor baseline rollback.`,
        cause: error,
      },
    );
  }
  if (isObject(value)) return value;
  throw new SpoorError("baseline.invalid", `${file} is no baseline: it is not a JSON object.`, { at: { file } });
}

function checkVersions(value: JsonObject, { file, toolVersion }: ParseBaselineOptions): void {
  const schema = member(value, "schema_version");
  if (schema === undefined) {
    throw new SpoorError("baseline.invalid", `${file} is no baseline: "schema_version" is missing.`, {
      at: { file, path: "schema_version" },
      hint: "Baselines are made with spoor baseline build.",
    });
  }
  const spoor = toolVersion === undefined ? "this Spoor" : `this Spoor (${toolVersion})`;
  if (typeof schema !== "number" || schema > BASELINE_SCHEMA_VERSION || schema < 1) {
    throw new SpoorError(
      "baseline.not-comparable",
      `${file} has the file layout ${JSON.stringify(schema)}; ${spoor} reads layout ${BASELINE_SCHEMA_VERSION}.`,
      { at: { file }, consequence: "It was not compared.", hint: "To upgrade: npm i -D spoor@latest" },
    );
  }
  const hashVersion = member(value, "hash_version");
  if (hashVersion !== FINGERPRINT_VERSION) {
    const newer = typeof hashVersion === "string" && hashVersion > FINGERPRINT_VERSION;
    throw new SpoorError(
      "baseline.not-comparable",
      `${file} was made with fingerprint ${typeof hashVersion === "string" ? hashVersion : "of no known version"}; ${spoor} computes ${FINGERPRINT_VERSION}.`,
      {
        at: { file, path: "hash_version" },
        consequence: "No hash could ever match and every run would look new, so they are not compared.",
        hint: newer ? "To upgrade: npm i -D spoor@latest" : "Rebuild it: spoor baseline build TRACES --replace",
      },
    );
  }
}

/** Reads members, collects problems. What is wrong gets a harmless value: nothing of it is used when a problem exists. */
class Reader {
  private readonly problems: Problem[] = [];
  private readonly file: string;

  constructor(file: string) {
    this.file = file;
  }

  problem(path: string, message: string): void {
    this.problems.push({ at: { file: this.file, path }, message: `${path} ${message}` });
  }

  throwIfAny(): void {
    const count = this.problems.length;
    if (count === 0) return;
    throw new SpoorError("baseline.invalid", `${this.file} has ${count === 1 ? "a problem" : `${count} problems`}.`, {
      at: this.problems[0]!.at,
      problems: this.problems.slice(0, 20),
      consequence: "Nothing was compared and nothing was written.",
      hint: `Take the last good version back: git checkout -- ${this.file}, or spoor baseline rollback.`,
    });
  }

  text(value: Json, key: string, path: string): string {
    const found = member(value, key);
    if (typeof found === "string") return found;
    this.problem(`${path}${key}`, found === undefined ? "is missing" : "is not a text");
    return "";
  }

  number(
    value: Json,
    key: string,
    path: string,
    range: { min?: number; max?: number; integer?: boolean } = {},
  ): number {
    const found = member(value, key);
    const { min = 0, max = Number.MAX_VALUE, integer = false } = range;
    const valid = typeof found === "number" && found >= min && found <= max && (!integer || Number.isInteger(found));
    if (valid) return found;
    const wanted = integer ? "a whole number" : "a number";
    const limits = max === Number.MAX_VALUE ? `from ${min} on` : `from ${min} to ${max}`;
    this.problem(`${path}${key}`, found === undefined ? "is missing" : `is not ${wanted} ${limits}`);
    return min;
  }

  optionalNumber(value: Json, key: string, path: string): number | undefined {
    const found = member(value, key);
    return found === undefined || found === null ? undefined : this.number(value, key, path);
  }

  object(value: Json, key: string, path: string): JsonObject {
    const found = member(value, key);
    if (isObject(found)) return found;
    if (found !== undefined) this.problem(`${path}${key}`, "is not an object");
    return {};
  }

  texts(value: Json, key: string, path: string): string[] {
    const found = member(value, key);
    if (found === undefined) return [];
    if (Array.isArray(found) && found.every((item) => typeof item === "string")) return [...(found as string[])];
    this.problem(`${path}${key}`, "is not a list of texts");
    return [];
  }

  counts(value: Json, key: string, path: string): Map<string, number> {
    const counts = this.object(value, key, path);
    return new Map(Object.keys(counts).map((name) => [name, this.number(counts, name, `${path}${key}.`)]));
  }

  decision(value: Json, path: string): Decision {
    return { by: this.text(value, "by", path), why: this.text(value, "why", path), at: this.text(value, "at", path) };
  }
}

const KNOWN_TOP: ReadonlySet<string> = new Set([
  "schema_version", "agent_id", "updated_at", "generation", "hash_version", "mode", "window_size", "methods",
  "similarity_weights", "model_aliases", "produced_by", "policy_hash", "run_count", "left_out_runs", "models", "tools",
  "tools_offered", "output_keys", "intents", "rejected", "history",
]); // biome-ignore format: a list of names reads better packed

function readBaseline(value: JsonObject, reader: Reader): Baseline {
  const weights = reader.object(value, "similarity_weights", "");
  const baseline: Baseline = {
    schemaVersion: BASELINE_SCHEMA_VERSION,
    agent: reader.text(value, "agent_id", ""),
    updatedAt: reader.text(value, "updated_at", ""),
    generation: reader.number(value, "generation", "", { integer: true }),
    hashVersion: FINGERPRINT_VERSION,
    mode: readMode(value, reader),
    windowSize: reader.number(value, "window_size", "", { min: 1, max: LARGEST_WINDOW, integer: true }),
    weights: {
      toolJaccard: reader.number(weights, "tool_jaccard", "similarity_weights.", { max: 1 }),
      sequenceLcs: reader.number(weights, "sequence_lcs", "similarity_weights.", { max: 1 }),
      errorJaccard: reader.number(weights, "error_jaccard", "similarity_weights.", { max: 1 }),
    },
    modelAliases: readAliases(value, reader),
    producer: readProducer(value),
    ...(typeof member(value, "policy_hash") === "string" ? { policyHash: stringMember(value, "policy_hash")! } : {}),
    runCount: reader.number(value, "run_count", "", { integer: true }),
    leftOutRuns: reader.optionalNumber(value, "left_out_runs", "") ?? 0,
    models: reader.counts(value, "models", ""),
    tools: reader.counts(value, "tools", ""),
    toolsOffered: new Set(reader.texts(value, "tools_offered", "")),
    outputKeys: readOutputKeys(value, reader),
    intents: new Map(),
    owners: new Map(),
    rejected: new Map(),
    history: readHistory(value, reader),
    extra: unknownMembers(value, KNOWN_TOP),
  };
  checkWeightSum(baseline, reader);
  const intents = reader.object(value, "intents", "");
  if (member(value, "intents") === undefined) reader.problem("intents", "is missing");
  for (const hash of Object.keys(intents)) readIntent(baseline, hash, intents[hash]!, reader);
  const rejected = reader.object(value, "rejected", "");
  for (const hash of Object.keys(rejected)) {
    baseline.rejected.set(hash, reader.decision(rejected[hash]!, `rejected.${hash}.`));
  }
  return baseline;
}

function readMode(value: JsonObject, reader: Reader): FingerprintMode {
  const mode = fingerprintModes.find((candidate) => candidate === member(value, "mode"));
  if (mode === undefined) reader.problem("mode", 'is neither "sequence" nor "structural"');
  return mode ?? "sequence";
}

function readAliases(value: JsonObject, reader: Reader): Record<string, string> {
  const aliases = reader.object(value, "model_aliases", "");
  return Object.fromEntries(Object.keys(aliases).map((key) => [key, reader.text(aliases, key, "model_aliases.")]));
}

function readProducer(value: JsonObject): Baseline["producer"] {
  const producer = member(value, "produced_by");
  return {
    tool: stringMember(producer, "tool") ?? "unknown",
    version: stringMember(producer, "version") ?? "unknown",
    runner: stringMember(producer, "runner") ?? "unknown",
  };
}

function checkWeightSum(baseline: Baseline, reader: Reader): void {
  const { toolJaccard, sequenceLcs, errorJaccard } = baseline.weights;
  const sum = toolJaccard + sequenceLcs + errorJaccard;
  if (Math.abs(sum - 1) > 1e-9) reader.problem("similarity_weights", `sum to ${sum} instead of 1`);
}

function readOutputKeys(value: JsonObject, reader: Reader): Map<string, OutputKeys> {
  const tools = reader.object(value, "output_keys", "");
  return new Map(
    Object.keys(tools).map((tool) => {
      const path = `output_keys.${tool}.`;
      return [
        tool,
        { always: reader.texts(tools[tool]!, "always", path), ever: reader.texts(tools[tool]!, "ever", path) },
      ];
    }),
  );
}

const KNOWN_INTENT: ReadonlySet<string> = new Set([
  "name", "note", "fingerprint_hash", "structural_hash", "sequence", "accepted_fingerprints", "accepted_by", "run_count",
  "sample_count", "step_count", "avg_tokens", "avg_latency", "latency_bounds", "tool_call_counts", "error_rate", "window",
]); // biome-ignore format: a list of names reads better packed

function readIntent(baseline: Baseline, hash: string, value: Json, reader: Reader): void {
  const path = `intents.${hash}.`;
  if (!isObject(value)) {
    reader.problem(`intents.${hash}`, "is not an object");
    return;
  }
  const segments = splitSegments(reader.text(value, "sequence", path));
  const own = reader.text(value, "fingerprint_hash", path);
  if (own !== hash) reader.problem(`${path}fingerprint_hash`, `is ${own}, but the intent stands under ${hash}`);
  const computed = fingerprintSegments(segments, baseline.mode).hash;
  if (computed !== hash)
    reader.problem(`${path}sequence`, `has the fingerprint ${computed}, not ${hash}: it was edited`);
  const intent: Intent = {
    hash,
    structuralHash: fingerprintSegments(segments, "structural").hash,
    segments,
    accepted: readAccepted(value, hash, path, reader),
    runs: reader.number(value, "run_count", path, { integer: true }),
    window: readWindow(value, hash, segments, path, reader),
    extra: unknownMembers(value, KNOWN_INTENT),
  };
  const name = member(value, "name");
  if (typeof name === "string" && name !== "") intent.name = name;
  else if (name !== undefined && name !== "") reader.problem(`${path}name`, "is not a text");
  const note = stringMember(value, "note");
  if (note !== undefined) intent.note = note;
  for (const accepted of intent.accepted.keys()) {
    const owner = baseline.owners.get(accepted);
    if (owner !== undefined)
      reader.problem(`${path}accepted_fingerprints`, `holds ${accepted}, which ${owner} accepted too`);
  }
  if (intent.window.length > intent.runs) reader.problem(`${path}run_count`, "is smaller than the window");
  addIntent(baseline, intent);
}

/** Who accepted a hash may be missing: a hash added by hand is accepted all the same. */
function readAccepted(value: JsonObject, own: string, path: string, reader: Reader): Map<string, Decision | null> {
  const accepted = new Map<string, Decision | null>([[own, null]]);
  const decisions = reader.object(value, "accepted_by", path);
  for (const hash of reader.texts(value, "accepted_fingerprints", path)) {
    if (!/^[0-9a-f]{16}$/.test(hash))
      reader.problem(`${path}accepted_fingerprints`, `holds "${hash}", which is no fingerprint`);
    if (hash === own) continue;
    const decision = member(decisions, hash);
    accepted.set(hash, decision === undefined ? null : reader.decision(decision, `${path}accepted_by.${hash}.`));
  }
  return accepted;
}

function readWindow(
  value: JsonObject,
  hash: string,
  segments: readonly string[],
  path: string,
  reader: Reader,
): RunSample[] {
  const window = member(value, "window");
  if (!Array.isArray(window)) {
    reader.problem(`${path}window`, window === undefined ? "is missing" : "is not a list");
    return [];
  }
  const tools = countTools(segments);
  return window.map((item, index) => readSample(item, hash, segments, tools, `${path}window[${index}].`, reader));
}

function readSample(
  value: Json,
  hash: string,
  segments: readonly string[],
  ownTools: ReadonlyMap<string, number>,
  path: string,
  reader: Reader,
): RunSample {
  const latencyMs = reader.optionalNumber(value, "latency_ms", path);
  const tokens = reader.optionalNumber(value, "tokens", path);
  const retrieval = reader.object(value, "retrieval", path);
  return {
    run: reader.text(value, "run", path),
    hash: stringMember(value, "hash") ?? hash,
    steps: member(value, "steps") === undefined ? segments.length : reader.number(value, "steps", path),
    errors: reader.number(value, "errors", path),
    ...(latencyMs === undefined ? {} : { latencyMs }),
    ...(tokens === undefined ? {} : { tokens }),
    tools: member(value, "tools") === undefined ? ownTools : reader.counts(value, "tools", path),
    errorPatterns: reader.texts(value, "error_patterns", path),
    components: reader.counts(value, "components", path),
    retrieval: new Map(
      Object.keys(retrieval).map((tool) => [
        tool,
        readRetrieval(retrieval[tool]!, `${path}retrieval.${tool}.`, reader),
      ]),
    ),
    redundant: reader.counts(value, "redundant", path),
  };
}

function readRetrieval(value: Json, path: string, reader: Reader): RetrievalSample {
  const results = reader.optionalNumber(value, "results", path);
  return {
    calls: reader.number(value, "calls", path),
    seen: reader.number(value, "seen", path),
    empty: reader.number(value, "empty", path),
    counted: reader.number(value, "counted", path),
    ...(results === undefined ? {} : { results }),
  };
}

const ACTIONS: readonly HistoryEntry["action"][] = ["build", "update", "accept", "reject", "rollback"];

function readHistory(value: JsonObject, reader: Reader): HistoryEntry[] {
  const history = member(value, "history");
  if (history === undefined) return [];
  if (!Array.isArray(history)) {
    reader.problem("history", "is not a list");
    return [];
  }
  return history.map((entry, index) => {
    const path = `history[${index}].`;
    const action = ACTIONS.find((candidate) => candidate === member(entry, "action"));
    if (action === undefined) reader.problem(`${path}action`, `is none of ${ACTIONS.join(", ")}`);
    return {
      generation: reader.number(entry, "generation", path, { integer: true }),
      action: action ?? "update",
      ...reader.decision(entry, path),
      change: reader.text(entry, "change", path),
    };
  });
}

function unknownMembers(value: JsonObject, known: ReadonlySet<string>): Record<string, Json> {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !known.has(key)));
}
