/**
 * A policy file, or a pack that comes with Spoor (`spoor:refunds`). Files that a policy names (schemas, policies it extends)
 * are read relative to it; they may not lie outside the policy's own folder and the folder one works in.
 */
import { readdirSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { digestText } from "@spoor/core/internal/canonical/digest";
import { SpoorError } from "@spoor/core/internal/errors";
import { type ParsePolicyOptions, parsePolicy } from "@spoor/core/internal/policy/parse-policy";
import type { Policy } from "@spoor/core/internal/policy/policy";
import { nearest } from "@spoor/core/internal/text/nearest";
import { packageFile } from "../package-files.ts";
import { requireInside } from "./fence.ts";
import { isInside } from "./is-inside.ts";
import { keepTexts } from "./known-texts.ts";
import { readText } from "./read-text.ts";
import { whyUnreadable } from "./why-unreadable.ts";

const PACK_FOLDER = fileURLToPath(packageFile("policies/"));
const PACK_PREFIX = "spoor:";

export interface LoadPolicyOptions {
  /** The folder one works in. */
  readonly cwd: string;
  /** Where what its texts say may be kept, for programs that start often. The policy then has no examples. */
  readonly kept?: string;
}

export function loadPolicy(file: string, options: LoadPolicyOptions): Policy {
  return loadPolicySources(file, options).policy;
}

export interface LoadedPolicy {
  readonly policy: Policy;
  /** Every file it was read from, packs included, in the order in which they were read. */
  readonly sources: readonly { readonly file: string; readonly text: string }[];
}

/** The same with what it was read from, for those who log by which policy they decided. */
export function loadPolicySources(file: string, options: LoadPolicyOptions): LoadedPolicy {
  const sources: { file: string; text: string }[] = [];
  const known = options.kept === undefined ? undefined : keepTexts(options.kept);
  const read: NonNullable<ParsePolicyOptions["read"]> = (name, from) => {
    const found = readReferenced(name, from, options);
    if (!("problem" in found)) sources.push(found);
    return found;
  };
  const parse = (text: string, name: string) => {
    const policy = parsePolicy(text, { file: name, read, ...(known === undefined ? {} : { known }) });
    known?.keep();
    return { policy, sources };
  };
  if (file.startsWith(PACK_PREFIX)) {
    const pack = readPack(file);
    if ("problem" in pack)
      throw new SpoorError("policy.unknown-pack", pack.problem, { consequence: "Nothing was checked." });
    sources.push(pack);
    return parse(pack.text, pack.file);
  }
  const text = readPolicyFile(file, options);
  sources.push({ file, text });
  return parse(text, file);
}

/** Several files as one policy. */
export interface LoadedPolicies {
  readonly policy: Policy;
  /** Of each file what it was read from. */
  readonly sources: readonly LoadedPolicy["sources"][];
}

/** At least one path. */
export function loadPolicies(paths: readonly string[], { cwd }: Pick<LoadPolicyOptions, "cwd">): LoadedPolicies {
  const loaded = paths.map((path) => loadPolicySources(path, { cwd }));
  return { policy: joinPolicies(loaded.map(({ policy }) => policy)), sources: loaded.map(({ sources }) => sources) };
}

/** The very same policy again, from what was read: a file may have changed since, and a pipe is empty. */
export function policyOfSources(sources: LoadedPolicies["sources"]): Policy {
  return joinPolicies(
    sources.map(([first, ...named]) =>
      parsePolicy(first!.text, {
        file: first!.file,
        read: () => named.shift() ?? { problem: "it was not read before." },
      }),
    ),
  );
}

/** Ids stay unique because reports and exceptions refer to them. */
export function joinPolicies(policies: readonly Policy[]): Policy {
  return {
    ...policies[0]!,
    rules: policies.flatMap(({ rules }) => rules),
    warnings: policies.flatMap(({ warnings }) => warnings),
  };
}

/** Tells two states of a policy apart, whatever its files are called. */
export function policyDigest({ sources }: LoadedPolicy): string {
  return `sha256:${digestText(JSON.stringify(sources.map(({ text }) => text)))}`;
}

/** Names of the packs that come with Spoor. */
export function listPacks(): string[] {
  return readdirSync(PACK_FOLDER)
    .filter((name) => name.endsWith(".yaml"))
    .map((name) => name.slice(0, -".yaml".length))
    .sort();
}

function readPolicyFile(file: string, { cwd }: LoadPolicyOptions): string {
  const fail = (why: string, cause: unknown) =>
    new SpoorError("policy.unreadable", `The policy ${file} ${why}.`, {
      at: { file },
      consequence: "Nothing was checked.",
      hint: `Packs that come with Spoor: ${listPacks()
        .map((name) => PACK_PREFIX + name)
        .join(", ")}.`,
      cause,
    });
  return readText(resolve(cwd, file), fail);
}

function readPack(name: string): { file: string; text: string } | { problem: string } {
  const pack = name.slice(PACK_PREFIX.length);
  const packs = listPacks();
  if (packs.includes(pack))
    return { file: `${name}.yaml`, text: readFileSync(join(PACK_FOLDER, `${pack}.yaml`), "utf8") };
  const close = nearest(pack, packs);
  const hint = close === undefined ? `There are ${packs.join(", ")}.` : `Did you mean ${PACK_PREFIX}${close}?`;
  return { problem: `there is no pack ${name}. ${hint}` };
}

function readReferenced(
  name: string,
  from: string,
  { cwd }: LoadPolicyOptions,
): { file: string; text: string } | { problem: string } {
  if (name.startsWith(PACK_PREFIX)) return readPack(name);
  if (from.startsWith(PACK_PREFIX)) return { problem: `a pack cannot name the file ${name}.` };
  const folder = dirname(resolve(cwd, from));
  const path = resolve(folder, name);
  try {
    // First: whether there is anything outside is not told either.
    requireInside(path);
    const real = realpathSync(path);
    if (![realpathSync(cwd), realpathSync(folder)].some((root) => isInside(real, root))) {
      return { problem: `${name} lies outside ${cwd} and outside the policy's folder; such files are not read.` };
    }
    return {
      file: relative(cwd, path) || name,
      text: readText(real, (why) => new SpoorError("policy.unreadable", why)),
    };
  } catch (error) {
    const why = error instanceof SpoorError ? error.message : whyUnreadable(error);
    return { problem: `${name} ${why} (looked for it as ${relative(cwd, path)}, relative to the policy file).` };
  }
}
