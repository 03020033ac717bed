/** What is wrong with the rules of a policy, in words: one finding each, with its place and the rules it is in conflict with. */

import type { ConditionCoverage } from "@spoor/core/internal/policy/review/condition-coverage";
import type { ReviewCode, ReviewFinding } from "@spoor/core/internal/policy/review/review-finding";
import type { PolicyTestResult } from "@spoor/core/internal/policy/test-policy";
import { type Json, type JsonObject, stringifyJson } from "@spoor/core/internal/trace/json";
import type { Block, Finding, Text } from "../document/document.ts";
import { joined, listed, name, say, styled } from "../document/text.ts";
import { count } from "../document/words.ts";

export function reviewBlocks(report: PolicyTestResult): Block[] {
  const { findings } = report;
  const blocks: Block[] = [];
  if (findings.length > 0)
    blocks.push({
      kind: "section",
      title: ["The rules themselves:"],
      blocks: [{ kind: "findings", titles: [], items: findings.map(reviewFinding) }],
    });
  return [...blocks, ...uncoveredBlocks(report)];
}

/** What the names were compared with, so that silence is not taken for an answer. */
export function toolsSentence({ tools }: PolicyTestResult): Text {
  return tools === null
    ? ["Names of tools were compared with nothing: name traces, or a list of tools with --tools."]
    : [`Names were compared with ${count(tools, "tool")}.`];
}

function reviewFinding(finding: ReviewFinding): Finding {
  const { level, ruleIds, at } = finding;
  const place = at.line === undefined ? "" : `${at.file ?? ""}:${at.line}`;
  return {
    mark: level === "error" ? "failed" : "warning",
    cells: [[level], [name(ruleIds[0]!)]],
    named: 1,
    right: place === "" ? [] : [name(place)],
    body: [{ kind: "paragraph", text: reviewSentence(finding) }],
  };
}

export function reviewSentence({ code, facts, ruleIds }: ReviewFinding): Text {
  return SENTENCES[code](facts, ruleIds.slice(1));
}

type Sentence = (facts: JsonObject, others: readonly string[]) => Text;

const SENTENCES: Readonly<Record<ReviewCode, Sentence>> = {
  unknown_tool: (facts) => say`${textOf(facts["tool"])}: no such tool.${didYouMean(facts)}`,
  no_such_tools: (facts) =>
    say`None of the tools it names is offered, so it has nothing to look at: ${names(facts["tools"])}.`,
  unknown_argument: (facts) =>
    say`${names(facts["tools"], "or")} ${many(facts["tools"]) ? "have" : "has"} no argument ${textOf(facts["argument"])}.${didYouMean(facts)}`,
  unknown_agent: (facts) => say`No trace has an agent ${textOf(facts["agent"])}.${didYouMean(facts)}`,
  unknown_path: (facts) =>
    facts["roots"] === undefined
      ? say`${textOf(facts["path"])} leads nowhere in any trace.${didYouMean(facts)}`
      : say`${textOf(facts["path"])} leads nowhere: paths begin with ${names(facts["roots"], "or")}.${didYouMean(facts)}`,
  unknown_value: (facts) =>
    say`${textOf(facts["path"])} is never ${quoted(facts["value"])}; there are ${values(facts["instead"])}.${didYouMean(facts)}`,
  never_holds: neverHolds,
  exception_never_applies: (facts) =>
    say`The exception until ${textOf(facts["until"])} never applies: ${textOf(facts["condition"])} and the rule's own conditions exclude each other.`,
  always_broken: (facts) => [ALWAYS_BROKEN[String(facts["why"])] ?? "Every trace breaks it."],
  order_of_itself: (facts) =>
    say`${textOf(facts["first"])} is itself among what it must come before (${textOf(facts["second"])}), so its first call breaks the rule.`,
  window_too_short: (facts) =>
    facts["why"] === "no_time"
      ? say`${textOf(facts["second"])} may follow ${textOf(facts["first"])} after 0 seconds at most: any call takes longer.`
      : say`Within the same turn ${textOf(facts["first"])} has not ended when ${textOf(facts["second"])} is called, and only one that succeeded counts.`,
  demanded_not_offered: (facts) =>
    say`It demands a call of ${names(facts["tools"], "or")}, which ${many(facts["tools"]) ? "are" : "is"} not offered: it can only be broken.`,
  needed_not_offered: (facts) =>
    say`${textOf(facts["second"])} needs ${textOf(facts["first"])} before it, which is not offered: every call of ${textOf(facts["second"])} breaks it.`,
  demanded_and_forbidden: (facts, others) =>
    say`It demands a call of ${names(facts["tools"], "or")}, which ${ruleNames(others)} ${others.length === 1 ? "forbids" : "forbid"}.`,
  needed_and_forbidden: (facts, others) =>
    say`${textOf(facts["second"])} needs ${textOf(facts["first"])} before it, which ${ruleNames(others)} ${others.length === 1 ? "forbids" : "forbid"}: it can never be called.`,
  order_cycle: (facts, others) =>
    say`With ${ruleNames(others)} it makes a circle: ${joined(namesOf(facts["tools"]).toReversed(), " before ")} before ${namesOf(facts["tools"]).at(-1)!}. ${facts["together"] === true ? "They can never be called in one trace." : "None of them can ever be called."}`,
  too_few_allowed: (facts, others) =>
    say`It allows ${count(Number(facts["most"]), "call")}, and ${ruleNames(others)} ${others.length === 1 ? "demands" : "demand"} a call of each of ${names(facts["tools"])}.`,
  nothing_allowed: (_facts, others) => say`It and ${ruleNames(others)} allow no tool in common, so none may be called.`,
  allowed_and_forbidden: (facts, others) =>
    say`It allows ${textOf(facts["tool"])}, which ${ruleNames(others)} forbids.`,
  text_demanded_and_forbidden: (facts, others) =>
    say`It demands ${textOf(facts["demanded"])}, and ${ruleNames(others)} forbids ${textOf(facts["forbidden"])}.`,
  calls_end_otherwise: (facts, others) =>
    say`A response that calls a tool ends with tool_use, which is not among ${values(facts["allowed"])}; ${ruleNames(others)} ${others.length === 1 ? "demands" : "demand"} a call. last_only looks at the last response alone.`,
  rules_exclude_each_other: (_facts, others) => say`No trace can keep it and ${ruleNames(others)}.`,
  says_the_same: (_facts, others) => say`It says the same as ${ruleNames(others)}.`,
};

