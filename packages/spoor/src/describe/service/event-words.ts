/** What happened in the service, one sentence for each event. */
import type { Json } from "@spoor/core";
import { member, stringMember } from "@spoor/core/internal/trace/json";
import type { Text } from "../../document/document.ts";
import { name, say } from "../../document/text.ts";
import { count } from "../../document/words.ts";

export type EventKind = "run" | "finding" | "verdict" | "cohort" | "review" | "reevaluation";

export function eventSentence(kind: EventKind, body: Json): Text {
  const agent = name(stringMember(body, "agent") ?? "an agent");
  switch (kind) {
    case "run":
      return say`${agent} sent ${count(numberMember(body, "runs"), "run")}`;
    case "finding": {
      const times = numberMember(body, "findings");
      const often = times > 1 ? `, ${times} times` : "";
      return say`${agent} broke ${name(stringMember(body, "rule") ?? "a rule")}${often}`;
    }
    case "verdict":
      return say`${agent} ${name(stringMember(body, "release") ?? "")} was judged: ${statusWords(stringMember(body, "status"))}`;
    case "cohort":
      return say`The runs of ${agent} were compared as cohorts`;
    case "reevaluation":
      return [
        `The rules changed: ${numberMember(body, "done")} of ${count(numberMember(body, "of"), "run")} judged again`,
      ];
    case "review":
      return say`Baseline ${String(numberMember(body, "generation"))} of ${agent} was ${stringMember(body, "decision") ?? "decided"}`;
  }
}

function numberMember(body: Json, key: string): number {
  const value = member(body, key);
  return typeof value === "number" ? value : 0;
}

function statusWords(status: string | undefined): string {
  return (status ?? "not_evaluated").replaceAll("_", " ");
}
