/** How far a judge agrees with people who labelled the same cases. */
import type { ReportInput, ToolInfo } from "../report/report.ts";
import { clopperPearson, type ShareInterval } from "../stats/clopper-pearson.ts";
import { cohenKappa, type Kappa } from "../stats/cohen-kappa.ts";

export interface CheckedCase {
  readonly id: string;
  /** What people said. */
  readonly label: boolean;
  /** What the judge said; absent when it gave no usable answer. */
  readonly judged?: boolean;
  readonly score?: number;
  readonly reasoning?: string;
  readonly error?: string;
}

export interface JudgeCheckReport {
  readonly schema: "spoor.judge-check/1";
  readonly tool: ToolInfo;
  readonly inputs: readonly ReportInput[];
  readonly judges: readonly string[];
  readonly cases: number;
  /** Cases that the judge gave no usable answer for. */
  readonly unjudged: readonly CheckedCase[];
  /** By what people said and what the judge said. */
  readonly confusion: {
    readonly bothPass: number;
    readonly onlyJudgePasses: number;
    readonly onlyPeoplePass: number;
    readonly bothFail: number;
  };
  /** Share of the judged cases on which both agree; absent when none was judged. */
  readonly agreement?: { readonly share: number; readonly interval: ShareInterval };
  /** Absent where one of two answers was given throughout. */
  readonly kappa?: Kappa;
  readonly disagreements: readonly CheckedCase[];
  readonly minAgreement?: number;
}

export interface JudgeCheckOptions {
  readonly tool: ToolInfo;
  readonly inputs: readonly ReportInput[];
  readonly judges: readonly string[];
  readonly minAgreement?: number | undefined;
}

export function buildJudgeCheck(
  cases: readonly CheckedCase[],
  { minAgreement, ...head }: JudgeCheckOptions,
): JudgeCheckReport {
  const judged = cases.filter((entry) => entry.judged !== undefined);
  const count = (label: boolean, said: boolean) =>
    judged.filter((entry) => entry.label === label && entry.judged === said).length;
  const confusion = {
    bothPass: count(true, true),
    onlyJudgePasses: count(false, true),
    onlyPeoplePass: count(true, false),
    bothFail: count(false, false),
  };
  const agreed = confusion.bothPass + confusion.bothFail;
  const kappa = cohenKappa({
    both: confusion.bothPass,
    onlyFirst: confusion.onlyPeoplePass,
    onlySecond: confusion.onlyJudgePasses,
    neither: confusion.bothFail,
  });
  return {
    schema: "spoor.judge-check/1",
    ...head,
    cases: cases.length,
    unjudged: cases.filter((entry) => entry.judged === undefined),
    confusion,
    ...(judged.length === 0
      ? {}
      : { agreement: { share: agreed / judged.length, interval: clopperPearson(agreed, judged.length) } }),
    ...(kappa === undefined ? {} : { kappa }),
    disagreements: judged.filter((entry) => entry.label !== entry.judged),
    ...(minAgreement === undefined ? {} : { minAgreement }),
  };
}
