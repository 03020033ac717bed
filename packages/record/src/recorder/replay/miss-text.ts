/** What a person is told when a recording has no answer: what was asked, and what is nearest to it. */
import type { MissedModel, MissedTool, NearestCall, RequestDifference } from "@spoor/core/internal/cassette/cassette";
import { type Json, stringifyJson } from "@spoor/core/internal/trace/json";

export function missedToolText(name: string, { reason, nearest }: Pick<MissedTool, "reason" | "nearest">): string {
  if (reason === "never_recorded") return `The recordings hold no call of ${name}.`;
  const where = nearest === undefined ? "" : `: ${differencesText(nearest)}`;
  return `The recordings hold no call of ${name} with these arguments${where}.`;
}

/** `refund.amount 89, recorded with 40` */
function differencesText({ differences }: NearestCall): string {
  const told = differences.filter(({ outcome }) => outcome !== "same").slice(0, MOST);
  return told
    .map(({ path, outcome, expected, actual }) => {
      const where = path === "" ? "arguments" : path;
      if (outcome === "missing") return `${where} missing, recorded with ${short(expected)}`;
      if (outcome === "unexpected") return `${where} ${short(actual)}, recorded without`;
      return `${where} ${short(actual)}, recorded with ${short(expected)}`;
    })
    .join("; ");
}

export function missedModelText({ reason, nearest }: MissedModel): string {
  const differs = nearest?.differences.slice(0, MOST).map(differenceText) ?? [];
  const where = differs.length === 0 ? "" : ` The nearest recorded request differs: ${differs.join("; ")}.`;
  return `${REASONS[reason]}${where}`;
}

function differenceText(difference: RequestDifference): string {
  switch (difference.what) {
    case "model":
      return `model ${short(difference.asked)}, recorded with ${short(difference.recorded)}`;
    case "system":
      return `line ${difference.line} of the system prompt is ${sides(difference)}`;
    case "message":
      return `message ${difference.index + 1} (${difference.role}) is ${sides(difference)}`;
    case "tools": {
      const { added, removed, changed } = difference;
      const lists = [...named("added", added), ...named("removed", removed), ...named("changed", changed)];
      return `tools: ${lists.join(", ")}`;
    }
    case "param":
      return `${difference.name} is ${sides(difference)}`;
  }
}

function sides({ asked, recorded }: { readonly asked?: Json; readonly recorded?: Json }): string {
  return `${short(asked)}, recorded with ${short(recorded)}`;
}

function named(what: string, names: readonly string[]): string[] {
  return names.length === 0 ? [] : [`${what} ${names.join(", ")}`];
}

const REASONS: Readonly<Record<MissedModel["reason"], string>> = {
  other_request: "No recorded answer fits this request.",
  used_up: "Every recorded answer to this request was served already.",
  nothing_recorded: "The recordings hold no answer of a model for this run.",
};

const MOST = 3;
const LONGEST = 60;

function short(value: Json | undefined): string {
  const text = value === undefined ? "nothing" : stringifyJson(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1).toWellFormed()}…` : text;
}