const ALWAYS_BROKEN: Readonly<Record<string, string>> = {
  no_turn_allowed: "It allows no turn at all, so every trace breaks it.",
  no_token_allowed: "It allows no token at all, so every trace breaks it.",
  no_stop_reason_allowed: "It allows no stop reason at all, so every trace breaks it.",
  every_turn_owes_another: "Without a trigger every turn owes a next one, the last one too, so every trace breaks it.",
};

function neverHolds(facts: JsonObject): Text {
  const condition = textOf(facts["condition"]);
  switch (facts["why"]) {
    case "contradiction":
      return say`It never applies: ${condition} exclude each other.`;
    case "type":
      return say`${condition} never holds: the schema of ${names(facts["tools"], "or")} has ${values(facts["instead"], "or")} there.`;
    case "values":
      return say`${condition} never holds: the schema of ${names(facts["tools"], "or")} has only ${values(facts["instead"])}.${didYouMean(facts)}`;
    default:
      return say`${condition} holds for no value that the schema of ${names(facts["tools"], "or")} admits.`;
  }
}

/** Conditions of rules that have examples, and that no example shows both ways. */
function uncoveredBlocks({ conditions, untested }: PolicyTestResult): Block[] {
  const withoutAny = new Set(untested.filter(({ lacks }) => lacks.length === 2).map(({ ruleId }) => ruleId));
  const lacking = conditions.filter(
    ({ ruleId, holds, fails }) => !withoutAny.has(ruleId) && (holds === 0 || fails === 0),
  );
  if (lacking.length === 0) return [];
  return [
    {
      kind: "section",
      title: ["Conditions that no example shows both ways:"],
      blocks: [
        {
          kind: "table",
          columns: [{ title: "" }, { title: "", fit: "wrap" }, { title: "" }],
          rows: lacking.map((one) => ({ cells: [[name(one.ruleId)], [name(one.condition)], [lackOf(one)]] })),
        },
      ],
    },
  ];
}

function lackOf({ holds, fails }: ConditionCoverage): string {
  if (holds === 0 && fails === 0) return "never looked at";
  return holds === 0 ? "never true" : "never false";
}

function didYouMean(facts: JsonObject): Text {
  const near = facts["nearest"];
  return typeof near === "string" ? say` Did you mean ${name(near)}?` : [];
}

function textOf(value: Json | undefined): Text {
  return [name(String(value))];
}

function quoted(value: Json | undefined): Text {
  return [name(stringifyJson(value ?? null))];
}

function listIn(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

function many(value: Json | undefined): boolean {
  return listIn(value).length > 1;
}

function namesOf(value: Json | undefined): Text[] {
  return listIn(value).map(textOf);
}

function names(value: Json | undefined, word: "and" | "or" = "and"): Text {
  return listed(namesOf(value), word);
}

function values(value: Json | undefined, word: "and" | "or" = "and"): Text {
  return listed(listIn(value).slice(0, 8).map(quoted), word);
}

function ruleNames(ids: readonly string[]): Text {
  return say`${ids.length === 1 ? "rule" : "rules"} ${listed(ids.map((id) => [styled("strong", name(id))]))}`;
}
