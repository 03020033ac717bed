/**
 * Drift policies of the older form (`fail_if`, `warn_if`, `profiles`, `block_merges`), lifted to rules of the one policy
 * language. What stood under `fail_if` becomes a severe rule, which blocks; what stood under `warn_if` a moderate one, or a
 * minor one where the file said `low`. A condition set to false is no rule.
 */
import { signals } from "../fingerprint/signals/signals.ts";
import { severityOf } from "../judgement/severity.ts";
import type { Located } from "../read/located.ts";
import { listOf } from "../text/words.ts";
import { isObject, type Json, type JsonObject, member, scalarText } from "../trace/json.ts";
import type { PolicyRule } from "./policy.ts";
import { rulePlace } from "./rule-shape.ts";
import { ruleKinds } from "./rules.ts";

export interface LiftedPolicy {
  readonly rules: readonly PolicyRule[];
  /** What the file says about blocking; absent when it says nothing. */
  readonly blocking?: boolean;
}

const OLD_KEYS = ["profiles", "block_merges", "enabled"];
const POLICY_KEYS = ["name", "description", "version", "enabled", "block_merges", "rules", "profiles"];
const RULE_KEYS = ["name", "description", "severity", "fail_if", "warn_if"];

/** Whether a document is a drift policy of the older form. */
export function isDriftPolicy(value: Json): boolean {
  if (!isObject(value)) return false;
  const rules = member(value, "rules");
  return (
    OLD_KEYS.some((key) => Object.hasOwn(value, key)) ||
    (Array.isArray(rules) && rules.some((rule) => isObject(rule) && ("fail_if" in rule || "warn_if" in rule)))
  );
}

export function liftDriftPolicy(root: Located): LiftedPolicy {
  root.note("a drift policy of the older form: read as no_drift, known_path and must_call_all rules.");
  checkKeys(root, POLICY_KEYS, "the drift policy");
  const enabled = flag(root, "enabled") ?? true;
  const blocking = flag(root, "block_merges");
  const rules = readProfiles(root) ?? readRules(root.get("rules"), {});
  return { rules: enabled ? unique(rules) : [], ...(blocking === undefined ? {} : { blocking }) };
}

interface Scope {
  readonly agents?: readonly string[];
  readonly notAgents?: readonly string[];
}

/** With profiles only the agent's own rules apply, else those of `default`; the rules at the top are then nobody's. */
function readProfiles(root: Located): PolicyRule[] | undefined {
  const profiles = root.get("profiles");
  if (profiles === undefined) return undefined;
  if (!isObject(profiles.value)) {
    profiles.problem("profiles must be a mapping of agent to rules.");
    return [];
  }
  const agents = Object.keys(profiles.value);
  return agents.flatMap((agent) => {
    const profile = profiles.get(agent)!;
    const scope = agent === "default" ? { notAgents: agents.filter((one) => one !== agent) } : { agents: [agent] };
    if (Array.isArray(profile.value)) return readRules(profile, scope);
    if (!isObject(profile.value)) {
      profile.problem(`profile ${agent} must be a mapping with rules.`);
      return [];
    }
    checkKeys(profile, ["name", "description", "rules"], `profile ${agent}`);
    return readRules(profile.get("rules"), scope);
  });
}

/** The name of the profile that speaks for an agent. */
export function profileFor(profiles: readonly string[] | undefined, agent: string): string {
  if (profiles === undefined) return "top_level";
  return profiles.includes(agent) ? agent : "default";
}

function readRules(rules: Located | undefined, scope: Scope): PolicyRule[] {
  if (rules === undefined || rules.value === null) return [];
  if (!Array.isArray(rules.value)) {
    rules.problem("rules must be a list.");
    return [];
  }
  return rules.items().flatMap((rule) => readRule(rule, scope));
}

function readRule(at: Located, scope: Scope): PolicyRule[] {
  if (!isObject(at.value)) {
    at.problem("a rule must be a mapping with fail_if or warn_if.");
    return [];
  }
  const name = textMember(at, "name");
  const title = name === "" ? "a rule" : `rule ${name}`;
  checkKeys(at, RULE_KEYS, title);
  if (at.get("fail_if") === undefined && at.get("warn_if") === undefined)
    at.problem(`${title} has neither fail_if nor warn_if, so it can never apply.`);
  const written = at.get("severity");
  const severity = written === undefined ? "moderate" : severityOf(scalarText(written.value) ?? "");
  if (severity === undefined) written!.problem("severity must be high, medium or low.");
  const warning = severity === "minor" ? "minor" : "moderate";
  return [
    ...readConditions(at.get("fail_if"), title).map((draft) => build(draft, "severe")),
    ...readConditions(at.get("warn_if"), title).map((draft) => build(draft, warning)),
  ];

  function build(draft: Draft, graded: PolicyRule["severity"]): PolicyRule {
    const definition = ruleKinds.find(({ kind }) => kind === draft.kind)!;
    return {
      id: name === "" ? draft.condition : name,
      kind: draft.kind,
      severity: graded,
      effect: "deny",
      scope: "trace",
      description: draft.message ?? textMember(at, "description"),
      when: [],
      agents: scope.agents ?? [],
      ...(scope.notAgents === undefined ? {} : { notAgents: scope.notAgents }),
      exceptions: [],
      rawParams: draft.params,
      params: { only: [], ...draft.read },
      definition,
      explanation: definition.explain({ only: [], ...draft.read }),
      at: rulePlace(at),
    };
  }
}

