/** The gate's rows and checks in words: each sentence is made from the typed facts that the gate's report holds. */
import type { CheckPlace, GateCheck, GateReport, LensResult } from "@spoor/core/internal/gate/gate-report";
import type { Text } from "../../document/document.ts";
import { say, sentences } from "../../document/text.ts";
import { count, integer, percentRange } from "../../document/words.ts";
import { statusWord } from "../baseline/words.ts";
import { headlineOf } from "../check.ts";
import { aspectSentence } from "../cohort/aspects.ts";
import { cohortDetail, cohortHeadline } from "../cohort/headline.ts";
import { earlyStopDetail, earlyStopHeadline } from "../cohort/sequential.ts";
import { axisWords } from "../diff/axis-words.ts";
import { newToolsSentence } from "../diff/new-tools.ts";

/** In few words: "2 violations, 1 warning". */
export function lensSummary({ facts }: LensResult): string {
  switch (facts.code) {
    case "policy": {
      const { severe, moderate, minor } = facts.violations;
      const parts = [
        severe > 0 ? count(severe, "violation") : "",
        moderate > 0 ? count(moderate, "warning") : "",
        minor > 0 ? count(minor, "note") : "",
        facts.notEvaluated > 0 ? `${facts.notEvaluated} not evaluated` : "",
      ].filter((part) => part !== "");
      const idle = facts.idle > 0 ? `${count(facts.idle, "rule")} saw nothing` : "";
      if (parts.length === 0) {
        if (facts.idle === facts.rules) return "no rule found anything to look at";
        return [count(facts.rules - facts.idle, "rule holds", "rules hold"), idle]
          .filter((part) => part !== "")
          .join(", ");
      }
      if (idle !== "") parts.push(idle);
      const isNew = facts.newViolations === undefined ? "" : `; ${facts.newViolations || "none"} new`;
      return `${parts.join(", ")}${isNew}`;
    }
    case "nothing_to_compare":
      return "nothing to compare";
    case "diff": {
      const { changed, turns, interval } = facts.structure;
      if (changed === 0) return `${integer(turns)} of ${count(turns, "turn")} ${turns === 1 ? "does" : "do"} the same`;
      const verb = changed === 1 ? "differs" : "differ";
      return `${integer(changed)} of ${count(turns, "turn")} ${verb} (${percentRange(interval.low, interval.high)} is plausible)`;
    }
    case "cohort":
      return facts.verdict.replaceAll("_", " ");
    case "stopped_early":
      return `changed; stopped after ${facts.pairs} of ${count(facts.plannedPairs, "pair")} of runs`;
    case "baseline": {
      const runs = count(facts.runs, "run");
      if (facts.unknown > 0) return `${facts.unknown} of ${runs} on an unknown path`;
      if (facts.variants > 0) return `${facts.variants} of ${runs} on a variant of a known path`;
      return `${facts.runs} of ${runs} on a known path`;
    }
    case "trajectory": {
      if (facts.scores === 0) return "no trace was scored";
      if (facts.worst === undefined) return `${facts.scores} of ${facts.scores} pass`;
      const { evaluator, score, passLine, ruledOut } = facts.worst;
      if (ruledOut) return `${evaluator ?? "score"} ${score.toFixed(2)}, ruled out`;
      return `${evaluator ?? "score"} ${score.toFixed(2)}, pass line ${passLine.toFixed(2)}`;
    }
  }
}

/** One sentence. */
export function checkMessage({ fact }: GateCheck, { reports, noun }: GateReport): Text {
  switch (fact.code) {
    case "rule_holds":
      return [fact.explanation];
    case "rule_idle":
      return [`It found nothing to look at. ${fact.explanation}`];
    case "rule_broken":
      return say`${headlineOf(fact)}, in ${fact.traces} of ${count(fact.of, noun)}.`;
    case "rule_not_evaluated":
      return [`Could not be evaluated: ${fact.why}`];
    case "structure":
      return [`${integer(fact.changed)} of ${count(fact.turns, "turn")} do something else.`];
    case "new_tools":
      return newToolsSentence(fact.tools);
    case "axis": {
      const { is } = axisWords[fact.axis];
      if (fact.missing !== undefined)
        return [`${is}: ${fact.missing.code === "not_run" ? "not run" : "no data"}: ${fact.missing.why}.`];
      return [`${is}: ${fact.severity}${fact.direction === "same" ? "" : `, ${fact.direction}`}.`];
    }
    case "cohort_verdict":
      return sentences(say`${cohortHeadline(reports.cohort!)}.`, cohortDetail(reports.cohort!));
    case "stopped_early":
      return sentences(say`${earlyStopHeadline(reports.earlyStop!)}.`, earlyStopDetail(reports.earlyStop!));
    case "cohort_aspect": {
      const { aspects, alpha } = reports.cohort!;
      return aspectSentence(aspects.find(({ aspect }) => aspect === fact.aspect)!, alpha);
    }
    case "behaviour": {
      const isKnown = fact.status === "match" || fact.status === "accepted_variant";
      const closest =
        isKnown || fact.closestRuns === undefined
          ? ""
          : `; the closest known one was seen ${count(fact.closestRuns, "time")}`;
      return [`${statusWord(fact)}: ${fact.path}${closest}.`];
    }
    case "score": {
      const line = `the trace ${fact.traceScore.toFixed(2)} with a pass line of ${fact.passLine.toFixed(2)}`;
      const but = fact.ruledOut ? ", which does not make good what it rules out" : "";
      return [`${fact.evaluator} scores ${fact.score.toFixed(2)}; ${line}${but}.`];
    }
  }
}

/** What is special about a place: the violation's message, or that only the baseline has the turn. */
export function placeDetail({ detail, side }: CheckPlace): string | undefined {
  return detail ?? (side === "baseline" ? "only in the baseline" : undefined);
}
