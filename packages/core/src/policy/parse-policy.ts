/**
 * The text of a policy file → a policy that can run. Every problem of the file is found before anything is checked, and all
 * are reported at once: a rule that cannot run would otherwise be a rule that silently allows everything.
 */
import { type ErrorLocation, type Problem, SpoorError } from "../errors.ts";
import type { YamlDocument } from "../read/parse-yaml.ts";
import { readSource } from "../read/read-source.ts";
import { nearest } from "../text/nearest.ts";
import { describeType, shortJson } from "../text/words.ts";
import { isObject, type Json, type JsonObject, member } from "../trace/json.ts";
import { parseExamples } from "./examples.ts";
import { parsedPath } from "./parse-conditions.ts";
import { parseRule } from "./parse-rule.ts";
import type { Path } from "./path.ts";
import type { Policy, PolicyRule, PolicyWarning } from "./policy.ts";
import { type FileProblem, formatPath, type Place, Problems } from "./problems.ts";

export interface ParsePolicyOptions {
  /** The file as the user named it; its suffix decides between YAML and JSON. */
  readonly file?: string;
  /** Reads a file that the policy names, relative to the file that names it. Without it, naming one is a problem. */
  read?(name: string, from: string): { readonly file: string; readonly text: string } | { readonly problem: string };
}

/** The versions of the file format that are understood. */
export const apiVersions = ["spoor.dev/v1", "shadow.dev/v1alpha1"] as const;

const TOP_LEVEL_KEYS = ["apiVersion", "rules", "description", "session_key", "examples", "extends"];

/** Parses a policy file; throws one SpoorError that lists every problem. */
export function parsePolicy(text: string, options: ParsePolicyOptions = {}): Policy {
  return parseFile(text, options.file ?? "policy.yaml", options, []);
}

function parseFile(text: string, file: string, options: ParsePolicyOptions, chain: readonly string[]): Policy {
  const source = readSource(text, file);
  const problems = new Problems((name) => readFrom(name, file, options));
  const top = parseTop(source.value, problems.at());
  const inherited = top === undefined ? [] : parseExtended(top, problems.at(), file, options, [...chain, file]);
  const own = top === undefined ? [] : parseRules(top, source, problems);
  const rules =
    top === undefined
      ? []
      : override(
          inherited.flatMap((policy) => policy.rules),
          own,
        );
  const examples = parseExamples(
    top === undefined ? undefined : member(top, "examples"),
    rules,
    source,
    problems.at("examples"),
  );
  const sessionKey =
    parseSessionKey(top, problems.at("session_key")) ?? inherited.findLast((policy) => policy.sessionKey)?.sessionKey;
  if (problems.errors.length > 0) throw policyError(problems.errors, source);
  const description = top === undefined ? undefined : member(top, "description");
  return {
    file,
    ...(typeof description === "string" ? { description } : {}),
    rules,
    ...(sessionKey === undefined ? {} : { sessionKey }),
    examples: [
      ...inherited.flatMap((policy) => policy.examples.filter(concernsInherited(inherited, own))),
      ...examples,
    ],
    warnings: [
      ...inherited.flatMap((policy) => policy.warnings),
      ...problems.warnings.map((warning) => locateWarning(warning, source)),
    ],
  };
}

/** The document as a mapping; a bare list of rules is one with nothing else. */
function parseTop(value: Json, place: Place): JsonObject | undefined {
  if (Array.isArray(value)) return { rules: value };
  if (!isObject(value))
    return place.problem(`a policy must be a list of rules, or a mapping with rules; found ${describeType(value)}.`);
  for (const key of Object.keys(value)) {
    if (TOP_LEVEL_KEYS.includes(key)) continue;
    const close = nearest(key, TOP_LEVEL_KEYS);
    const hint = close === undefined ? `A policy knows ${TOP_LEVEL_KEYS.join(", ")}.` : `Did you mean ${close}?`;
    place.keyProblem(key, `unknown key "${key}". ${hint}`);
  }
  const version = member(value, "apiVersion");
  if (version !== undefined && version !== null && !apiVersions.some((known) => known === version)) {
    place
      .child("apiVersion")
      .problem(`unknown apiVersion ${shortJson(version)}; supported are ${apiVersions.join(" and ")}.`);
  }
  const rules = member(value, "rules");
  if (!Array.isArray(rules) && !(rules === undefined && member(value, "extends") !== undefined)) {
    const at = rules === undefined ? place : place.child("rules");
    return at.problem(`a policy needs a list of rules under "rules"; found ${describeType(rules)}.`);
  }
  return value;
}

