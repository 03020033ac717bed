/** One rule of a policy file. Its kind decides about its parameters; everything else is the same for all kinds. */
import { type FindingSeverity, severityOf, severitySpellings } from "../judgement/severity.ts";
import { custom, list } from "../read/collections.ts";
import { optional, preset, required } from "../read/field.ts";
import { named } from "../read/json-schema.ts";
import type { Located } from "../read/located.ts";
import { type Fields, mapping } from "../read/mapping.ts";
import { choice, filledText, integer, json, text } from "../read/scalars.ts";
import type { Shape } from "../read/shape.ts";
import { type Tagged, tagged, type Variant } from "../read/tagged.ts";
import { nearest } from "../text/nearest.ts";
import { listOf, shortJson } from "../text/words.ts";
import { EMPTY_OBJECT, isObject, type Json, member } from "../trace/json.ts";
import type { Condition } from "./condition.ts";
import { describeConditions } from "./conditions.ts";
import { EFFECT_WORDS, type Effect, EVERY_KIND, effects } from "./effect.ts";
import type { PolicyRule, RuleException, RulePlace } from "./policy.ts";
import type { RuleKind } from "./rule.ts";
import { ruleKinds } from "./rules.ts";
import { conditions, names } from "./shapes.ts";
import { looksAtTurns } from "./situation.ts";

/** Names and descriptions: a bare number or flag counts as its text. */
const looseText: Shape<string> = {
  ...text,
  kinds: ["text", "number", "boolean"],
  read: (at) => (typeof at.value === "object" ? at.wrong("a text") : textOf(at.value)),
  schema: () => ({ type: ["string", "number", "boolean"] }),
};

const SEVERITIES = "minor, moderate or severe (info, warning, error and the like are read as these)";

/** An empty text is what a template leaves behind: the default applies. */
const severity: Shape<FindingSeverity> = {
  ...text,
  wants: SEVERITIES,
  type: "`minor`, `moderate`, `severe`",
  read(at) {
    const { value } = at;
    const found = value === "" ? "severe" : typeof value === "string" ? severityOf(value) : undefined;
    if (found !== undefined) return found;
    const close = typeof value === "string" ? nearest(value, severitySpellings) : undefined;
    return at.wrong(SEVERITIES, close === undefined ? "" : `Did you mean ${close}?`);
  },
  schema: () => ({ enum: [...severitySpellings, ""] }),
};

const day: Shape<string> = custom(
  text,
  (written, at) =>
    isDay(written) ? written : at.problem(`${at.name} must be a day as YYYY-MM-DD, found "${written}".`),
  { schema: { pattern: "^\\d{4}-\\d{2}-\\d{2}$" }, type: "`YYYY-MM-DD`" },
);

const exception: Shape<RuleException> = named(
  "exception",
  mapping(
    "an exception",
    {
      until: required(day, "the last day on which it holds (UTC), as YYYY-MM-DD"),
      reason: required(filledText, "someone will ask why it is there"),
      trace: optional(text, "only in the trace of this id or name"),
      when: preset(conditions, [] as readonly Condition[], "only turns for which all of these hold"),
    },
    { emptyIsAbsent: true },
  ),
);

/** What every kind of rule takes besides its parameters. @reference */
export const commonFields = {
  id: optional(looseText, "unique; reports, exceptions and diffs refer to it"),
  severity: preset(severity, "severe" as FindingSeverity, "how bad a violation is", {
    without: "the default (error) would apply unnoticed",
  }),
  effect: preset(
    choice(effects),
    "deny" as Effect,
    "what follows: the call does not run, a person is asked, what matches is taken out, or it is only reported",
    { key: "then", without: "the default (deny) would apply unnoticed" },
  ),
  description: preset(looseText, "", "why the rule is there; shown when it is broken"),
  scope: preset(
    choice(["trace", "session"]),
    "trace",
    "what the rule looks at as one: a whole trace, or each conversation",
    { emptyIsWrong: true },
  ),
  when: preset(conditions, [] as readonly Condition[], "only turns for which all of these hold", {
    without: "the rule would apply everywhere",
  }),
  agents: preset(
    names,
    [] as readonly string[],
    'only turns and calls of these sub-agents; "main" is the agent itself. For rules about drift: only runs of these agents',
    {
      key: "agent",
      without: "the rule would apply everywhere",
    },
  ),
  exceptions: preset(list(exception), [] as readonly RuleException[], "violations that are accepted until a day", {
    without: "no exception would apply",
  }),
  minSeen: optional(
    integer({ min: 1 }),
    "how many calls, turns or whatever the rule looks at there must be over all traces; with fewer it is not evaluated",
    { without: "a rule that sees too little would count" },
  ),
} satisfies Fields;

interface RuleVariant extends Variant {
  readonly kind: RuleKind;
}

const variants = ruleKinds.map((kind): RuleVariant => {
  const params = mapping(kind.kind, kind.params, { emptyIsAbsent: true, ...kind.paramOptions });
  const keys = Object.values(params.fields).some((field) => field.required) || kind.paramOptions !== undefined;
  const help = `the parameters of ${kind.kind}`;
  return {
    kind,
    names: [kind.kind],
    summary: kind.summary,
    fields: { params: keys ? required(params, help) : preset(params, defaultsOf(kind), help) },
    options: { onUnknownKey: (key) => (params.knows(key) ? `${key} belongs under params.` : undefined) },
  };
});

