/**
 * The drift policy: YAML rules that turn statuses and signals into violations and warnings.
 *
 * `fail_if` and `warn_if` hold conditions; a rule applies when any of its conditions holds. Rules run in file order and
 * none stops the others. If `profiles` names the agent, only that profile's rules apply, else those of `default`; without
 * profiles the rules at the top apply to every agent. Anything that cannot be understood is an error, never a pass.
 */
import { type FindingSeverity, severityOf, severitySpellings } from "../judgement/severity.ts";
import { parseYaml } from "../read/parse-yaml.ts";
import type { Address } from "../read/source.ts";
import { isObject, type Json, type JsonObject, member } from "../trace/json.ts";
import { ProblemList } from "../yaml/problem-list.ts";
import { type Condition, conditionNames, parseCondition } from "./drift-conditions.ts";

export interface DriftRule {
  readonly name: string;
  readonly description?: string;
  readonly severity: FindingSeverity;
  readonly failIf: readonly Condition[];
  readonly warnIf: readonly Condition[];
}

export interface DriftPolicy {
  readonly name: string;
  readonly enabled: boolean;
  /** What the file says about blocking; undefined when it says nothing. */
  readonly blockMerges: boolean | undefined;
  readonly rules: readonly DriftRule[];
  readonly profiles: ReadonlyMap<string, readonly DriftRule[]> | undefined;
}

const POLICY_KEYS = ["name", "description", "version", "enabled", "block_merges", "rules", "profiles"];
const RULE_KEYS = ["name", "description", "severity", "fail_if", "warn_if"];

export function parseDriftPolicy(text: string, file: string): DriftPolicy {
  const document = parseYaml(text, file);
  const problems = new ProblemList(document);
  const policy = readPolicy(document.value, problems);
  problems.throwIfAny("drift-policy.invalid", "Nothing was checked.");
  return policy;
}

/** The rules that apply to an agent, and where they come from. */
export function rulesFor(policy: DriftPolicy, agent: string): { from: string; rules: readonly DriftRule[] } {
  if (policy.profiles === undefined) return { from: "top_level", rules: policy.rules };
  const from = policy.profiles.has(agent) ? agent : "default";
  return { from, rules: policy.profiles.get(from) ?? [] };
}

function readPolicy(value: Json, problems: ProblemList): DriftPolicy {
  if (!isObject(value)) {
    problems.add([], "a drift policy is a mapping with rules or profiles");
    return { name: "", enabled: true, blockMerges: undefined, rules: [], profiles: undefined };
  }
  problems.checkKeys(value, [], POLICY_KEYS, "the drift policy");
  const profiles = member(value, "profiles");
  return {
    name: readText(value, "name", [], problems) ?? "",
    enabled: readFlag(value, "enabled", problems) ?? true,
    blockMerges: readFlag(value, "block_merges", problems),
    rules: readRules(value, [], problems),
    profiles: profiles === undefined ? undefined : readProfiles(profiles, problems),
  };
}

function readProfiles(value: Json, problems: ProblemList): Map<string, readonly DriftRule[]> {
  const profiles = new Map<string, readonly DriftRule[]>();
  if (!isObject(value)) problems.add(["profiles"], "profiles is a mapping of agent to rules");
  else {
    for (const agent of Object.keys(value)) {
      const profile = value[agent]!;
      if (Array.isArray(profile)) profiles.set(agent, readRules({ rules: profile }, ["profiles", agent], problems, []));
      else if (isObject(profile)) {
        problems.checkKeys(profile, ["profiles", agent], ["name", "description", "rules"], `profile ${agent}`);
        profiles.set(agent, readRules(profile, ["profiles", agent], problems));
      } else problems.add(["profiles", agent], "a profile has rules");
    }
  }
  return profiles;
}

function readRules(owner: JsonObject, path: Address, problems: ProblemList, at: Address = ["rules"]): DriftRule[] {
  const rules = member(owner, "rules");
  if (rules === undefined || rules === null) return [];
  if (!Array.isArray(rules)) {
    problems.add([...path, ...at], "rules is a list");
    return [];
  }
  return rules.map((rule, index) => readRule(rule, [...path, ...at, index], problems));
}

function readRule(value: Json, path: Address, problems: ProblemList): DriftRule {
  if (!isObject(value)) {
    problems.add(path, "a rule is a mapping with fail_if or warn_if");
    return { name: "", severity: "moderate", failIf: [], warnIf: [] };
  }
  const name = readText(value, "name", path, problems) ?? "";
  const title = name === "" ? "a rule" : `rule ${name}`;
  problems.checkKeys(value, path, RULE_KEYS, title);
  const description = readText(value, "description", path, problems);
  const failIf = readConditions(value, "fail_if", path, title, problems);
  const warnIf = readConditions(value, "warn_if", path, title, problems);
  if (failIf.length === 0 && warnIf.length === 0)
    problems.add(path, `${title} has neither fail_if nor warn_if, so it can never apply`);
  return {
    name: name === "" ? [...failIf, ...warnIf].map((condition) => condition.name).join(", ") : name,
    ...(description === undefined ? {} : { description }),
    severity: readSeverity(value, path, problems),
    failIf,
    warnIf,
  };
}

function readSeverity(value: JsonObject, path: Address, problems: ProblemList): FindingSeverity {
  const found = member(value, "severity");
  if (found === undefined) return "moderate";
  const severity = typeof found === "string" ? severityOf(found) : undefined;
  if (severity === undefined) problems.add([...path, "severity"], `severity is one of ${severitySpellings.join(", ")}`);
  return severity ?? "moderate";
}

function readConditions(
  rule: JsonObject,
  key: string,
  path: Address,
  title: string,
  problems: ProblemList,
): Condition[] {
  const value = member(rule, key);
  if (value === undefined) return [];
  const at = [...path, key];
  if (!isObject(value)) {
    problems.add(at, `${key} of ${title} is a mapping of conditions`);
    return [];
  }
  problems.checkKeys(value, at, conditionNames, `${key} of ${title}`);
  return Object.keys(value).flatMap((name) => {
    if (!conditionNames.includes(name)) return [];
    const condition = parseCondition(name, value[name]!, (message, ...inside) =>
      problems.add([...at, name, ...inside], message),
    );
    return condition === undefined ? [] : [condition];
  });
}

function readText(value: JsonObject, key: string, path: Address, problems: ProblemList): string | undefined {
  const found = member(value, key);
  if (found === undefined || found === null) return undefined;
  if (typeof found === "string") return found;
  problems.add([...path, key], `${key} is a text`);
  return undefined;
}

function readFlag(value: JsonObject, key: string, problems: ProblemList): boolean | undefined {
  const found = member(value, key);
  if (found === undefined || typeof found === "boolean") return found;
  problems.add([key], `${key} is true or false`);
  return undefined;
}
