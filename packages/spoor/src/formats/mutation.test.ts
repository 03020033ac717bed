/**
 * Damaged samples of every format: whatever is deleted or replaced, a reader either refuses with a SpoorError or gives
 * records that build a trace which can be walked and written. The seed is fixed, so that a run can be repeated.
 */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { buildTrace, type Json, JsonSyntaxError, SpoorError, type TraceRecord } from "@spoor/core";
import { createRandom, type Random } from "@spoor/core/internal/stats/random";
import { stringifyJson } from "@spoor/core/internal/trace/json";
import { describe, expect, it } from "vitest";
import { unspeakable } from "../../../../fuzz/src/mutate/hostile-values.ts";
import { listNodes } from "../../../../fuzz/src/mutate/json-nodes.ts";
import { mutateJson } from "../../../../fuzz/src/mutate/mutate-json.ts";
import { mutateText } from "../../../../fuzz/src/mutate/mutate-text.ts";
import { onShared, sharedExists, sharedFolder } from "../../../core/test/shared.ts";
import { formatNamed, importBytes, importSample, listFixtures, readSample } from "../../test/fixtures.ts";
import type { Sample } from "./format.ts";
import { formats, rankFormats } from "./formats.ts";

const samples = listFixtures().map((fixture) => ({ ...fixture, sample: readSample(readFileSync(fixture.path)) }));
const texts = samples.filter(({ sample }) => sample.bytes === undefined);
const binaries = samples.filter(({ sample }) => sample.bytes !== undefined);

it("every format is damaged here", () => {
  const damaged = new Set([...texts, ...binaries].map(({ format }) => format));
  expect(formats.map(({ name }) => name).filter((name) => !damaged.has(name))).toEqual([]);
});

describe("damaged samples", () => {
  it.each(texts)("$name", ({ format, sample }) => survives(format, sample, 40));
});

/** Members that readers make a text or a number of. */
const SPOKEN = /id|cause|name|role|type|kind|time|at$|index|sequence|count|tokens|status|code/i;

describe("an object that has no text, in place of whatever is made a text", () => {
  it.each(texts.filter(({ sample }) => sample.text === undefined))("$name", ({ format, sample }) => {
    const root = structuredClone(sample.document ?? sample.lines) as Json;
    const damaged =
      sample.document === undefined ? { lines: root as readonly Json[] } : { document: root, lines: [root] };
    for (const { parent, key } of listNodes(root)
      .filter((node) => SPOKEN.test(String(node.key)))
      .slice(0, 80)) {
      const members = parent as Record<string, Json>;
      const before = members[key]!;
      members[key] = unspeakable;
      readDamaged(format, damaged);
      members[key] = before;
    }
  });
});

describe("damaged bytes", () => {
  it.each(binaries)("$name", async ({ format, path }) => {
    const good = readFileSync(path);
    for (let round = 0; round < 60; round++) {
      const bytes = Buffer.from(good);
      const at = Math.floor((round / 60) * bytes.length);
      bytes[at] = bytes[at]! ^ (1 << (round % 8));
      for (const broken of [bytes, good.subarray(0, at)]) {
        try {
          for (const { records } of await importBytes(formatNamed(format), broken)) checkTrace(records);
        } catch (error) {
          if (!(error instanceof SpoorError) && !(error instanceof JsonSyntaxError)) throw error;
        }
      }
    }
  });
});

describe.skipIf(!sharedExists)(onShared("damaged real files"), () => {
  it.each(smallestOfEachCorpus())("$name", ({ path }) => {
    const sample = firstFew(readSample(gunzipSync(readFileSync(path))));
    survives(rankFormats(sample)[0]!.format.name, sample, 20);
  });
});

function survives(format: string, sample: Sample, numRuns: number): void {
  const random = createRandom(42);
  for (let run = 0; run < numRuns; run++) {
    const damaged = damage(sample, random);
    for (const { recognition } of rankFormats(damaged)) expect(recognition.score).toBeGreaterThanOrEqual(0);
    readDamaged(format, damaged);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  }
}

