/** `spoor eval judge-check` in words: how far the judge agrees with people, and where it does not. */
import type { CheckedCase, JudgeCheckReport } from "@spoor/core/internal/evals/judge-check";
import type { Block, Document, Mark, Text } from "../document/document.ts";
import { name, say } from "../document/text.ts";
import { count, percent, percentRange } from "../document/words.ts";

const SHOWN = 20;

export function describeJudgeCheck(report: JudgeCheckReport, exitCode: number): Document {
  const { mark, headline } = verdictOf(report);
  const lines = [...report.disagreements.map(disagreement), ...report.unjudged.map(unjudged)];
  const cut = lines.length > SHOWN ? [[`and ${lines.length - SHOWN} more: --format json`]] : [];
  return {
    id: "spoor:judge-check",
    subject: ["judge"],
    blocks: [
      { kind: "verdict", mark, headline },
      {
        kind: "group",
        blocks: [
          confusionTable(report),
          { kind: "paragraph", text: [kappaText(report)] },
          ...[...lines.slice(0, SHOWN), ...cut].map((text): Block => ({ kind: "paragraph", text })),
          { kind: "closing", exitCode, next: [] },
        ],
      },
    ],
    footer: [],
  };
}

function verdictOf({ agreement, cases, unjudged: open, minAgreement, confusion }: JudgeCheckReport): {
  mark: Mark;
  headline: Text;
} {
  if (agreement === undefined)
    return { mark: "unknown", headline: [`None of ${count(cases, "case")} could be judged`] };
  const { share, interval } = agreement;
  const agreed = confusion.bothPass + confusion.bothFail;
  const wanted = minAgreement === undefined ? "" : `; ${percent(minAgreement)} is asked for`;
  const said = `The judge agrees with the labels on ${agreed} of ${count(cases - open.length, "case")} (${percent(share)}; ${percentRange(interval.low, interval.high)} is plausible)${wanted}`;
  if (minAgreement !== undefined && share < minAgreement) return { mark: "failed", headline: [said] };
  if (open.length > 0) return { mark: "unknown", headline: [`${said}; ${open.length} could not be judged`] };
  return { mark: "passed", headline: [said] };
}

function confusionTable({ confusion }: JudgeCheckReport): Block {
  const { bothPass, onlyJudgePasses, onlyPeoplePass, bothFail } = confusion;
  return {
    kind: "table",
    caption: "Labels and judge",
    columns: [{ title: "label" }, { title: "judge passes", align: "right" }, { title: "judge fails", align: "right" }],
    rows: [
      { cells: [["pass"], [String(bothPass)], [String(onlyPeoplePass)]] },
      { cells: [["fail"], [String(onlyJudgePasses)], [String(bothFail)]] },
    ],
  };
}

function kappaText({ kappa }: JudgeCheckReport): string {
  if (kappa === undefined)
    return "Cohen's kappa cannot be told: there are too few cases, or one answer was given throughout.";
  const { value, low, high } = kappa;
  return `Cohen's kappa ${value.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)} is plausible): agreement beyond chance, 1 is all of it.`;
}

function disagreement({ id, label, score, reasoning }: CheckedCase): Text {
  const why = reasoning === undefined ? "" : `: ${reasoning}`;
  return say`${name(id)}: labelled ${label ? "pass" : "fail"}, the judge ${label ? "fails" : "passes"} it (${(score ?? 0).toFixed(2)})${why}`;
}

function unjudged({ id, error }: CheckedCase): Text {
  return say`${name(id)}: not judged: ${error ?? "no usable answer"}`;
}