function parseRules(top: JsonObject, source: YamlDocument, problems: Problems): PolicyRule[] {
  const raw = member(top, "rules");
  const list = Array.isArray(raw) ? (raw as readonly Json[]) : [];
  const bare = Array.isArray(source.value);
  const linesOfIds = new Map<string, number>();
  const rules: PolicyRule[] = [];
  list.forEach((item, index) => {
    const path = bare ? [index] : ["rules", index];
    const place = problems.at(...path);
    const { line, column } = source.locate(path);
    const at = {
      file: source.file,
      ...(line === undefined ? {} : { line }),
      ...(column === undefined ? {} : { column }),
    };
    const parsed = parseRule(item, index, at, place);
    if (parsed === undefined) return;
    const known = linesOfIds.get(parsed.id);
    if (known !== undefined) {
      place
        .child("id")
        .problem(
          `id "${parsed.id}" is already used on line ${known}. Reports and exceptions refer to ids, so each must be unique.`,
        );
    }
    linesOfIds.set(parsed.id, line ?? 0);
    if (parsed.rule !== undefined) rules.push(parsed.rule);
  });
  return rules;
}

/** Policies that this one extends, in the order given. */
function parseExtended(
  top: JsonObject,
  place: Place,
  file: string,
  options: ParsePolicyOptions,
  chain: readonly string[],
): Policy[] {
  const raw = member(top, "extends");
  if (raw === undefined || raw === null) return [];
  const names: readonly Json[] = Array.isArray(raw) ? raw : [raw];
  return names.flatMap((name, index) => {
    const at = Array.isArray(raw) ? place.child("extends").child(index) : place.child("extends");
    if (typeof name !== "string" || name === "") {
      at.problem(`extends names a policy file or a pack such as spoor:refunds; found ${describeType(name)}.`);
      return [];
    }
    const read = readFrom(name, file, options);
    if ("problem" in read) {
      at.problem(read.problem);
      return [];
    }
    if (chain.includes(read.file)) {
      at.problem(`${name} extends this file in turn; policies cannot extend each other in a circle.`);
      return [];
    }
    return [parseFile(read.text, read.file, options, chain)];
  });
}

/** A rule replaces the inherited rule of the same id, in its place. */
function override(inherited: readonly PolicyRule[], own: readonly PolicyRule[]): PolicyRule[] {
  const ownById = new Map(own.map((rule) => [rule.id, rule]));
  const latest = new Map<string, PolicyRule>();
  for (const rule of inherited) latest.set(rule.id, ownById.get(rule.id) ?? rule);
  for (const rule of own) latest.set(rule.id, rule);
  return [...latest.values()];
}

/** Inherited examples speak about inherited rules; for a rule that was replaced they prove nothing. */
function concernsInherited(
  inherited: readonly Policy[],
  own: readonly PolicyRule[],
): (example: Policy["examples"][number]) => boolean {
  const replaced = new Set(
    own.map((rule) => rule.id).filter((id) => inherited.some((policy) => policy.rules.some((rule) => rule.id === id))),
  );
  return ({ passes, fails }) => ![...passes, ...fails].some((id) => replaced.has(id));
}

function readFrom(
  name: string,
  from: string,
  options: ParsePolicyOptions,
): { file: string; text: string } | { problem: string } {
  if (options.read === undefined) return { problem: `${name} cannot be read from here.` };
  return options.read(name, from);
}

function parseSessionKey(top: JsonObject | undefined, place: Place): Path | undefined {
  const raw = top === undefined ? undefined : member(top, "session_key");
  if (raw === undefined || raw === null) return undefined;
  if (typeof raw !== "string" || raw === "") {
    return place.problem(
      `session_key must be a path such as request.metadata.conversation_id, found ${describeType(raw)}.`,
    );
  }
  return parsedPath(raw, place);
}

function policyError(errors: readonly FileProblem[], source: YamlDocument): SpoorError {
  const problems = errors.map((error) => locate(error, source));
  problems.sort(
    (left, right) => (left.at.line ?? 0) - (right.at.line ?? 0) || (left.at.column ?? 0) - (right.at.column ?? 0),
  );
  const count = problems.length === 1 ? "1 problem" : `${problems.length} problems`;
  return new SpoorError("policy.invalid", `${source.file} has ${count}.`, {
    at: { file: source.file },
    consequence: "Nothing was checked.",
    problems,
  });
}

function locate(error: FileProblem, source: YamlDocument): Problem {
  const at: ErrorLocation = source.locate(error.path, error.onKey ? "key" : "value");
  return { at: { ...at, path: formatPath(error.path) }, message: error.message, excerpt: source.excerpt(at.line ?? 1) };
}

function locateWarning(warning: FileProblem, source: YamlDocument): PolicyWarning {
  const { at, message } = locate(warning, source);
  return { at: { ...at, path: at.path ?? "" } as PolicyWarning["at"], message };
}
