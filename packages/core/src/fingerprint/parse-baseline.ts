/**
 * The text of a baseline file → a baseline. People edit these files, so every part is checked and every problem is named
 * with its path; a file that cannot be trusted is an error, never an empty baseline.
 */
import { SpoorError } from "../errors.ts";
import { type Located, Problems } from "../read/located.ts";
import { parseJsonSource } from "../read/parse-json-source.ts";
import type { Source } from "../read/source.ts";
import { isObject, type Json, type JsonObject, member, stringifyJson } from "../trace/json.ts";
import { addIntent, BASELINE_SCHEMA_VERSION, type Baseline, type Intent } from "./baseline.ts";
import {
  baselineFile,
  intentMapping,
  type WrittenBaseline,
  type WrittenIntent,
  type WrittenSample,
} from "./baseline-file.ts";
import { countTools } from "./baseline-json.ts";
import { fingerprintSegments } from "./fingerprint-trace.ts";
import { FINGERPRINT_VERSION } from "./mode.ts";
import type { RunSample } from "./run-facts.ts";
import { splitSegments } from "./segments.ts";

export interface ParseBaselineOptions {
  /** The file's name, for messages. */
  readonly file: string;
  /** The version of this tool, for the message about a newer file. */
  readonly toolVersion?: string;
}

export function parseBaseline(text: string, options: ParseBaselineOptions): Baseline {
  const { file } = options;
  const source = readText(text, file);
  if (!isObject(source.value))
    throw new SpoorError("baseline.invalid", `${file} is no baseline: it is not a JSON object.`, { at: { file } });
  checkVersions(source.value, options);
  const problems = new Problems(source);
  const root = problems.root();
  const written = baselineFile.read(root);
  const baseline = written === undefined ? undefined : buildBaseline(written, root);
  problems.throwIfAny("baseline.invalid", CONSEQUENCE, { hint: restoreHint(file) });
  return baseline!;
}

const CONSEQUENCE = "Nothing was compared and nothing was written.";

function restoreHint(file: string): string {
  return `Take the last good version back: git checkout -- ${file}, or spoor baseline rollback.`;
}

function readText(text: string, file: string): Source {
  try {
    return parseJsonSource(text, file, {
      code: "baseline.bad-json",
      consequence: CONSEQUENCE,
      hint: restoreHint(file),
    });
  } catch (error) {
    if (!(error instanceof SpoorError) || text.trimEnd().endsWith("}")) throw error;
    throw new SpoorError("baseline.truncated", `${file} ends early: it is only part of a baseline.`, {
      at: error.at,
      consequence: CONSEQUENCE,
      hint: restoreHint(file),
      cause: error,
    });
  }
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
      `${file} has the file layout ${stringifyJson(schema)}; ${spoor} reads layout ${BASELINE_SCHEMA_VERSION}.`,
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

function buildBaseline(written: WrittenBaseline, root: Located): Baseline {
  const { toolJaccard, sequenceLcs, errorJaccard } = written.similarityWeights;
  const sum = toolJaccard + sequenceLcs + errorJaccard;
  if (Math.abs(sum - 1) > 1e-9)
    root.get("similarity_weights")!.problem(`similarity_weights sum to ${sum} instead of 1.`);
  const baseline: Baseline = {
    schemaVersion: BASELINE_SCHEMA_VERSION,
    agent: written.agentId,
    updatedAt: written.updatedAt,
    generation: written.generation,
    hashVersion: FINGERPRINT_VERSION,
    mode: written.mode,
    windowSize: written.windowSize,
    weights: written.similarityWeights,
    modelAliases: written.modelAliases,
    producer: written.producedBy ?? { tool: "unknown", version: "unknown", runner: "unknown" },
    ...(written.policyHash === undefined ? {} : { policyHash: written.policyHash }),
    runCount: written.runCount,
    leftOutRuns: written.leftOutRuns,
    models: new Map(written.models),
    tools: new Map(written.tools),
    toolsOffered: new Set(written.toolsOffered),
    outputKeys: new Map(written.outputKeys),
    intents: new Map(),
    owners: new Map(),
    rejected: new Map(written.rejected),
    history: [...written.history],
    extra: unknownMembers(root, baselineFile),
  };
  const intents = root.get("intents")!;
  for (const [hash, intent] of written.intents) addWritten(baseline, hash, intent, intents.get(hash)!);
  return baseline;
}

function addWritten(baseline: Baseline, hash: string, written: WrittenIntent, at: Located): void {
  const { name, note, fingerprintHash, acceptedBy } = written;
  const segments = splitSegments(written.sequence);
  if (fingerprintHash !== hash)
    at.get("fingerprint_hash")!.problem(`fingerprint_hash is ${fingerprintHash}, but the intent stands under ${hash}.`);
  const computed = fingerprintSegments(segments, baseline.mode).hash;
  if (computed !== hash)
    at.get("sequence")!.problem(`sequence has the fingerprint ${computed}, not ${hash}: it was edited.`);
  // Who accepted a hash may be missing: a hash added by hand is accepted all the same.
  const others = written.acceptedFingerprints.filter((one) => one !== hash);
  const intent: Intent = {
    hash,
    structuralHash: fingerprintSegments(segments, "structural").hash,
    segments,
    accepted: new Map([[hash, null], ...others.map((one) => [one, acceptedBy.get(one) ?? null] as const)]),
    runs: written.runCount,
    window: written.window.map((sample) => buildSample(sample, hash, segments, countTools(segments))),
    extra: unknownMembers(at, intentMapping),
  };
  if (name !== undefined && name !== "") intent.name = name;
  if (note !== undefined) intent.note = note;
  for (const accepted of intent.accepted.keys()) {
    const owner = baseline.owners.get(accepted);
    if (owner !== undefined)
      (at.get("accepted_fingerprints") ?? at).problem(`${accepted} is accepted by ${owner} too.`);
  }
  if (intent.window.length > intent.runs) at.get("run_count")!.problem("run_count is smaller than the window.");
  addIntent(baseline, intent);
}

function buildSample(
  sample: WrittenSample,
  hash: string,
  segments: readonly string[],
  ownTools: ReadonlyMap<string, number>,
): RunSample {
  return {
    ...sample,
    hash: sample.hash ?? hash,
    steps: sample.steps ?? segments.length,
    tools: sample.tools ?? ownTools,
  };
}

function unknownMembers(at: Located, { knows }: { knows(key: string): boolean }): Record<string, Json> {
  return Object.fromEntries(Object.entries(at.value as JsonObject).filter(([key]) => !knows(key)));
}