function defaultsOf(kind: RuleKind): Readonly<Record<string, unknown>> {
  const fields = Object.entries(kind.params);
  return Object.fromEntries(
    fields.flatMap(([name, { fallback }]) => (fallback === undefined ? [] : [[name, fallback]])),
  );
}

/** What people write who know another tool. */
const OTHER_KINDS: ReadonlyMap<string, string> = new Map([
  ["must_not_call", "no_call"],
  ["forbid_call", "no_call"],
  ["must_call", "must_call_one_of"],
  ["max_tokens", "max_total_tokens"],
  ["max_cost_usd", "max_cost"],
  ["budget", "max_cost"],
  ["must_not_include_text", "forbidden_text"],
  ["ltl", "ltl_formula"],
]);

const anyRule: Tagged<RuleVariant> = tagged("a rule", {
  tag: "kind",
  common: commonFields,
  variants,
  otherNames: OTHER_KINDS,
  emptyIsAbsent: true,
  unknownTag: { params: optional(json, "the parameters of the kind") },
  titleOf: (raw) => (textOf(member(raw, "id") ?? "") === "" ? "the rule" : `rule ${textOf(member(raw, "id")!)}`),
});

export const ruleShape: Shape<PolicyRule> = named("rule", {
  ...custom(anyRule, ({ variant, values }, at): PolicyRule | undefined => {
    const { kind } = variant;
    const { params, id: _, ...rest } = values as unknown as RuleValues;
    const before = at.errorCount;
    kind.validate?.(params, at.get("params") ?? at);
    if (kind.needsBaseline && (rest.when.length > 0 || rest.scope === "session"))
      at.problem(`${kind.kind} looks at whole runs: when and scope: session mean nothing to it.`);
    if (kind.perUser?.(params) && (rest.scope === "session" || rest.when.some(looksAtTurns)))
      at.problem(
        "per: user counts over all sessions of a user: scope: session and a when that looks at responses do not go with it.",
      );
    checkEffect(kind, params, rest.effect, at);
    if (at.errorCount > before) return undefined;
    const scope = kind.perSession?.(params) ? "session" : rest.scope;
    const written = member(at.value, "params");
    return {
      ...rest,
      // Whatever it is about, it does not block: every report shows it as a warning.
      severity: rest.effect === "warn" ? "moderate" : rest.severity,
      scope,
      id: ruleId(at),
      kind: kind.kind,
      rawParams: isObject(written) ? written : EMPTY_OBJECT,
      params,
      definition: kind,
      explanation: explain(kind, params, { ...rest, scope }),
      at: rulePlace(at),
    };
  }),
});

type RuleValues = Pick<
  PolicyRule,
  "severity" | "effect" | "description" | "scope" | "when" | "agents" | "exceptions" | "minSeen" | "params"
> & {
  readonly id?: string;
};

function checkEffect(kind: RuleKind, params: unknown, effect: Effect, at: Located): void {
  const able: readonly Effect[] = [...EVERY_KIND, ...(kind.effects?.(params) ?? [])];
  if (able.includes(effect)) return;
  const place = at.get("then") ?? at;
  const why =
    effect === "ask"
      ? `${kind.kind} does not judge calls before they run, so there is nothing a person could be asked`
      : `${kind.kind} does not look for a text in arguments or results, so there is nothing that could be taken out`;
  place.problem(`${why}. It can ${listOf(able, "or")}.`);
}

/** The rule's id even when the rule itself is unsound, so that duplicates are found all the same. */
export function ruleId(at: Located): string {
  const written = member(at.value, "id");
  const index = at.address.at(-1);
  return written === undefined || written === null || written === "" || written === 0 || written === false
    ? `rule-${index}`
    : textOf(written);
}

/** Where a rule or an example stands. */
export function rulePlace(at: Located): RulePlace {
  const { file, line, column } = at.problems.source.locate(at.address);
  return {
    ...(file === undefined ? {} : { file }),
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
  };
}

function textOf(raw: Json): string {
  return typeof raw === "string" ? raw : shortJson(raw, Number.POSITIVE_INFINITY);
}

function isDay(written: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(written)) return false;
  const date = new Date(`${written}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(written);
}

function explain(
  kind: RuleKind,
  params: unknown,
  rule: Pick<PolicyRule, "when" | "scope" | "agents" | "effect">,
): string {
  const gates: string[] = [];
  if (rule.when.length > 0) gates.push(`In turns where ${describeConditions(rule.when)}`);
  if (rule.agents.length > 0) gates.push(`${gates.length === 0 ? "F" : "f"}or ${listOf(rule.agents, "or")}`);
  const sentence = kind.explain(params);
  const scoped = rule.scope === "session" ? sentence.replace(/\.$/, ", in each session.") : sentence;
  return `${gates.length === 0 ? scoped : `${gates.join(", ")}: ${scoped}`}${EFFECT_WORDS[rule.effect]}`;
}
