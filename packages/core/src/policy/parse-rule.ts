/** One rule of a policy file, checked as far as it can be: a wrong scope does not hide a wrong parameter. */
import { type FindingSeverity, severityOf, severitySpellings } from "../judgement/severity.ts";
import { nearest } from "../text/nearest.ts";
import { describeType, listOf, shortJson } from "../text/words.ts";
import { isObject, type Json, type JsonObject, member } from "../trace/json.ts";
import { describeConditions } from "./conditions.ts";
import { parseParams } from "./params.ts";
import { parseConditions } from "./parse-conditions.ts";
import type { PolicyRule, RuleException, RulePlace, RuleScope } from "./policy.ts";
import type { Place } from "./problems.ts";
import type { RuleKind } from "./rule.ts";
import { ruleKinds } from "./rules.ts";

const RULE_KEYS = ["id", "kind", "params", "severity", "description", "scope", "when", "agent", "exceptions"];

/** The rule's id even when the rule itself is unsound, so that duplicates are found all the same. */
export function parseRule(
  raw: Json,
  index: number,
  at: RulePlace,
  place: Place,
): { id: string; rule?: PolicyRule } | undefined {
  if (!isObject(raw)) return place.problem(`a rule must be a mapping, found ${describeType(raw)}.`);
  const before = place.errorCount;
  const id = ruleId(member(raw, "id"), index);
  const definition = parseKind(raw, place);
  reportUnknownKeys(raw, id, definition, place);
  const scope = parseScope(raw, place);
  const severity = parseSeverity(raw, place);
  const when = parseConditions(member(raw, "when") ?? null, place.child("when"));
  const agents = parseAgents(raw, place);
  const exceptions = parseExceptions(member(raw, "exceptions") ?? null, place.child("exceptions"));
  const rawParams = parseRawParams(raw, place);
  if (definition === undefined || rawParams === undefined) return { id };
  const params = parseParams(definition.kind, definition.params, rawParams, place.child("params"));
  if (params !== undefined) definition.validate?.(params, place.child("params"));
  if (place.errorCount > before || params === undefined) return { id };
  const explanation = explain(definition, params, { when, scope: scope!, agents });
  const description = text(member(raw, "description"));
  return {
    id,
    rule: {
      id,
      kind: definition.kind,
      severity: severity!,
      scope: scope!,
      description,
      when,
      agents,
      exceptions,
      rawParams,
      params,
      definition,
      explanation,
      at,
    },
  };
}

function ruleId(raw: Json | undefined, index: number): string {
  return raw === undefined || raw === null || raw === "" || raw === 0 || raw === false ? `rule-${index}` : text(raw);
}

function text(raw: Json | undefined): string {
  if (raw === undefined || raw === null) return "";
  return typeof raw === "string" ? raw : shortJson(raw, Number.POSITIVE_INFINITY);
}

function parseKind(raw: JsonObject, place: Place): RuleKind | undefined {
  const kind = member(raw, "kind");
  const found = ruleKinds.find((one) => one.kind === kind);
  if (found !== undefined) return found;
  const known = ruleKinds.map((one) => one.kind);
  if (kind === undefined || kind === null)
    return place.problem(`the rule has no kind. Kinds: ${[...known].sort().join(", ")}.`);
  const close = typeof kind === "string" ? (OTHER_NAMES.get(kind) ?? nearest(kind, known)) : undefined;
  const hint = close === undefined ? `Kinds: ${[...known].sort().join(", ")}.` : `Did you mean ${close}?`;
  return place.child("kind").problem(`unknown kind ${shortJson(kind)}. ${hint}`);
}

/** What people write who know another tool. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ["must_not_call", "no_call"],
  ["forbid_call", "no_call"],
  ["must_call", "must_call_one_of"],
  ["max_tokens", "max_total_tokens"],
  ["must_not_include_text", "forbidden_text"],
  ["ltl", "ltl_formula"],
]);

function reportUnknownKeys(raw: JsonObject, id: string, definition: RuleKind | undefined, place: Place): void {
  const params = Object.values(definition?.params ?? {}).flatMap((param) => [
    param.key,
    ...(param.alias === undefined ? [] : [param.alias]),
  ]);
  for (const key of Object.keys(raw)) {
    if (RULE_KEYS.includes(key)) continue;
    if (params.includes(key)) {
      place.keyProblem(key, `"${key}" of rule ${id} belongs under params.`);
      continue;
    }
    const close = nearest(key, RULE_KEYS);
    const hint =
      close === undefined
        ? `A rule knows ${listOf(RULE_KEYS)}.`
        : `Did you mean ${close}? As written, ${withoutKey(close)}.`;
    place.keyProblem(key, `unknown key "${key}" in rule ${id}. ${hint}`);
  }
}

/** What a misspelt key would do if it were read over. */
function withoutKey(key: string): string {
  if (key === "severity") return "the default (error) would apply unnoticed";
  if (key === "scope") return "the default (trace) would apply unnoticed";
  if (key === "when" || key === "agent") return "the rule would apply everywhere";
  if (key === "exceptions") return "no exception would apply";
  return "it would be read over";
}

