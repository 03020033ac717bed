/** A card of changes in words: what its runs do otherwise, and which rules and known paths that concerns. */
import type { CardChange, ChangeCard } from "@spoor/core/internal/gate/change-card";
import type { Text } from "../../document/document.ts";
import { joined, listed, name, say } from "../../document/text.ts";

/** `issue_refund runs without confirm_refund_amount before it`: the rule that blocks says it best, else what changed. */
export function cardTitle({ change, rules }: Pick<ChangeCard, "change" | "rules">): Text {
  const [rule] = rules;
  if (rule?.blocks) return say`${name(rule.headline.subject)} ${rule.headline.predicate}`;
  return changeWords(change);
}

export function changeWords(change: CardChange): Text {
  switch (change.code) {
    case "calls": {
      const { dropped, added } = change;
      const gone = dropped.length === 0 ? [] : say`${names(dropped)} no longer called, or less often`;
      const more = added.length === 0 ? [] : say`${names(added)} called in addition, or more often`;
      return joined([gone, more], "; ");
    }
    case "order":
      return ["the same calls in another order"];
    case "arguments": {
      const shown = change.arguments.slice(0, LISTED).map(({ tool, path }) => say`${name(path)} of ${name(tool)}`);
      const more = change.arguments.length - LISTED;
      return say`other arguments: ${listed(shown)}${more > 0 ? ` and ${more} more` : ""}`;
    }
    case "stop_reason":
      return ["another stop reason"];
    case "turns":
      return ["turns without calls come or go"];
    case "new_run":
      return ["runs that the baseline has none of"];
    case "rules":
      return say`${change.rules.length === 1 ? "rule" : "rules"} broken: ${names(change.rules)}`;
    case "path":
      return say`a path that was never seen: ${name(change.hash)}`;
  }
}

const LISTED = 3;

function names(words: readonly string[]): Text {
  return listed(words.map((word) => [name(word)]));
}

/** `ticket-1042, ticket-1044 and 9 more`. */
export function cardRuns({ runs }: Pick<ChangeCard, "runs">, listedRuns = LISTED): Text {
  const shown: Text[] = runs.slice(0, listedRuns).map((run) => [name(run.name)]);
  const more = runs.length - listedRuns;
  return more > 0 ? say`${joined(shown, ", ")} and ${more} more` : listed(shown);
}
