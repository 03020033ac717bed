/** Every report that can be saved and read back, by its schema. */

import type { Json } from "@spoor/core";
import { SpoorError } from "@spoor/core/internal/errors";
import type { ReportHeader } from "@spoor/core/internal/report/report";
import { nearest } from "@spoor/core/internal/text/nearest";
import { isObject, member } from "@spoor/core/internal/trace/json";
import { version } from "../../tool-info.ts";
import { acceptKind } from "./accept-kind.ts";
import { baselineKind } from "./baseline-kind.ts";
import { checkKind } from "./check-kind.ts";
import { cohortKind, cohortPlanKind, cohortSequentialKind } from "./cohort-kinds.ts";
import { diffKind } from "./diff-kind.ts";
import { evalCompareKind } from "./eval-compare-kind.ts";
import { evalKind } from "./eval-kind.ts";
import { fingerprintKind } from "./fingerprint-kind.ts";
import { gateKind } from "./gate-kind.ts";
import { recordKind } from "./record-kind.ts";
import { replayKind } from "./replay-kind.ts";
import type { ReportKind } from "./report-kind.ts";
import { scoreKind } from "./score-kind.ts";
import { trendKind } from "./trend-kind.ts";
import { whyKind } from "./why-kind.ts";

/** A kind whose report type has been forgotten. */
export type AnyReportKind = ReportKind<ReportHeader<string>>;

export const reportKinds: readonly AnyReportKind[] = [
  gateKind,
  acceptKind,
  diffKind,
  checkKind,
  scoreKind,
  evalKind,
  evalCompareKind,
  fingerprintKind,
  baselineKind,
  cohortKind,
  cohortPlanKind,
  cohortSequentialKind,
  trendKind,
  recordKind,
  replayKind,
  whyKind,
] as unknown as readonly AnyReportKind[];

/** The kind of a document by its `schema`; everything that is no report of ours is a typed error. */
export function kindOfReport(value: Json, file: string): AnyReportKind {
  const schema = isObject(value) ? member(value, "schema") : undefined;
  if (typeof schema !== "string") throw notAReport(file);
  const found = reportKinds.find((kind) => kind.schema === schema);
  if (found !== undefined) return found;
  const [name, number] = schema.split("/");
  const known = reportKinds.find((kind) => kind.schema.split("/")[0] === name);
  if (known !== undefined && Number(number) > Number(known.schema.split("/")[1])) {
    throw new SpoorError(
      "report.newer",
      `${file} is a ${schema} report; this Spoor (${version}) reads ${known.schema}.`,
      {
        at: { file, path: "schema" },
        consequence: "A newer report may say things this version would leave out, so nothing is printed.",
        hint: "npm i -D spoor@latest",
      },
    );
  }
  const schemas = reportKinds.map((kind) => kind.schema);
  const close = nearest(schema, schemas);
  throw new SpoorError("report.unknown", `${file} has the schema "${schema}", which no report of Spoor has.`, {
    at: { file, path: "schema" },
    hint: close === undefined ? `Known: ${schemas.join(", ")}.` : `Did you mean ${close}?`,
  });
}

function notAReport(file: string): SpoorError {
  return new SpoorError("report.not-a-report", `${file} is no report of Spoor: it has no "schema".`, {
    at: { file },
    hint: "Save one with --format json, or -o report.json. For a trace: spoor show FILE",
  });
}