function parseScope(raw: JsonObject, place: Place): RuleScope | undefined {
  const scope = member(raw, "scope");
  if (scope === undefined) return "trace";
  if (scope === "trace" || scope === "session") return scope;
  return place.child("scope").problem(`scope must be trace or session, found ${shortJson(scope)}.`);
}

function parseSeverity(raw: JsonObject, place: Place): FindingSeverity | undefined {
  const severity = member(raw, "severity");
  if (severity === undefined || severity === null || severity === "") return "severe";
  const found = typeof severity === "string" ? severityOf(severity) : undefined;
  if (found !== undefined) return found;
  const close = typeof severity === "string" ? nearest(severity, severitySpellings) : undefined;
  const hint = close === undefined ? "" : ` Did you mean ${close}?`;
  return place
    .child("severity")
    .problem(
      `severity must be minor, moderate or severe (info, warning, error and the like are read as these), found ${shortJson(severity)}.${hint}`,
    );
}

function parseAgents(raw: JsonObject, place: Place): readonly string[] {
  const agent = member(raw, "agent");
  if (agent === undefined || agent === null) return [];
  const list: readonly Json[] = Array.isArray(agent) ? agent : [agent];
  const names = list.filter((name) => typeof name === "string" && name !== "") as string[];
  if (names.length < list.length || list.length === 0) {
    place
      .child("agent")
      .problem(
        `agent must be the name of a sub-agent or a list of names ("main" is the agent itself), found ${shortJson(agent)}.`,
      );
  }
  return names;
}

function parseRawParams(raw: JsonObject, place: Place): JsonObject | undefined {
  const params = member(raw, "params");
  if (params === undefined || params === null) return {};
  if (isObject(params)) return params;
  return place.child("params").problem(`params must be a mapping, found ${describeType(params)}.`);
}

const EXCEPTION_KEYS = ["until", "reason", "trace", "when"];

function parseExceptions(raw: Json, place: Place): RuleException[] {
  if (raw === null) return [];
  if (!Array.isArray(raw)) {
    place.problem(`exceptions must be a list, found ${describeType(raw)}.`);
    return [];
  }
  return raw.flatMap((item: Json, index) => parseException(item, place.child(index)) ?? []);
}

function parseException(raw: Json, place: Place): RuleException | undefined {
  if (!isObject(raw))
    return place.problem(`an exception must be a mapping with until and reason, found ${describeType(raw)}.`);
  const before = place.errorCount;
  for (const key of Object.keys(raw)) {
    if (EXCEPTION_KEYS.includes(key)) continue;
    const close = nearest(key, EXCEPTION_KEYS);
    place.keyProblem(
      key,
      `unknown key "${key}" in an exception. ${close === undefined ? `It has ${listOf(EXCEPTION_KEYS)}.` : `Did you mean ${close}?`}`,
    );
  }
  const until = member(raw, "until");
  const reason = member(raw, "reason");
  const trace = member(raw, "trace");
  if (typeof until !== "string" || !isDay(until)) {
    const at = until === undefined ? place : place.child("until");
    at.problem(
      `an exception needs its last day as until: YYYY-MM-DD, found ${until === undefined ? "nothing" : shortJson(until)}.`,
    );
  }
  if (typeof reason !== "string" || reason.trim() === "")
    place.problem("an exception needs a reason: someone will ask why it is there.");
  if (trace !== undefined && typeof trace !== "string")
    place.child("trace").problem(`trace must be the name of a trace, found ${describeType(trace)}.`);
  const when = parseConditions(member(raw, "when") ?? null, place.child("when"));
  if (place.errorCount > before) return undefined;
  return {
    until: until as string,
    reason: reason as string,
    when,
    ...(trace === undefined ? {} : { trace: trace as string }),
  };
}

function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

function explain(definition: RuleKind, params: unknown, rule: Pick<PolicyRule, "when" | "scope" | "agents">): string {
  const gates: string[] = [];
  if (rule.when.length > 0) gates.push(`In turns where ${describeConditions(rule.when)}`);
  if (rule.agents.length > 0) gates.push(`${gates.length === 0 ? "F" : "f"}or ${listOf(rule.agents, "or")}`);
  const sentence = definition.explain(params);
  const scoped = rule.scope === "session" ? sentence.replace(/\.$/, ", in each session.") : sentence;
  return gates.length === 0 ? scoped : `${gates.join(", ")}: ${scoped}`;
}
