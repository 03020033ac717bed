/**
 * A list of evaluator entries, in any of the dialects, → configurations. Entries of AgentV (three releases), promptfoo
 * assertions and plain texts (criteria for a judge) may stand side by side. Every problem is collected; nothing is skipped.
 */

import type { YamlPath } from "../read/parse-yaml.ts";
import { nearest } from "../text/nearest.ts";
import { isObject, type Json, type JsonObject } from "../trace/json.ts";
import type { ProblemList } from "../yaml/problem-list.ts";
import { type EvaluateContext, type Evaluator, findEvaluator, normaliseType } from "./define-evaluator.ts";
import { EntryReader, shown } from "./entry-reader.ts";
import type { EvaluatorConfig } from "./evaluation.ts";
import { translateAssertion } from "./promptfoo.ts";

export interface ParseContext<C extends EvaluateContext = EvaluateContext> {
  readonly problems: ProblemList;
  /** Where the list stands in the document. */
  readonly path: YamlPath;
  readonly registry: readonly Evaluator<C>[];
}

export function parseEvaluatorsWith<C extends EvaluateContext>(raw: Json, context: ParseContext<C>): EvaluatorConfig[] {
  if (!Array.isArray(raw)) {
    context.problems.add(context.path, `evaluators must be a list, found ${shown(raw)}.`);
    return [];
  }
  const entries = raw as readonly Json[];
  const configs: EvaluatorConfig[] = [];
  const criteria: string[] = [];
  for (const [index, entry] of entries.entries()) {
    const path = [...context.path, index];
    if (typeof entry === "string") criteria.push(entry);
    else if (isObject(entry)) configs.push(...parseEntry(entry, path, context));
    else
      context.problems.add(
        path,
        `an evaluator must be a mapping with "type", or a text for a judge; found ${shown(entry)}.`,
      );
  }
  if (criteria.length > 0) configs.push(...criteriaConfig(criteria, context));
  return withDistinctNames(configs);
}

function parseEntry<C extends EvaluateContext>(
  raw: JsonObject,
  path: YamlPath,
  context: ParseContext<C>,
): EvaluatorConfig[] {
  const written = raw["type"];
  if (typeof written !== "string") {
    const message =
      written === undefined ? 'an evaluator needs "type".' : `"type" takes a text, found ${shown(written)}.`;
    context.problems.add(path, `${message} Known types: ${typeNames(context.registry).join(", ")}.`);
    return [];
  }
  const negated = written.startsWith("not-") || written.startsWith("not_");
  const type = negated ? written.slice(4) : written;
  const translated = type.includes(":") ? translateAssertion(type, raw, negated) : undefined;
  const entry = translated?.raw ?? raw;
  const evaluator = findEvaluator(translated?.type ?? type, context.registry);
  if (evaluator === undefined || translated?.problem !== undefined) {
    context.problems.add([...path, "type"], translated?.problem ?? unknownType(type, context.registry));
    return [];
  }
  return [readEntry(entry, path, evaluator, context, negated !== (translated?.negationDone ?? false))];
}

function readEntry<C extends EvaluateContext>(
  raw: JsonObject,
  path: YamlPath,
  evaluator: Evaluator<C>,
  context: ParseContext<C>,
  negated: boolean,
): EvaluatorConfig {
  const given = raw["name"] ?? raw["metric"];
  const name = typeof given === "string" ? given : negated ? `not_${evaluator.type}` : evaluator.type;
  const entry = new EntryReader(raw, path, context.problems, `evaluator "${name}"`);
  entry.string("name", "metric");
  entry.value("type");
  entry.value("description");
  const weight = parseWeight(entry, name);
  const required = entry.value("required");
  if (required !== undefined && typeof required !== "boolean" && !isShare(required)) {
    entry.problem(
      "required",
      `"required" takes true, false or a pass line above 0 and up to 1, found ${shown(required)}`,
    );
  }
  const minScore =
    entry.number(["min_score", "minScore"], { above: 0, max: 1 }) ?? (isShare(required) ? required : undefined);
  const negate = entry.boolean("negate") ?? false;
  const params = evaluator.parse(entry);
  entry.refuseUnknown();
  return {
    name,
    type: evaluator.type,
    weight,
    required: required !== undefined && required !== false,
    ...(minScore === undefined ? {} : { minScore }),
    negate: negate !== negated,
    params,
  };
}

/** The words of the first release, which scripts look for. */
function parseWeight(entry: EntryReader, name: string): number {
  const weight = entry.value("weight") ?? 1;
  if (typeof weight === "number" && weight >= 0) return weight;
  const must = typeof weight === "number" ? `must be non-negative (got ${weight})` : "must be a number";
  entry.problems.add([...entry.path, "weight"], `Invalid weight for evaluator '${name}': ${must}.`);
  return 1;
}

function isShare(value: Json | undefined): value is number {
  return typeof value === "number" && value > 0 && value <= 1;
}

/** Plain texts become one judge with a checklist, which weighs as much as it has items. */
function criteriaConfig<C extends EvaluateContext>(
  criteria: readonly string[],
  context: ParseContext<C>,
): EvaluatorConfig[] {
  const judge = findEvaluator("llm_judge", context.registry);
  if (judge === undefined) {
    context.problems.add(context.path, "plain texts are criteria for a judge, and there is no judge here.");
    return [];
  }
  const raw: JsonObject = { name: "criteria", type: "llm_judge", rubrics: [...criteria], weight: criteria.length };
  return [readEntry(raw, context.path, judge, context, false)];
}

/** Results refer to names, so the second of two equal ones gets a number. */
function withDistinctNames(configs: readonly EvaluatorConfig[]): EvaluatorConfig[] {
  const seen = new Map<string, number>();
  return configs.map((config) => {
    const count = (seen.get(config.name) ?? 0) + 1;
    seen.set(config.name, count);
    return count === 1 ? config : { ...config, name: `${config.name}-${count}` };
  });
}

function unknownType<C extends EvaluateContext>(type: string, registry: readonly Evaluator<C>[]): string {
  const names = typeNames(registry);
  const close = nearest(normaliseType(type), names);
  return `unknown evaluator type "${type}". ${close === undefined ? `Known are ${names.join(", ")}.` : `Did you mean ${close}?`}`;
}

function typeNames<C extends EvaluateContext>(registry: readonly Evaluator<C>[]): string[] {
  return registry.map((evaluator) => evaluator.type);
}
