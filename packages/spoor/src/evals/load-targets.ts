/** Finds the targets file, takes the wanted target out of it, fills in the environment and opens its provider. */

import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { Json, JsonObject } from "@spoor/core";
import { digestJson } from "@spoor/core/internal/canonical/digest";
import { SpoorError } from "@spoor/core/internal/errors";
import { Located, Problems } from "@spoor/core/internal/read/located";
import { parseYaml } from "@spoor/core/internal/read/parse-yaml";
import type { Address } from "@spoor/core/internal/read/source";
import { nearest } from "@spoor/core/internal/text/nearest";
import { isObject, member, stringMember } from "@spoor/core/internal/trace/json";
import { type Environment, interpolate, type UsedVariable } from "./interpolate.ts";
import { foldersUpTo } from "./project-root.ts";
import type { Provider } from "./providers/provider.ts";
import { findProvider, providers } from "./providers/providers.ts";
import { TargetReader } from "./target-reader.ts";

export interface Target {
  readonly name: string;
  readonly providerName: string;
  readonly provider: Provider;
  /** The target that judges, when it is another one. */
  readonly judgeTarget?: string;
  readonly workers?: number;
  readonly timeoutMs?: number;
  readonly retry: RetrySettings;
  /** Over the settings as written, before the environment: no secret goes into it. */
  readonly digest: string;
  /** Settings after the environment was filled in; for judges. Never written anywhere. */
  readonly settings: JsonObject;
}

export interface RetrySettings {
  readonly maxRetries?: number;
  readonly initialDelayMs: number;
  readonly maxDelayMs: number;
  readonly backoffFactor: number;
}

export interface TargetsFile {
  readonly file: string;
  readonly names: readonly string[];
  /** Opens a target; throws a SpoorError that lists every problem of it. */
  open(name: string, env: Environment, used: UsedVariable[]): Target;
}

const TARGET_FILES = ["targets.yaml", "targets.yml", join(".agentv", "targets.yaml"), join(".agentv", "targets.yml")];

/** `explicit` (from `--targets`) wins; else the nearest targets file upwards, then in the working folder. */
export function loadTargets(explicit: string | undefined, folder: string, root: string, cwd: string): TargetsFile {
  if (explicit !== undefined) return readTargets(explicit, explicit);
  for (const base of [...foldersUpTo(folder, root), cwd]) {
    for (const name of TARGET_FILES) {
      const path = join(base, name);
      if (existsSync(path))
        return readTargets(path, relative(cwd, path).startsWith("..") ? path : relative(cwd, path) || path);
    }
  }
  throw new SpoorError("targets.missing", "There is no targets file: nothing says which agent to ask.", {
    consequence: "Nothing was run.",
    hint: `Write targets.yaml beside the eval file with a list "targets", each with a name and a provider (${providers.map((provider) => provider.names[0]).join(", ")}), or name one with --targets.`,
  });
}

function readTargets(path: string, shown: string): TargetsFile {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw new SpoorError("targets.missing", `${shown} cannot be read: ${(error as Error).message}.`, {
      at: { file: shown },
      consequence: "Nothing was run.",
    });
  }
  const source = parseYaml(text, shown);
  const entries = targetEntries(source.value);
  if (entries === undefined) {
    const problems = new Problems(source);
    problems.root().problem('a targets file needs a list "targets", each with a name and a provider.');
    problems.throwIfAny("targets.invalid", "Nothing was run.");
  }
  const names = entries!.map(({ name }) => name);

  return {
    file: shown,
    names,
    open(name, env, used) {
      const entry = entries!.find((candidate) => candidate.name === name);
      if (entry === undefined) throw unknownTarget(name, shown, names);
      const problems = new Problems(source);
      const target = openTarget(entry, env, used, problems, dirname(path));
      problems.throwIfAny("targets.invalid", "Nothing was run.");
      return target!;
    },
  };
}

interface TargetEntry {
  readonly name: string;
  readonly raw: JsonObject;
  readonly path: Address;
}

function targetEntries(root: Json): TargetEntry[] | undefined {
  const list = Array.isArray(root) ? root : member(root, "targets");
  const base: Address = Array.isArray(root) ? [] : ["targets"];
  if (Array.isArray(list)) {
    return list.flatMap((raw: Json, index): TargetEntry[] => {
      const name = stringMember(raw, "name") ?? stringMember(raw, "id") ?? stringMember(raw, "label");
      return isObject(raw) && name !== undefined ? [{ name, raw, path: [...base, index] }] : [];
    });
  }
  if (!isObject(list)) return undefined;
  return Object.entries(list).flatMap(([name, raw]) => (isObject(raw) ? [{ name, raw, path: [...base, name] }] : []));
}

function unknownTarget(name: string, file: string, names: readonly string[]): SpoorError {
  const close = nearest(name, names);
  return new SpoorError("targets.unknown", `${file} has no target "${name}"; it has ${names.join(", ") || "none"}.`, {
    at: { file },
    consequence: "Nothing was run.",
    ...(close === undefined ? {} : { hint: `Did you mean ${close}?` }),
  });
}

function openTarget(
  entry: TargetEntry,
  env: Environment,
  used: UsedVariable[],
  problems: Problems,
  folder: string,
): Target | undefined {
  const at = new Located(entry.raw, entry.path, problems);
  const settings = interpolate(at, env, used) as JsonObject;
  const reader = new TargetReader(entry.name, at.with(settings), folder);
  reader.text("name", "id", "label");
  const written = reader.required("provider");
  const definition = findProvider(written);
  if (definition === undefined) {
    const known = providers.flatMap((provider) => provider.names);
    const close = nearest(written, known);
    if (written !== "")
      reader.problem(
        ["provider"],
        `unknown provider "${written}". ${close === undefined ? `Known: ${known.join(", ")}.` : `Did you mean ${close}?`}`,
      );
    return undefined;
  }
  const judgeTarget = reader.text("judge_target", "grader_target");
  const workers = reader.number("workers", { min: 1, max: 50, integer: true });
  const timeout = reader.number("timeout_seconds", { min: 0.001 });
  if (definition.names[0] !== "cli" && reader.flag("provider_batching") === true) {
    reader.diagnose("provider_batching", '"provider_batching" has an effect with the cli provider only.');
  }
  const maxRetries = reader.number("max_retries", { min: 0, integer: true });
  const retry: RetrySettings = {
    ...(maxRetries === undefined ? {} : { maxRetries }),
    initialDelayMs: reader.number("retry_initial_delay_ms", { min: 0 }) ?? 1000,
    maxDelayMs: reader.number("retry_max_delay_ms", { min: 0 }) ?? 60_000,
    backoffFactor: reader.number("retry_backoff_factor", { min: 1 }) ?? 2,
  };
  if (reader.json("retry_status_codes") !== undefined) {
    reader.diagnose(
      "retry_status_codes",
      '"retry_status_codes" has no effect: 408, 429 and 5xx are tried again, other codes never.',
    );
  }
  const provider = definition.open(reader);
  reader.finish(definition.names[0]);
  return {
    name: entry.name,
    providerName: definition.names[0],
    provider,
    ...(judgeTarget === undefined ? {} : { judgeTarget }),
    ...(workers === undefined ? {} : { workers }),
    ...(timeout === undefined ? {} : { timeoutMs: timeout * 1000 }),
    retry,
    digest: digestJson(entry.raw, 16),
    settings,
  };
}
