/** Finds the targets file, takes the wanted target out of it, fills in the environment and opens its provider. */

import { existsSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { Json } from "@spoor/core";
import { digestJson } from "@spoor/core/internal/canonical/digest";
import { SpoorError } from "@spoor/core/internal/errors";
import { Located, Problems } from "@spoor/core/internal/read/located";
import { parseYaml } from "@spoor/core/internal/read/parse-yaml";
import { nearest } from "@spoor/core/internal/text/nearest";
import { readText } from "../load/read-text.ts";
import { createFileDigests, PROGRAMS } from "./file-digests.ts";
import { type Environment, interpolate, type UsedVariable } from "./interpolate.ts";
import { requireKnownTarget } from "./known-starts.ts";
import { limitsOf } from "./limits-shape.ts";
import { foldersUpTo } from "./project-root.ts";
import { ANTHROPIC_URL } from "./providers/anthropic.ts";
import { OPENAI_URL } from "./providers/openai.ts";
import type { Provider } from "./providers/provider.ts";
import { providers } from "./providers/providers.ts";
import { isSecretValue } from "./redact.ts";
import type { RetrySettings } from "./retrying.ts";
import type { RunLimits } from "./run-limits.ts";
import { type TargetValues, targetShape } from "./target.ts";
import { secretsOfTarget } from "./target-secrets.ts";
import { type TargetEntry, targetsFile } from "./targets-file.ts";
import { listPriceOf, type TokenPrices } from "./token-prices.ts";

export interface Target {
  readonly name: string;
  readonly providerName: string;
  readonly provider: Provider;
  /** The targets that judge, when they are others. */
  readonly judgeTargets?: readonly string[];
  readonly workers?: number;
  readonly timeoutMs?: number;
  readonly limits?: RunLimits;
  /** `fresh`: every run has a home folder of its own. */
  readonly home?: "inherit" | "fresh";
  readonly retry: RetrySettings;
  /** What its tokens cost: as it says, else by the list where it is asked at its maker's address. */
  readonly prices?: TokenPrices;
  /** Over the settings and the programs they name; of secrets only the names go into it. */
  readonly digest: string;
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
  const fail = (why: string, cause: unknown) =>
    new SpoorError("targets.missing", `${shown} ${why}.`, {
      at: { file: shown },
      consequence: "Nothing was run.",
      cause,
    });
  const source = parseYaml(readText(path, fail), shown);
  const problems = new Problems(source);
  const entries = targetsFile.read(problems.root()) ?? [];
  problems.throwIfAny("targets.invalid", "Nothing was run.");
  const names = entries.map(({ name }) => name);

  return {
    file: shown,
    names,
    open(name, env, used) {
      const entry = entries.find((candidate) => candidate.name === name);
      if (entry === undefined) throw unknownTarget(name, shown, names);
      requireKnownTarget(path, entry);
      return openTarget(entry, env, used, new Problems(source), dirname(path));
    },
  };
}

function unknownTarget(name: string, file: string, names: readonly string[]): SpoorError {
  const close = nearest(name, names);
  return new SpoorError("targets.unknown", `${file} has no target "${name}"; it has ${names.join(", ") || "none"}.`, {
    at: { file },
    consequence: "Nothing was run.",
    ...(close === undefined ? {} : { hint: `Did you mean ${close}?` }),
  });
}

/** Only the target that is asked for is read in full: the others may need an environment that is not there. */
function openTarget(
  { name, at }: TargetEntry,
  env: Environment,
  used: UsedVariable[],
  problems: Problems,
  folder: string,
): Target {
  const written = new Located(at.value, at.address, problems);
  const before = used.length;
  const filled = interpolate(written, env, used);
  const digest = digestOf(written, env, used.slice(before), filled, folder);
  used.push(...secretsOfTarget(filled));
  const read = targetShape.read(written.with(filled));
  problems.throwIfAny("targets.invalid", "Nothing was run.");
  const { variant, values } = read!;
  const { judgeTarget, workers, timeoutSeconds, limits, home, maxRetries, pricing, ...retry } = values as TargetValues;
  const prices = pricing ?? listedPrice(variant.names[0], values as Partial<ListedModel>);
  return {
    name,
    providerName: variant.names[0],
    provider: variant.open(values, folder),
    ...(judgeTarget === undefined ? {} : { judgeTargets: judgeTarget }),
    ...(workers === undefined ? {} : { workers }),
    ...limitsOf(limits, timeoutSeconds ?? limits?.timeoutSeconds),
    home,
    retry: {
      ...(maxRetries === undefined ? {} : { maxRetries }),
      initialDelayMs: retry.retryInitialDelayMs,
      maxDelayMs: retry.retryMaxDelayMs,
      backoffFactor: retry.retryBackoffFactor,
    },
    ...(prices === undefined ? {} : { prices }),
    digest,
  };
}

interface ListedModel {
  readonly model: string;
  readonly baseUrl: string;
}

const MAKERS: Readonly<Record<string, string>> = { openai: OPENAI_URL, anthropic: ANTHROPIC_URL };

/** Another address may have other prices for the same name. */
function listedPrice(provider: string, { model, baseUrl }: Partial<ListedModel>): TokenPrices | undefined {
  const isMaker = baseUrl !== undefined && Object.hasOwn(MAKERS, provider) && baseUrl === MAKERS[provider];
  return isMaker && model !== undefined ? listPriceOf(model) : undefined;
}

/** With the values that the environment gives, but for secrets: another key asks the same agent. */
function digestOf(
  written: Located,
  env: Environment,
  used: readonly UsedVariable[],
  filled: Json,
  folder: string,
): string {
  const names = used.filter(isSecretValue).map(({ name }) => [name, `secret ${name}`]);
  const settings = names.length === 0 ? filled : interpolate(written, { ...env, ...Object.fromEntries(names) }, []);
  return digestJson([settings, createFileDigests().named(filled, folder, PROGRAMS)], 16);
}
