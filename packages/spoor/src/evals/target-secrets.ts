/**
 * Secrets that a targets file writes out instead of taking them from the environment: under a key that says so, in headers, in the
 * agent's environment, in the words of a command.
 */
import type { Json } from "@spoor/core";
import { isSecretKey, isSecretVariable, isSurroundings } from "@spoor/core/internal/redact/secret-names";
import { hasSecretShape, looksRandom } from "@spoor/core/internal/redact/secret-values";
import { isObject } from "@spoor/core/internal/trace/json";
import type { UsedVariable } from "./interpolate.ts";

export function secretsOfTarget(target: Json): UsedVariable[] {
  return [...secretsUnder(target, "", false)];
}

/** The variables that are set for an agent, wherever a file does so. */
export function secretsOfSettings(settings: Readonly<Record<string, string>>): UsedVariable[] {
  return [...secretsUnder({ ...settings }, "env", true)];
}

/** `isFree`: the keys below are the user's own (headers, environments), so that values count by their looks as well. */
function* secretsUnder(value: Json, key: string, isFree: boolean): Generator<UsedVariable> {
  if (typeof value === "string") {
    if (isSurroundings(key)) return;
    const isNamed = key !== "" && (isSecretKey(key) || isSecretVariable(key));
    if (isNamed || hasSecretShape(value) || (isFree && looksRandom(value))) yield* literal(key, value);
    else yield* secretWords(value, key);
  } else if (Array.isArray(value)) {
    for (const [index, item] of (value as readonly Json[]).entries()) {
      const before = index === 0 ? undefined : value[index - 1];
      const isSet = typeof before === "string" && typeof item === "string" && namesSecret(before);
      if (isSet) yield* literal(before.replace(/^-+/, ""), item);
      else yield* secretsUnder(item, key, isFree);
    }
  } else if (isObject(value)) {
    for (const [name, item] of Object.entries(value))
      yield* secretsUnder(item, name, isFree || /^(?:headers|env|environment)$/i.test(name));
  }
}

function* literal(name: string, value: string): Generator<UsedVariable> {
  yield { name: name === "" ? "secret" : name, value, key: name, isLiteral: true };
  const [, encoded] = /^Basic\s+(\S+)$/i.exec(value) ?? [];
  const password =
    encoded === undefined ? undefined : Buffer.from(encoded, "base64").toString("utf8").split(":").slice(1).join(":");
  if (password) yield { name, value: password, key: name, isLiteral: true };
}

/** `--api-key VALUE`, `TOKEN=value agent`, or a word that is a key by its looks. */
function* secretWords(command: string, key: string): Generator<UsedVariable> {
  const words = command.split(/\s+/).map((word) => word.replace(/^["']|["']$/g, ""));
  for (const [index, word] of words.entries()) {
    const [, option, given] = /^-*([A-Za-z_][\w-]*)=["']?(.+)$/.exec(word) ?? [];
    if (hasSecretShape(word)) yield* literal(key, word);
    else if (option !== undefined && given !== undefined && (isSecretKey(option) || hasSecretShape(given)))
      yield* literal(option, given);
    else if (namesSecret(words[index - 1])) yield* literal(words[index - 1]!.replace(/^-+/, ""), word);
  }
}

function namesSecret(word: string | undefined): boolean {
  return word !== undefined && /^--?[A-Za-z]/.test(word) && !word.includes("=") && isSecretKey(word.replace(/^-+/, ""));
}