function readDamaged(format: string, damaged: Sample): void {
  try {
    for (const { records } of importSample(formatNamed(format), damaged)) {
      checkTrace(records);
      // Our own records are kept as recorded, right or wrong: `verify` judges their clocks.
      if (format !== "agentlog") checkClocks(records);
    }
  } catch (error) {
    if (!(error instanceof SpoorError)) throw error;
  }
}

function smallestOfEachCorpus(): { name: string; path: string }[] {
  if (!sharedExists) return [];
  const corpora = join(sharedFolder, "corpora");
  return readdirSync(corpora).map((corpus) => {
    const files = readdirSync(join(corpora, corpus)).filter((file) => file.endsWith(".gz"));
    const paths = files.map((file) => ({ name: `${corpus}/${file}`, path: join(corpora, corpus, file) }));
    return paths.sort((left, right) => statSync(left.path).size - statSync(right.path).size)[0]!;
  });
}

/** Enough of a long file: every shape is in its first runs or lines. */
function firstFew(sample: Sample): Sample {
  if (sample.document === undefined) return { lines: sample.lines!.slice(0, 40) };
  const { document } = sample;
  if (Array.isArray(document)) return { document: document.slice(0, 3), lines: [document.slice(0, 3)] };
  const shortened = Object.entries(document as object).map(([key, value]) => [
    key,
    Array.isArray(value) ? value.slice(0, 12) : value,
  ]);
  const short = Object.fromEntries(shortened) as Json;
  return { document: short, lines: [short] };
}

/** What lenses rely on, whatever the file says: what was not measured or not named is absent, never less than nothing and never empty. */
function checkTrace(records: readonly TraceRecord[]): void {
  const trace = buildTrace(records, { source: { format: "damaged" } });
  expect(typeof trace.id).toBe("string");
  const { turns, toolCalls, steps } = trace;
  for (const { response, usage, durationMs, costUsd } of turns) {
    if (typeof response !== "object") expect.fail("a response that is no object");
    for (const amount of [durationMs, costUsd, ...Object.values(usage ?? {})]) checkAmount(amount);
  }
  for (const { durationMs, inputTokens, outputTokens } of steps)
    for (const amount of [durationMs, inputTokens, outputTokens]) checkAmount(amount);
  const names = [
    ...toolCalls.map((call) => call.name),
    ...steps.filter((step) => step.kind !== "llm").map((step) => step.target),
    ...[...turns, ...toolCalls, ...steps, trace].flatMap(({ agent }) => agent ?? []),
    ...turns.flatMap(({ model, requestedModel }) => [model ?? [], requestedModel ?? []].flat()),
    ...turns.flatMap(({ offeredTools }) => (offeredTools ?? []).map((tool) => tool.name)),
  ];
  if (names.some((name) => name.trim() === "")) expect.fail("something has an empty name");
  for (const { durationMs } of toolCalls) checkAmount(durationMs);
  for (const record of records) stringifyJson(record.payload);
}

function checkAmount(amount: number | undefined): void {
  if (amount !== undefined && !(Number.isFinite(amount) && amount >= 0)) expect.fail(`an amount of ${amount}`);
}

function checkClocks(records: readonly TraceRecord[]): void {
  for (const { ts } of records) if (ts !== undefined) expect(new Date(ts).getTime()).not.toBeNaN();
}

function damage(sample: Sample, random: Random): Sample {
  if (sample.text !== undefined) return { text: mutateText(sample.text, random) };
  const damaged = mutateJson(structuredClone(sample.document ?? sample.lines ?? null) as Json, random);
  if (sample.document !== undefined) return { document: damaged, lines: [damaged] };
  return { lines: Array.isArray(damaged) ? (damaged as readonly Json[]) : [damaged] };
}
