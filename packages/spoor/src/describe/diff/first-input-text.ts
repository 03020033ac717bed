/** What first differed in what two runs were given, in words. It says what came first in time; it never says why. */
import type { FirstInput, InputDifference, InputPart } from "@spoor/core/internal/diff/input-difference";
import { shownValue, valuesText } from "../../document/argument-lines.ts";
import type { Text } from "../../document/document.ts";
import { joined, name, plainText, say } from "../../document/text.ts";
import { clip, clipBeside, list } from "../../document/words.ts";

/** "first difference going in: line 2 of the system prompt, "Confirm amounts." → "Be quick."" */
export function firstInputText(goingIn: FirstInput): Text {
  const { difference, also, notRecorded, volatile } = goingIn;
  const first: Text =
    difference === null
      ? [`nothing recorded going in differs${volatile === true ? ", but for ids and times" : ""}`]
      : say`first difference going in: ${differenceText(difference)}`;
  const further =
    also.length === 0 ? [] : [`${list(also.map(partWord))} ${isPlural(also) ? "differ" : "differs"} as well`];
  const unknown = notRecorded.length === 0 ? [] : [`not recorded: ${list(notRecorded.map(partWord))}`];
  return joined([first, further, unknown], "; ");
}

/** The same as a sentence of its own, for a page that takes plain words. */
export function firstInputSentence(goingIn: FirstInput): string {
  const words = plainText(firstInputText(goingIn));
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** What differs, without the words around it; of long values as much as there is room for. */
export function differenceText(difference: InputDifference, shown = SHOWN): Text {
  const since = sinceText(difference);
  switch (difference.code) {
    case "system_line":
      return say`line ${difference.line} of the system prompt${lineChange(difference, shown)}${since}`;
    case "tool_added":
      return say`${name(difference.tool)} is newly offered${since}`;
    case "tool_removed":
      return say`${name(difference.tool)} is no longer offered${since}`;
    case "tools_reordered":
      return say`the tools are offered in another order${since}`;
    case "tool_definition":
      return say`the definition of ${name(difference.tool)}, ${valueChange(difference, shown)}${since}`;
    case "model":
      return say`the model, ${name(difference.baseline)} → ${name(difference.candidate)}${since}`;
    case "setting":
      return say`the setting ${valueChange(difference, shown)}${since}`;
    case "said":
      return say`${speaker(difference.role)}${placeText(difference)}${lineOf(difference.line)}${lineChange(difference, shown)}`;
    case "tool_result":
      return resultText(difference, shown);
  }
}

const PART_WORDS: Readonly<Record<InputPart, string>> = {
  system: "the system prompt",
  tools: "the tools",
  model: "the model",
  settings: "the settings",
  messages: "what users said",
  results: "results of tools",
};

function partWord(part: InputPart): string {
  return PART_WORDS[part];
}

function isPlural(parts: readonly InputPart[]): boolean {
  return parts.length > 1 || parts[0] === "tools" || parts[0] === "settings";
}

const SHOWN = 160;

/** `, "old" → "new"`, ` is new: "…"`, ` is gone: "…"` */
function lineChange(
  { baseline, candidate }: { readonly baseline?: string; readonly candidate?: string },
  shown: number,
): Text {
  const quoted = (text: string, other = "") => say`"${name(clipBeside(text, other, shown))}"`;
  if (baseline === undefined) return say` is new: ${quoted(candidate ?? "")}`;
  if (candidate === undefined) return say` is gone: ${quoted(baseline)}`;
  return say`, ${quoted(baseline, candidate)} → ${quoted(candidate, baseline)}`;
}

type ValueChange = Pick<Extract<InputDifference, { code: "setting" }>, "path" | "baseline" | "candidate">;

function valueChange({ path, baseline, candidate }: ValueChange, shown: number): Text {
  return say`${path === "" ? [] : say`${name(path)} `}${valuesText(baseline, candidate, shown)}`;
}

/** From the first turn on goes without saying. */
function sinceText({ candidateTurn, baselineTurn }: InputDifference): string {
  const turn = candidateTurn ?? baselineTurn ?? 0;
  return turn === 0 ? "" : ` (from turn ${turn + 1} on)`;
}

function speaker(role: string): Text {
  if (role === "user") return ["what the user said"];
  return role === "assistant" ? ["an earlier answer that was sent along"] : say`a message of the role ${name(role)}`;
}

function lineOf(line: number | undefined): string {
  return line === undefined ? "" : `, line ${line}`;
}

function placeText({ baselineTurn, candidateTurn }: InputDifference): string {
  if (baselineTurn === undefined) return ` before turn ${candidateTurn! + 1} of the candidate`;
  if (candidateTurn === undefined) return ` before turn ${baselineTurn + 1} of the baseline`;
  return ` before turn ${candidateTurn + 1}`;
}

function resultText(difference: Extract<InputDifference, { code: "tool_result" }>, shown: number): Text {
  const { tool, line, baselineTurn, candidateTurn } = difference;
  const result = say`the result of ${name(tool)}`;
  const value = (one: ValueChange["baseline"]) => name(clip(shownValue(one), shown));
  if (baselineTurn === undefined)
    return say`${result} in turn ${candidateTurn! + 1}, which only the candidate has: ${value(difference.candidate)}`;
  if (candidateTurn === undefined)
    return say`${result} in turn ${baselineTurn + 1}, which only the baseline has: ${value(difference.baseline)}`;
  return say`${result} in turn ${candidateTurn + 1}${lineOf(line)}, ${valueChange(difference, shown)}`;
}
