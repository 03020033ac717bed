/**
 * Keeps secrets out of everything that is written: results, dumped traces, error messages. What counts as a secret: any
 * value a targets file took from the environment (from eight characters on, shorter ones only when the name or the key
 * says so), and any environment variable whose name says that it is one.
 *
 * What is no secret stays, because a trace is evidence: where something lies (`PWD`, `SSH_AUTH_SOCK`, a key's file) and what a target
 * is called, runs on or runs in (`model`, `cwd`) would otherwise be torn out of arguments and names.
 */
import { existsSync } from "node:fs";
import { isAbsolute } from "node:path";
import type { Json } from "@spoor/core";
import { isObject, setMember } from "@spoor/core/internal/trace/json";
import type { Environment, UsedVariable } from "./interpolate.ts";

const SECRET_NAME =
  /(^|[_-])(key|apikey|token|secret|password|passwd|pwd|credentials?|auth|authorization|cookie|dsn)s?($|[_-])|api_?key|private_?key|access_?key/i;
const SECRET_KEY = /key|token|secret|password|authorization|cookie|credential/i;
/** Variables that hold a place, whatever else their name says. */
const PLACE_NAME = /^(?:OLD)?PWD$|[_-](?:file|path|dir|directory|folder|home|sock|socket)$/i;
/** Keys of a target under which nobody keeps a secret. */
const PLAIN_KEY =
  /^(?:name|model|deployment|provider|api_version|version|region|cwd|workspace\w*|path|file|dir|folder)$/i;
const MIN_LENGTH = 8;

export interface Redactor {
  text(text: string): string;
  json<T extends Json>(value: T): T;
}

export function createRedactor(used: readonly UsedVariable[], env: Environment): Redactor {
  const names = new Map<string, string>();
  for (const { name, value, key } of used) {
    const isSecret = saysSecret(name) || SECRET_KEY.test(key);
    if (!isSecret && (PLAIN_KEY.test(key) || isPlace(name, value))) continue;
    if (value.length >= MIN_LENGTH || (isSecret && value.length >= 4)) names.set(value, name);
  }
  for (const [name, value] of Object.entries(env)) {
    if (
      value !== undefined &&
      value.length >= MIN_LENGTH &&
      saysSecret(name) &&
      !isPlace(name, value) &&
      !names.has(value)
    )
      names.set(value, name);
  }
  const pattern = patternOf(names);
  if (pattern === undefined) return { text: (text) => text, json: (value) => value };
  const text = (input: string) =>
    input.replace(pattern.expression, (found) => `[${pattern.nameOf.get(found)} removed]`);
  return { text, json: (value) => redactJson(value, text) as typeof value };
}

function saysSecret(name: string): boolean {
  return SECRET_NAME.test(name) && !PLACE_NAME.test(name);
}

/** Named as a place, or one that is there: the path of a key is not the key. */
function isPlace(name: string, value: string): boolean {
  return PLACE_NAME.test(name) || (isAbsolute(value) && existsSync(value));
}

/** One expression over every spelling a secret may take, longest first so that no part of one survives. */
function patternOf(
  names: ReadonlyMap<string, string>,
): { expression: RegExp; nameOf: ReadonlyMap<string, string> } | undefined {
  const nameOf = new Map<string, string>();
  for (const [value, name] of names) {
    const base64 = Buffer.from(value).toString("base64");
    for (const spelling of [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value), base64])
      nameOf.set(spelling, name);
  }
  if (nameOf.size === 0) return undefined;
  const spellings = [...nameOf.keys()].sort((left, right) => right.length - left.length);
  const escaped = spellings.map((spelling) => spelling.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return { expression: new RegExp(escaped.join("|"), "g"), nameOf };
}

function redactJson(value: Json, text: (input: string) => string): Json {
  if (typeof value === "string") return text(value);
  if (Array.isArray(value)) return value.map((item) => redactJson(item, text));
  if (!isObject(value)) return value;
  const result: Record<string, Json> = {};
  for (const [key, item] of Object.entries(value)) setMember(result, text(key), redactJson(item, text));
  return result;
}
