/**
 * Who is not asked would not have claimed the content: held to every sample, to damaged ones, to what is left of them when keys go, and to
 * every object inside them, which is what other tools wrap or unwrap.
 */
import { readFileSync } from "node:fs";
import type { Json } from "@spoor/core";
import { createRandom } from "@spoor/core/internal/stats/random";
import { isObject } from "@spoor/core/internal/trace/json";
import { describe, expect, it } from "vitest";
import { listNodes } from "../../../../fuzz/src/mutate/json-nodes.ts";
import { mutateJson } from "../../../../fuzz/src/mutate/mutate-json.ts";
import { listFixtures, readSample } from "../../test/fixtures.ts";
import { documentSample, formatOf, linesSample } from "./choose-format.ts";
import type { Format, Sample } from "./format.ts";
import { formats, rankFormats } from "./formats.ts";
import { likelyFormats } from "./likely-formats.ts";

const samples = listFixtures().map(({ name, path }) => ({ name, sample: readSample(readFileSync(path)) }));

describe("formats that are left out by their marks claim nothing", () => {
  it.each(samples)("$name", ({ sample }) => {
    for (const variant of [sample, ...damaged(sample), ...parts(sample)]) expect(overlooked(variant)).toEqual([]);
  });

  it("the best of those that are asked is the best of all", () => {
    for (const { sample } of samples) expect(formatOf(sample)).toBe(bestOfAll(sample));
  });

  it("a few are asked about an object, all about a list, a text and an archive", () => {
    expect(likelyFormats(documentSample({ output_messages: [] })).length).toBeLessThan(6);
    expect(likelyFormats(linesSample([{ type: "user" }, { spoor: "decision" }])).length).toBeLessThan(20);
    expect(likelyFormats({ document: [{ output_messages: [] }] })).toBe(formats);
    expect(likelyFormats(linesSample([{ id: 1 }, [1]]))).toBe(formats);
    expect(likelyFormats({ text: "# aider chat started at 2026-01-01" })).toBe(formats);
    expect(likelyFormats({ bytes: new Uint8Array(8), entries: ["header.json"] })).toBe(formats);
  });
});

function bestOfAll(sample: Sample): Format | undefined {
  const [first] = rankFormats(sample);
  return first!.recognition.score < 0.5 ? undefined : first!.format;
}

function overlooked(sample: Sample): string[] {
  const asked = new Set<Format>(likelyFormats(sample));
  return formats
    .filter((format) => !asked.has(format) && format.recognise(sample).score >= 0.5)
    .map(({ name }) => `${name} of ${Object.keys(sample.document ?? sample.lines?.[0] ?? {}).join()}`);
}

function* damaged(sample: Sample): Generator<Sample> {
  if (sample.text !== undefined || sample.bytes !== undefined) return;
  const random = createRandom(7);
  const value = (sample.document ?? sample.lines) as Json;
  for (let round = 0; round < 10; round++) {
    const other = mutateJson(structuredClone(value) as Json, random);
    yield sample.document === undefined && Array.isArray(other) ? linesSample(other) : documentSample(other);
  }
}

/** Each object inside, whole, with a single key, and without each of its keys; the first lists of them as lines. */
function* parts({ document, lines = [] }: Sample): Generator<Sample> {
  const root = document ?? lines;
  const inside = [root, ...listNodes(root).map(({ parent, key }) => (parent as Record<string, Json>)[key]!)];
  const seen = new Set<string>();
  for (const value of inside) {
    if (Array.isArray(value) && value.every(isObject) && seen.size < MOST) yield linesSample(value);
    if (!isObject(value) || seen.size >= MOST) continue;
    const keys = Object.keys(value);
    const shape = keys.join();
    if (seen.has(shape)) continue;
    seen.add(shape);
    yield documentSample(value);
    yield linesSample([value, value]);
    for (const key of keys.slice(0, 20)) {
      const { [key]: alone, ...others } = value;
      yield documentSample({ [key]: alone! });
      yield documentSample(others);
    }
  }
}

const MOST = 25;
