/**
 * One damaged file. A file that is JSON, lines of JSON or YAML is mostly damaged where it has a structure, so that the damage gets past the
 * parser to those who read the values; now and then it is damaged as text, as bytes, or packed.
 */
import { gzipSync } from "node:zlib";
import type { Json } from "@spoor/core";
import { parseDocument } from "@spoor/core/internal/bundled/yaml";
import type { Random } from "@spoor/core/internal/stats/random";
import { stringifyJson } from "@spoor/core/internal/trace/json";
import { parseJson } from "@spoor/core/internal/trace/parse-json";
import { depthOf, hasMoreThan } from "./json-nodes.ts";
import { mutateBytes } from "./mutate-bytes.ts";
import { mutateJson, pick } from "./mutate-json.ts";
import { mutateText } from "./mutate-text.ts";

/** A file that is in order, to be damaged. */
export interface Seed {
  /** For people, and to tell which file an input was made of. */
  readonly name: string;
  readonly bytes: Buffer;
  readonly content: SeedContent;
}

type SeedContent =
  /** `fresh` makes a value of its own each time: reading it again is faster than copying it. */
  | { readonly kind: "document" | "yaml" | "lines"; readonly value: Json; fresh(): Json }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "bytes" };

export function readSeed(name: string, bytes: Buffer): Seed {
  return { name, bytes, content: contentOf(name, bytes) };
}

export function mutate(seed: Seed, random: Random, donors: readonly Seed[] = []): Buffer {
  const how = random.below(100);
  if (how < 3) return mutateBytes(seed.bytes, random);
  if (how < 4) return gzipSync(mutateBytes(seed.bytes, random)).subarray(0, 20 + random.below(seed.bytes.length));
  const { content } = seed;
  if (content.kind === "bytes") return mutateBytes(seed.bytes, random);
  if (content.kind === "text" || how < (content.kind === "yaml" ? 40 : 12))
    return Buffer.from(mutateText(seed.bytes.toString("utf8"), random));
  const damaged = mutateJson(content.fresh(), random, valuesOf(donors, random));
  // Parts that hold themselves twice, a few times over, are a file of hundreds of megabytes: such are tried elsewhere (surroundings).
  if (hasMoreThan(damaged, MOST_VALUES)) return Buffer.from(mutateText(seed.bytes.toString("utf8"), random));
  if (depthOf(damaged) > DEEPEST) return Buffer.from("[".repeat(DEEPEST) + "]".repeat(DEEPEST));
  return Buffer.from(content.kind === "lines" ? linesOf(damaged) : stringifyJson(damaged));
}

/** Parts of a nested document nested again grow beyond what can be written: such a document is as deep as one that can. */
const DEEPEST = 2_500;
const MOST_VALUES = 500_000;

/** One other document is enough for one input. */
function valuesOf(donors: readonly Seed[], random: Random): readonly Json[] {
  if (donors.length === 0 || random.below(2) === 0) return [];
  const { content } = pick(donors, random);
  return "value" in content ? [content.value] : [];
}

function linesOf(value: Json): string {
  const lines = Array.isArray(value) ? (value as readonly Json[]) : [value];
  return lines.map((line) => `${stringifyJson(line)}\n`).join("");
}

function contentOf(name: string, bytes: Buffer): SeedContent {
  const text = bytes.toString("utf8");
  if (/\.ya?ml$/.test(name)) return valued("yaml", parseDocument(text).toJS() as Json);
  if (!Buffer.from(text).equals(bytes)) return { kind: "bytes" };
  return documentOf(text) ?? linesIn(text) ?? { kind: "text", text };
}

function documentOf(text: string): SeedContent | undefined {
  try {
    return valued("document", parseJson(text));
  } catch {
    return undefined;
  }
}

function linesIn(text: string): SeedContent | undefined {
  try {
    const lines = text.split("\n").filter((line) => line.trim() !== "");
    return valued(
      "lines",
      lines.map((line) => parseJson(line)),
    );
  } catch {
    return undefined;
  }
}

function valued(kind: "document" | "yaml" | "lines", value: Json): SeedContent {
  const text = stringifyJson(value);
  // Numbers that only our own parser keeps are rare among seeds, and kept.
  const isPlain = stringifyJson(JSON.parse(text) as Json) === text;
  return { kind, value, fresh: () => (isPlain ? (JSON.parse(text) as Json) : parseJson(text)) };
}
