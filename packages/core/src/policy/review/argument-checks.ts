/** Conditions on arguments beside the schemas that tools are offered with: arguments nobody takes, values nobody may give. */
import { nearest } from "../../text/nearest.ts";
import { slipOf } from "../../text/slip.ts";
import type { Json, JsonObject } from "../../trace/json.ts";
import type { ArgumentClaim } from "../claims.ts";
import type { Condition } from "../condition.ts";
import { describeArguments } from "../conditions.ts";
import type { Path } from "../path.ts";
import type { PolicyRule } from "../policy.ts";
import { type Impossible, listedValues, whyNever } from "./can-hold.ts";
import { finding } from "./conflicts.ts";
import { claimsOf } from "./gates.ts";
import { type KnownTools, toolsNamed } from "./known-tools.ts";
import type { ReviewFinding } from "./review-finding.ts";
import { lookUpSchema, type Missing, type SchemaAnswer } from "./schema-path.ts";

export function checkArguments(rules: readonly PolicyRule[], known: KnownTools): ReviewFinding[] {
  return rules.flatMap((rule) => {
    const claims = [...(claimsOf(rule).arguments ?? []), ...argumentsInTurns(rule)];
    const conditions = claims.flatMap((claim) =>
      claim.conditions.flatMap((condition) => checkCondition(rule, claim.tools, condition, known)),
    );
    const judged = new Set(claims.flatMap((claim) => claim.conditions.map(({ path }) => path)));
    const others = (rule.definition.argumentPaths?.(rule.params) ?? []).filter((path) => !judged.has(path));
    const tools = rule.definition.tools?.(rule.params) ?? [];
    // What two calls must have in common both must have; a value that is watched for may be in one of several.
    const sides = claimsOf(rule).orders === undefined ? [tools] : tools.map((tool) => [tool]);
    return [...conditions, ...others.flatMap((path) => sides.flatMap((side) => checkPath(rule, side, path, known)))];
  });
}

/** `response.content.*.input.amount` of `when` and `trigger` looks at the arguments of whatever tool the turn calls. */
function argumentsInTurns(rule: PolicyRule): ArgumentClaim[] {
  const conditions = [...rule.when, ...(claimsOf(rule).triggers ?? [])];
  return conditions.flatMap((condition) => {
    const { segments } = condition.path;
    if (segments[0] !== "response" || segments[1] !== "content" || segments[3] !== "input" || segments.length < 5)
      return [];
    const rest = segments.slice(4);
    const path = { text: condition.path.text, segments: rest, many: true };
    return [{ tools: [], conditions: [{ ...condition, path }] }];
  });
}

function checkCondition(
  rule: PolicyRule,
  tools: readonly string[],
  condition: Condition,
  known: KnownTools,
): ReviewFinding[] {
  const answers = answersOf(tools, condition.path, known);
  if (answers === undefined) return [];
  const described = answers.flatMap(({ answer }) => (answer.kind === "described" ? [answer.schemas] : []));
  if (described.length === 0) return unknownArgument(rule, condition.path, answers);
  const never = described.map((schemas) => whyNever(condition, schemas));
  const facts = { condition: describeArguments([condition]), tools: answers.map(({ tool }) => tool) };
  if (never.every((one) => one !== undefined)) {
    const [{ why, instead }] = never as [Impossible, ...Impossible[]];
    return [
      finding("never_holds", levelOf(condition, why), rule, [], {
        ...facts,
        why,
        instead,
        ...hintOf(condition, instead),
      }),
    ];
  }
  return unknownValues(rule, condition, described.flat());
}

/** Models do not always keep to limits, and a rule may be there for when they do not; they do not invent types. */
function levelOf({ op }: Condition, why: Impossible["why"]): "error" | "warning" {
  if (why === "limits") return "warning";
  return op === "!=" || op === "not_in" || op === "not_contains" ? "warning" : "error";
}

function hintOf({ value }: Condition, instead: readonly Json[]): JsonObject {
  const texts = instead.filter((one) => typeof one === "string");
  const near = typeof value === "string" ? nearest(value, texts) : undefined;
  return near === undefined ? {} : { nearest: near };
}

/** `in [EUR, USDD]`, `!= EURO`: it can hold, but not for the value that is written there. */
function unknownValues(
  rule: PolicyRule,
  { path, op, value }: Condition,
  schemas: readonly JsonObject[],
): ReviewFinding[] {
  const written = op === "in" || op === "not_in" ? value : op === "!=" ? [value] : [];
  const lists = schemas.map(listedValues);
  if (!Array.isArray(written) || lists.some((one) => one === undefined)) return [];
  const listed = lists.flatMap((one) => one ?? []);
  const texts = listed.filter((one) => typeof one === "string");
  return written
    .filter((one: Json) => one !== null && typeof one !== "object" && !listed.includes(one))
    .map((one: Json) => {
      const meant = typeof one === "string" ? slipOf(one, texts) : undefined;
      const near = meant ?? (typeof one === "string" ? nearest(one, texts) : undefined);
      return finding("unknown_value", meant === undefined ? "warning" : "error", rule, [], {
        path: path.text,
        value: one,
        instead: listed,
        ...(near === undefined ? {} : { nearest: near }),
      });
    });
}

function checkPath(rule: PolicyRule, tools: readonly string[], path: Path, known: KnownTools): ReviewFinding[] {
  const answers = answersOf(tools, path, known);
  if (answers === undefined || answers.some(({ answer }) => answer.kind === "described")) return [];
  return unknownArgument(rule, path, answers);
}

interface ToolAnswer {
  readonly tool: string;
  readonly answer: SchemaAnswer;
}

/** What the schemas of the tools say; undefined when one of them may take anything there, or none is known. */
function answersOf(tools: readonly string[], path: Path, known: KnownTools): readonly ToolAnswer[] | undefined {
  const answers: ToolAnswer[] = [];
  const named = new Set(tools.length === 0 ? known.tools.keys() : tools.flatMap((tool) => toolsNamed(tool, known)));
  for (const tool of named) {
    const { schemas, open } = known.tools.get(tool)!;
    if (open) return undefined;
    for (const schema of schemas) answers.push({ tool, answer: lookUpSchema(schema, path) });
  }
  if (answers.length === 0 || answers.some(({ answer }) => answer.kind === "anything")) return undefined;
  return answers;
}

function unknownArgument(rule: PolicyRule, path: Path, answers: readonly ToolAnswer[]): ReviewFinding[] {
  const missing = answers.flatMap(({ answer }) => (answer.kind === "missing" ? [answer] : []));
  const depth = Math.max(...missing.map((one) => one.depth));
  const deepest: readonly Missing[] = missing.filter((one) => one.depth === depth);
  const keys = [...new Set(deepest.flatMap((one) => one.keys))];
  const segment = path.segments[depth];
  const meant = segment === undefined ? undefined : slipOf(segment, keys);
  const near = meant ?? (segment === undefined ? undefined : nearest(segment, keys));
  const isCertain = meant !== undefined || missing.every(({ closed }) => closed);
  const segments = path.segments.map((one) => one ?? "*");
  const head = path.text.split(".").slice(0, -segments.length);
  return [
    finding("unknown_argument", isCertain ? "error" : "warning", rule, [], {
      argument: path.text,
      tools: [...new Set(answers.map(({ tool }) => tool))],
      ...(near === undefined ? {} : { nearest: [...head, ...segments.with(depth, near)].join(".") }),
    }),
  ];
}
