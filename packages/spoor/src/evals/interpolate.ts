/**
 * `${{ NAME }}` in a targets file becomes the value of an environment variable. A missing variable is an error that names
 * it and its place: an empty key or path would fail later, far from the cause. Every value that was used is remembered,
 * because it may be a secret (redact.ts).
 */
import type { Json } from "@spoor/core";
import type { YamlPath } from "@spoor/core/read/parse-yaml";
import { isObject, setMember } from "@spoor/core/trace/json";
import type { ProblemList } from "@spoor/core/yaml/problem-list";

export type Environment = Readonly<Record<string, string | undefined>>;

/** A variable that was used, and the key it was used under. */
export interface UsedVariable {
  readonly name: string;
  readonly value: string;
  readonly key: string;
}

const REFERENCE = /\$\{\{\s*(?:env\.)?([A-Za-z_][A-Za-z0-9_]*)\s*\}\}/g;

export function interpolate(
  value: Json,
  path: YamlPath,
  env: Environment,
  problems: ProblemList,
  used: UsedVariable[],
): Json {
  if (typeof value === "string") return interpolateText(value, path, env, problems, used);
  if (Array.isArray(value)) return value.map((item, index) => interpolate(item, [...path, index], env, problems, used));
  if (!isObject(value)) return value;
  const result: Record<string, Json> = {};
  for (const [key, item] of Object.entries(value)) {
    setMember(result, key, interpolate(item, [...path, key], env, problems, used));
  }
  return result;
}

function interpolateText(
  text: string,
  path: YamlPath,
  env: Environment,
  problems: ProblemList,
  used: UsedVariable[],
): string {
  return text.replace(REFERENCE, (reference, name: string) => {
    const value = env[name];
    if (value === undefined || value === "") {
      const state = value === undefined ? "is not set" : "is empty";
      problems.add(
        path,
        `the environment variable ${name} ${state}. Set it, or put ${name}=… into a .env file beside the targets file.`,
      );
      return reference;
    }
    used.push({ name, value, key: String(path.findLast((part) => typeof part === "string") ?? "") });
    return value;
  });
}
