/**
 * Keeps secrets out of everything that is written: results, dumped traces, error messages. What counts as a secret: any
 * value a targets file took from the environment (from eight characters on, shorter ones only when the name or the key
 * says so), and any environment variable whose name says that it is one.
 *
 * What is no secret stays, because a trace is evidence: where something lies (`PWD`, `SSH_AUTH_SOCK`, a key's file) and what a target
 * is called, runs on or runs in (`model`, `cwd`) would otherwise be torn out of arguments and names.
 */
import type { Json } from "@spoor/core";
import { createKnownSecrets } from "@spoor/core/internal/redact/known-secrets";
import { isSecretVariable } from "@spoor/core/internal/redact/secret-names";
import { isObject, setMember } from "@spoor/core/internal/trace/json";
import { environmentSecrets, isPlace } from "@spoor/record/internal/node/environment-secrets";
import type { Environment, UsedVariable } from "./interpolate.ts";

const SECRET_KEY = /key|token|secret|password|authorization|cookie|credential/i;
/** Keys of a target under which nobody keeps a secret. */
const PLAIN_KEY =
  /^(?:name|model|deployment|provider|api_version|version|region|cwd|workspace\w*|path|file|dir|folder)$/i;
const MIN_LENGTH = 8;

export interface Redactor {
  text(text: string): string;
  json<T extends Json>(value: T): T;
}

export function createRedactor(used: readonly UsedVariable[], env: Environment): Redactor {
  const names = environmentSecrets(env);
  for (const { name, value, key } of used) {
    const isSecret = isSecretVariable(name) || SECRET_KEY.test(key);
    if (!isSecret && (PLAIN_KEY.test(key) || isPlace(name, value))) continue;
    if (value.length >= MIN_LENGTH || (isSecret && value.length >= 4)) names.set(value, name);
  }
  const known = createKnownSecrets(names, (name) => `[${name} removed]`);
  if (known === undefined) return { text: (text) => text, json: (value) => value };
  return { text: known.text, json: (value) => redactJson(value, known.text) as typeof value };
}

function redactJson(value: Json, text: (input: string) => string): Json {
  if (typeof value === "string") return text(value);
  if (Array.isArray(value)) return value.map((item) => redactJson(item, text));
  if (!isObject(value)) return value;
  const result: Record<string, Json> = {};
  for (const [key, item] of Object.entries(value)) setMember(result, text(key), redactJson(item, text));
  return result;
}
