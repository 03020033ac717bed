/**
 * Answers of models on disk, one file each, named after a digest of the whole request and the number of the sample: repeated runs
 * are independent samples with the cache as without. Neither the request nor a key of an API stands in a file, and an answer that
 * holds a known secret is not kept. A damaged file is as good as none, and is counted.
 */
import { readFile, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { digestJson, digestText } from "@spoor/core/internal/canonical/digest";
import { numberMember, stringifyJson, stringMember } from "@spoor/core/internal/trace/json";
import { parseJson } from "@spoor/core/internal/trace/parse-json";
import { makeFolder } from "../../load/make-folder.ts";
import { writeFileAtomically, writeWhole } from "../../load/write-file.ts";
import type { HttpCall } from "./server-door.ts";

export const CACHE_FOLDER = join(".spoor", "cache");

export interface CachedAnswer {
  readonly text: string;
  /** How long the server took when it was asked. */
  readonly latencyMs: number;
}

export interface AnswerCache {
  read(key: string): Promise<CachedAnswer | undefined>;
  write(key: string, answer: CachedAnswer): Promise<void>;
  forget(key: string): Promise<void>;
  readonly facts: CacheFacts;
}

export interface CacheFacts {
  hits: number;
  misses: number;
  /** Files that were there and could not be used. */
  damaged: number;
  /** Answers that were not kept because a secret stands in them. */
  withheld: number;
  /** Answers that could not be written; the run goes on without. */
  unwritten: number;
}

export interface CacheOptions {
  readonly holdsSecret: (text: string) => boolean;
}

const SCHEMA = "spoor.model-answer/1";
const DIGITS = 64;

export async function openAnswerCache(folder: string, { holdsSecret }: CacheOptions): Promise<AnswerCache> {
  const facts: CacheFacts = { hits: 0, misses: 0, damaged: 0, withheld: 0, unwritten: 0 };
  // Answers are nobody's source: a repository should not carry them by accident.
  await writeFileAtomically(join(folder, ".gitignore"), "*\n");
  const pathOf = (key: string) => join(folder, key.slice(0, 2), `${key.slice(2)}.json`);
  return {
    facts,
    async read(key) {
      const text = await readFile(pathOf(key), "utf8").catch(() => undefined);
      const answer = text === undefined ? undefined : parseEntry(text);
      if (answer !== undefined) facts.hits++;
      else facts.misses++;
      if (text !== undefined && answer === undefined) facts.damaged++;
      return answer;
    },
    async write(key, { text, latencyMs }) {
      if (holdsSecret(text)) {
        facts.withheld++;
        return;
      }
      const entry = { schema: SCHEMA, digest: digestText(text, DIGITS), latency_ms: latencyMs, text };
      try {
        await makeFolder(dirname(pathOf(key)));
        await writeWhole(pathOf(key), `${stringifyJson(entry)}\n`, { mode: 0o600 });
      } catch {
        facts.unwritten++;
      }
    },
    forget: (key) => rm(pathOf(key), { force: true }),
  };
}

/** Which key asks makes no difference to the answer; everything else of a request may. */
const KEY_HEADERS: ReadonlySet<string> = new Set(["authorization", "x-api-key", "api-key"]);

export function cacheKey({ method, url, headers, body = "" }: HttpCall, sample: string): string {
  const named = Object.entries(headers)
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name]) => !KEY_HEADERS.has(name));
  return digestJson([SCHEMA, method, url, Object.fromEntries(named), body, sample], DIGITS);
}

function parseEntry(text: string): CachedAnswer | undefined {
  try {
    const entry = parseJson(text);
    const answer = stringMember(entry, "text");
    if (stringMember(entry, "schema") !== SCHEMA || answer === undefined) return undefined;
    if (stringMember(entry, "digest") !== digestText(answer, DIGITS)) return undefined;
    return { text: answer, latencyMs: numberMember(entry, "latency_ms") ?? 0 };
  } catch {
    return undefined;
  }
}