interface Draft {
  readonly condition: string;
  readonly kind: string;
  readonly params: JsonObject;
  /** The parameters as the kind reads them. */
  readonly read: Readonly<Record<string, unknown>>;
  readonly message?: string;
}

const signalOf = new Map(signals.flatMap((signal) => signal.conditions.map((name) => [name, signal] as const)));
const CONDITIONS: readonly string[] = [...signalOf.keys(), "on_variant", "required_tools"];

function readConditions(at: Located | undefined, title: string): Draft[] {
  if (at === undefined) return [];
  if (!isObject(at.value)) {
    at.problem(`${at.name} of ${title} must be a mapping of conditions.`);
    return [];
  }
  checkKeys(at, CONDITIONS, `${at.name} of ${title}`);
  return Object.keys(at.value).flatMap((condition) => {
    const value = at.get(condition)!;
    if (!CONDITIONS.includes(condition) || value.value === false) return [];
    const draft = readCondition(condition, value);
    return draft === undefined ? [] : [{ condition, ...draft }];
  });
}

function readCondition(condition: string, at: Located): Omit<Draft, "condition"> | undefined {
  if (condition === "on_variant") return onVariant(at);
  if (condition === "required_tools") return requiredTools(at);
  const { name: signal, above, measures } = signalOf.get(condition)!;
  if (at.value === true) return drift({ signal });
  if (condition === "output_schema_drift") {
    if (!isObject(at.value)) return at.problem("must be true, or have fail_on_removed and fail_on_added.");
    const removed = member(at.value, "fail_on_removed") !== false;
    const added = member(at.value, "fail_on_added") === true;
    const only = measures.filter((measure) => (measure === "removed_fields" ? removed : added));
    return only.length === 0 ? undefined : drift({ signal, only });
  }
  if (above === undefined) return at.problem(`${condition} must be true or false.`);
  return limited(condition, signal, at);
}

/** `threshold_percent`, or `threshold`: a count for retries, for shares up to 1 a fraction. */
function limited(condition: string, signal: string, at: Located): Omit<Draft, "condition"> | undefined {
  const keys = KEYS.get(condition) ?? ["threshold_percent"];
  const key = keys.find((one) => member(at.value, one) !== undefined);
  const value = key === undefined ? undefined : member(at.value, key);
  if (!isObject(at.value) || typeof value !== "number" || value < 0)
    return at.problem(`${condition} must be true, or have ${listOf(keys, "or")} with a number from 0 on.`);
  checkKeys(at, keys, condition);
  const isShare = keys.length === 2 && key === "threshold" && value <= 1;
  return drift({ signal, above: isShare ? value * 100 : value });
}

const KEYS: ReadonlyMap<string, readonly string[]> = new Map([
  ["retry_explosion", ["threshold"]],
  ["error_increase", ["threshold", "threshold_percent"]],
  ["retrieval_regression", ["threshold", "threshold_percent"]],
]);

function drift(params: { signal: string; above?: number; only?: readonly string[] }): Omit<Draft, "condition"> {
  return { kind: "no_drift", params, read: params };
}

function onVariant(at: Located): Omit<Draft, "condition"> | undefined {
  const least = at.value === true ? undefined : member(at.value, "min_similarity");
  if (at.value === true) return { kind: "known_path", params: {}, read: {} };
  if (typeof least !== "number" || least < 0 || least > 1)
    return at.problem("on_variant must be true, or have min_similarity from 0 to 1.");
  return { kind: "known_path", params: { min_similarity: least }, read: { minSimilarity: least } };
}

function requiredTools(at: Located): Omit<Draft, "condition"> | undefined {
  const tools = Array.isArray(at.value) ? at.value : member(at.value, "tools");
  if (!Array.isArray(tools) || tools.length === 0 || !tools.every((tool) => typeof tool === "string"))
    return at.problem("required_tools must have tools, a list of names.");
  const message = member(at.value, "message");
  const params = { tools: tools as readonly string[] };
  return { kind: "must_call_all", params, read: params, ...(typeof message === "string" ? { message } : {}) };
}

function checkKeys(at: Located, known: readonly string[], title: string): void {
  for (const key of Object.keys(at.value as JsonObject)) if (!known.includes(key)) at.unknownKey(key, title, known);
}

function flag(at: Located, key: string): boolean | undefined {
  const found = at.get(key);
  if (found === undefined || typeof found.value === "boolean") return found?.value as boolean | undefined;
  return found.problem(`${key} must be true or false.`);
}

function textMember(at: Located, key: string): string {
  const found = at.get(key);
  if (found === undefined || found.value === null) return "";
  return typeof found.value === "string" ? found.value : (found.problem(`${key} must be a text.`) ?? "");
}

/** Ids are what reports refer to: conditions of one rule, and rules of one name, are told apart by a number. */
function unique(rules: readonly PolicyRule[]): PolicyRule[] {
  const seen = new Map<string, number>();
  return rules.map((rule) => {
    const times = (seen.get(rule.id) ?? 0) + 1;
    seen.set(rule.id, times);
    return times === 1 ? rule : { ...rule, id: `${rule.id}-${times}` };
  });
}
