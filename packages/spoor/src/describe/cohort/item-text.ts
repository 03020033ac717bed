/** One moved feature in words: `confirm in 41 % of runs instead of 96 %`. */
import { isShare, type StepFacts } from "@spoor/core/internal/cohort/feature-facts";
import type { Item } from "@spoor/core/internal/cohort/items";
import type { Text } from "../../document/document.ts";
import { name, say } from "../../document/text.ts";
import { integer, percent } from "../../document/words.ts";

const TYPE_WORDS: Readonly<Record<string, string>> = {
  null: "null",
  bool: "true or false",
  num: "a number",
  str: "a text",
  arr: "a list",
  obj: "an object",
};

export function itemText(item: Item): Text {
  const tool = name(item.tool ?? "");
  const argument = item.key === "" ? say`${tool}'s argument` : say`${tool} ${name(item.key ?? "")}`;
  switch (item.measure) {
    case "called":
      return say`${tool} in ${shares(item, ["of runs"])}`;
    case "calls_of":
      return say`${tool} ${amounts(item, " times in a typical run")}`;
    case "before":
      return say`${tool} before ${name(item.otherTool ?? "")} in ${shares(item, ["of the runs that call both"])}`;
    case "followed":
      return say`${followedText(item)} ${amounts(item, " times in a typical run")}`;
    case "type":
      return say`${argument} is ${TYPE_WORDS[item.type ?? ""] ?? item.type} in ${shares(item, ["of calls"])}`;
    case "size":
      return say`size of ${argument} typically ${amounts(item, "")}`;
    case "effects":
      return say`${amounts(item, " effects in a typical run")}`;
    case "effects_of":
      return say`${tool} takes effect ${amounts(item, " times in a typical run")}`;
    case "stop":
      return shares(item, say`of runs end with ${name(item.stop ?? "")}`);
    case "no_answer":
      return shares(item, ["of runs ended without an answer"]);
    case "failed":
      return shares(item, ["of runs have a failed call"]);
    default:
      return say`${amounts(item, ` ${UNITS[item.measure] ?? item.measure}`)}`;
  }
}

const UNITS: Readonly<Record<string, string>> = {
  turns: "responses in a typical run",
  calls: "tool calls in a typical run",
  repeats: "repeated calls in a typical run",
  parallel: "calls side by side at most, in a typical run",
  tokens: "output tokens in a typical run",
  textTurns: "responses with text in a typical run",
  silentTurns: "responses without text in a typical run",
  callsPerTurn: "calls per response in a typical run",
  callsInARow: "calls in a row without a word, at most, in a typical run",
  textsInARow: "texts in a row without a call, at most, in a typical run",
  errors: "failed calls in a typical run",
  chars: "characters of text in a typical run",
  charsPerMessage: "characters in a typical message",
  questions: "question marks in a typical run",
  digits: "digits in a typical run",
  listLines: "list lines in a typical run",
  lines: "lines of text in a typical run",
};

/** `confirm right after a text`, `begins with confirm`, `ends after a text`. */
function followedText({ steps }: Item): Text {
  const [before, after] = steps ?? [{ kind: "start" }, { kind: "end" }];
  if (after.kind === "end") return before.kind === "start" ? ["does nothing"] : say`ends after ${stepText(before)}`;
  return before.kind === "start"
    ? say`begins with ${stepText(after)}`
    : say`${stepText(after)} right after ${stepText(before)}`;
}

function stepText(step: StepFacts): Text {
  return step.kind === "call" ? [name(step.tool)] : ["a text"];
}

/** True when the sentence speaks of a typical run, which needs its gloss once. */
export function isTypical(item: Item): boolean {
  return !isShare(item.measure);
}

function shares({ baselineMean, candidateMean }: Item, of: Text): Text {
  if (baselineMean === null) return say`${percent(candidateMean ?? 0)} ${of}; no baseline run to compare`;
  if (candidateMean === null) return say`no candidate run to compare, ${percent(baselineMean)} ${of} in the baseline`;
  return say`${percent(candidateMean)} ${of} instead of ${percent(baselineMean)}`;
}

/** Means of log2(1 + x), taken back to amounts. */
function amounts({ baselineMean, candidateMean }: Item, unit: string): string {
  const after = candidateMean === null ? "no" : amount(2 ** candidateMean - 1);
  const before = baselineMean === null ? "none" : amount(2 ** baselineMean - 1);
  return `${after}${unit} instead of ${before}`;
}

function amount(value: number): string {
  if (value < 0.005) return "0";
  if (value >= 100) return integer(value);
  return value < 1 ? value.toFixed(2) : value.toFixed(1);
}
