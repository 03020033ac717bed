/**
 * `${{ NAME }}` in a targets file becomes the value of an environment variable. A missing variable is an error that names
 * it and its place: an empty key or path would fail later, far from the cause. Every value that was used is remembered,
 * because it may be a secret (redact.ts).
 */
import type { Json } from "@spoor/core";
import type { Located } from "@spoor/core/internal/read/located";
import { isObject, setMember } from "@spoor/core/internal/trace/json";

export type Environment = Readonly<Record<string, string | undefined>>;

/** A variable that was used, and the key it was used under. */
export interface UsedVariable {
  readonly name: string;
  readonly value: string;
  readonly key: string;
  /** No variable: a secret that the file itself writes out, named after its key. */
  readonly isLiteral?: boolean;
}

const REFERENCE = /\$\{\{\s*(?:env\.)?([A-Za-z_][A-Za-z0-9_]*)\s*\}\}/g;

/** The value at a place with its references replaced. */
export function interpolate(at: Located, env: Environment, used: UsedVariable[]): Json {
  const { value } = at;
  if (typeof value === "string") return interpolateText(value, at, env, used);
  if (Array.isArray(value)) return at.items().map((item) => interpolate(item, env, used));
  if (!isObject(value)) return value;
  const result: Record<string, Json> = {};
  for (const key of at.keys()) setMember(result, key, interpolate(at.get(key)!, env, used));
  return result;
}

function interpolateText(text: string, at: Located, env: Environment, used: UsedVariable[]): string {
  return text.replace(REFERENCE, (reference, name: string) => {
    const value = env[name];
    if (value === undefined || value === "") {
      const state = value === undefined ? "is not set" : "is empty";
      at.problem(
        `the environment variable ${name} ${state}. Set it, or put ${name}=… into a .env file beside the targets file.`,
      );
      return reference;
    }
    used.push({ name, value, key: String(at.address.findLast((part) => typeof part === "string") ?? "") });
    return value;
  });
}
