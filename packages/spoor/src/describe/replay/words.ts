/** The words for what a replay served, missed and never asked for. */

import type { RequestDifference } from "@spoor/core/internal/cassette/cassette";
import type { NamedCount, ReplayMiss, ReplayReport, ServedShare } from "@spoor/core/internal/cassette/replay-report";
import { briefValue } from "@spoor/core/internal/text/brief-json";
import type { Json } from "@spoor/core/internal/trace/json";
import type { ArgumentComparison } from "@spoor/core/internal/trajectory/trajectory";
import type { Text } from "../../document/document.ts";
import { joined, listed, name, say } from "../../document/text.ts";
import { count, integer } from "../../document/words.ts";

const MOST_DIFFERENCES = 3;
const LONGEST = 80;

/** `12 of 14 tool calls` */
export function shareText({ asked, served }: ServedShare, what: string): string {
  return `${integer(served)} of ${count(asked, what)}`;
}

/** `9 exact, 2 of another state`, most sure first. */
export function waysText({ ways }: ServedShare): Text {
  const told = Object.keys(WAYS).filter((way) => (ways[way] ?? 0) > 0);
  return joined(
    told.map((way): Text => [`${integer(ways[way]!)} ${WAYS[way]!}`]),
    ", ",
  );
}

const WAYS: Readonly<Record<string, string>> = {
  exact: "exact",
  stale: "with other effects before them",
  again: "the last result again",
  constant: "always the same",
  elsewhere: "from another scenario",
  near: "near enough",
  configured: "configured",
  live: "run for real",
  miss: "missed",
};

/** `issue_refund: refund.amount 89, recorded with 40` */
export function missText({ name: tool, reason, decision, nearest }: ReplayMiss): Text {
  const ran = decision === "run" ? "; it only reads, and ran for real" : "";
  if (reason === "never_recorded") return say`${name(tool)}: never recorded${ran}`;
  const differences = (nearest?.differences ?? []).filter(({ outcome }) => outcome !== "same");
  if (differences.length === 0) return say`${name(tool)}: not recorded with these arguments${ran}`;
  const shown = differences.slice(0, MOST_DIFFERENCES).map(argumentText);
  const more = differences.length - shown.length;
  return say`${name(tool)}: ${joined([...shown, ...(more > 0 ? [[`${integer(more)} more`]] : [])], "; ")}${ran}`;
}

function argumentText({ path, outcome, expected, actual }: ArgumentComparison): Text {
  const where: Text = path === "" ? ["the arguments"] : [name(path)];
  if (outcome === "missing") return say`${where} not given, recorded with ${valueText(expected)}`;
  if (outcome === "unexpected") return say`${where} ${valueText(actual)}, recorded without`;
  return say`${where} ${valueText(actual)}, recorded with ${valueText(expected)}`;
}

export function modelMissText({ reason, nearest }: ReplayReport["modelMisses"][number]): Text {
  if (reason === "used_up") return ["Every recorded answer to a request was served already."];
  if (reason === "nothing_recorded") return ["The recordings hold no answer of a model for this run."];
  const differences = (nearest?.differences ?? []).slice(0, MOST_DIFFERENCES).map(requestText);
  if (differences.length === 0) return ["No recorded answer fits a request."];
  return say`No recorded answer fits a request: ${joined(differences, "; ")}.`;
}

function requestText(difference: RequestDifference): Text {
  switch (difference.what) {
    case "model":
      return say`model ${valueText(difference.asked)}, recorded with ${valueText(difference.recorded)}`;
    case "system":
      return say`line ${integer(difference.line)} of the system prompt is ${sidesText(difference)}`;
    case "message":
      return say`message ${integer(difference.index + 1)} (${name(difference.role)}) is ${sidesText(difference)}`;
    case "tools":
      return joined(toolChanges(difference.added, difference.removed, difference.changed), ", ");
    case "param":
      return say`${name(difference.name)} is ${sidesText(difference)}`;
  }
}

function sidesText({ asked, recorded }: { readonly asked?: Json; readonly recorded?: Json }): Text {
  return say`${valueText(asked)}, recorded with ${valueText(recorded)}`;
}

function valueText(value: Json | undefined): Text {
  if (value === undefined) return ["nothing"];
  const text = briefValue(value);
  return [name(text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1).toWellFormed()}…`)];
}

/** What is offered now and was not, was and is not, or is another. */
export function toolChanges(added: readonly string[], removed: readonly string[], changed: readonly string[]): Text[] {
  const said = (names: readonly string[], verb: string): Text[] =>
    names.length === 0 ? [] : [say`${listed(names.map((one): Text => [name(one)]))} ${verb}`];
  return [...said(added, "added"), ...said(removed, "removed"), ...said(changed, "changed")];
}

/** `get_order, issue_refund (2)` */
export function namedCounts(all: readonly NamedCount[]): Text {
  return joined(
    all.map(
      ({ name: tool, count: times }): Text => (times === 1 ? [name(tool)] : say`${name(tool)} (${integer(times)})`),
    ),
    ", ",
  );
}
