/**
 * The text of a policy file → a policy that can run. Every problem of the file is found before anything is checked, and all
 * are reported at once: a rule that cannot run would otherwise be a rule that silently allows everything.
 */
import { type Located, Problems } from "../read/located.ts";
import { parseJsonSource } from "../read/parse-json-source.ts";
import { parseYaml } from "../read/parse-yaml.ts";
import { type Source, valueSource } from "../read/source.ts";
import type { Json } from "../trace/json.ts";
import { checkRuleIds } from "./examples.ts";
import { isDriftPolicy, liftDriftPolicy } from "./lift-drift-policy.ts";
import type { Policy, PolicyRule, PolicyWarning } from "./policy.ts";
import { policyFile } from "./policy-file.ts";
import { ruleId } from "./rule-shape.ts";

export interface ParsePolicyOptions {
  /** The file as the user named it; its suffix decides between YAML and JSON. */
  readonly file?: string;
  /** Reads a file that the policy names, relative to the file that names it. Without it, naming one is a problem. */
  read?(name: string, from: string): { readonly file: string; readonly text: string } | { readonly problem: string };
  /** What texts say that were read and found right before; their problems would have no places any more. */
  readonly known?: KnownTexts;
}

export interface KnownTexts {
  get(text: string): Json | undefined;
  /** Told of every text that was read, before it is known whether it is right. */
  read(text: string, value: Json): void;
}

/** Parses a policy file; throws one SpoorError that lists every problem. */
export function parsePolicy(text: string, options: ParsePolicyOptions = {}): Policy {
  return parseFile(text, options.file ?? "policy.yaml", options, []);
}

function parseFile(text: string, file: string, options: ParsePolicyOptions, chain: readonly string[]): Policy {
  const problems = new Problems(sourceOf(text, file, options.known), (name) => readFrom(name, file, options));
  const root = problems.root();
  if (isDriftPolicy(root.value)) return liftedPolicy(file, root);
  const read = policyFile.read(root);
  const inherited = readExtended(root, file, options, [...chain, file]);
  const rules = Array.isArray(root.value) ? root : root.get("rules");
  const ids = [...inherited.flatMap((policy) => policy.rules.map(({ id }) => id)), ...checkIds(rules)];
  checkRuleIds(root.get("examples"), ids);
  problems.throwIfAny("policy.invalid", "Nothing was checked.");

  const own = Array.isArray(read) ? { rules: read as readonly PolicyRule[], examples: [] } : (read as OwnPolicy);
  const sessionKey = own.sessionKey ?? inherited.findLast((policy) => policy.sessionKey)?.sessionKey;
  return {
    file,
    ...(own.description === undefined ? {} : { description: own.description }),
    rules: override(
      inherited.flatMap((policy) => policy.rules),
      own.rules,
    ),
    ...(sessionKey === undefined ? {} : { sessionKey }),
    examples: [
      ...inherited.flatMap((policy) => policy.examples.filter(concernsInherited(inherited, own.rules))),
      ...own.examples,
    ],
    warnings: [...inherited.flatMap((policy) => policy.warnings), ...(problems.notes as readonly PolicyWarning[])],
  };
}

function sourceOf(text: string, file: string, known: KnownTexts | undefined): Source {
  const value = known?.get(text);
  if (value !== undefined) return valueSource(value, file);
  const source = parseText(text, file);
  known?.read(text, source.value);
  return source;
}

/** The suffix decides: `.yaml` and `.yml` are YAML, everything else JSON. */
function parseText(text: string, file: string): Source {
  if (/\.ya?ml$/i.test(file)) return parseYaml(text, file, { oldBooleans: true });
  return parseJsonSource(text, file, {
    code: "policy.bad-json",
    consequence: "Nothing was checked.",
    hint: "A policy in YAML needs a name that ends in .yaml or .yml.",
    strict: true,
  });
}

/** A drift policy of the older form, as the rules it stands for. */
function liftedPolicy(file: string, root: Located): Policy {
  const lifted = liftDriftPolicy(root);
  root.problems.throwIfAny("policy.invalid", "Nothing was checked.");
  return { file, ...lifted, examples: [], warnings: root.problems.notes as readonly PolicyWarning[] };
}

type OwnPolicy = Pick<Policy, "description" | "sessionKey" | "rules" | "examples">;

/** The ids of the rules as written; two equal ones are a problem. */
function checkIds(rules: Located | undefined): string[] {
  const lines = new Map<string, number | undefined>();
  for (const rule of rules?.items() ?? []) {
    const id = ruleId(rule);
    if (lines.has(id)) {
      const where = lines.get(id) === undefined ? "before" : `on line ${lines.get(id)}`;
      (rule.get("id") ?? rule).problem(
        `id "${id}" is already used ${where}. Reports and exceptions refer to ids, so each must be unique.`,
      );
    } else lines.set(id, rule.problems.source.locate(rule.address).line);
  }
  return [...lines.keys()];
}

/** Policies that this one extends, in the order given. */
function readExtended(root: Located, file: string, options: ParsePolicyOptions, chain: readonly string[]): Policy[] {
  const named = root.get("extends");
  const places = Array.isArray(named?.value) ? named.items() : named === undefined ? [] : [named];
  return places.flatMap((at) => {
    const name = at.value;
    if (typeof name !== "string" || name.trim() === "") return [];
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
