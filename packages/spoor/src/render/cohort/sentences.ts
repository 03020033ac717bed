/** What the gate's own renderers still take as strings; goes with them. */
import type { CohortResult } from "@spoor/core/cohort/cohort-report";
import { cohortDetail, cohortHeadline } from "../../describe/cohort/headline.ts";
import * as described from "../../describe/cohort/sentences.ts";
import { plainText, runsOf, say, sentences } from "../../document/text.ts";

export { designWords, methodSentence } from "../../describe/cohort/sentences.ts";

export function headline(report: CohortResult, quote: (name: string) => string): string {
  return runsOf(sentences(say`${cohortHeadline(report)}.`, cohortDetail(report)))
    .map((run) => (run.isName ? quote(run.text) : run.text))
    .join("");
}

export function advice(report: CohortResult): string[] {
  return described.advice(report).map(plainText);
}
