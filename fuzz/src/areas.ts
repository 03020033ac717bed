/** Every area, in the order of the table that is printed. */
import type { Area } from "./area.ts";
import { archivesArea } from "./areas/archives.ts";
import { cassettesArea } from "./areas/cassettes.ts";
import { databasesArea } from "./areas/databases.ts";
import { ingestArea } from "./areas/ingest.ts";
import { judgeArea } from "./areas/judge.ts";
import { baselinesArea, carriedArea, reportsArea, resultsArea } from "./areas/kept-files.ts";
import { lensesArea } from "./areas/lenses.ts";
import { mcpArea } from "./areas/mcp.ts";
import { otlpArea } from "./areas/otlp.ts";
import { parseArea } from "./areas/parse.ts";
import { programArea } from "./areas/program.ts";
import { readArea } from "./areas/read.ts";
import { routesArea } from "./areas/routes.ts";
import { serviceAnswersArea } from "./areas/service-answers.ts";
import { guardSessionsArea, hookHistoriesArea, hooksArea } from "./areas/sessions.ts";
import { wiresArea } from "./areas/wires.ts";
import { configurationsArea, evalsArea, evaluatorsArea, policiesArea } from "./areas/written-files.ts";

export const areas: readonly Area[] = [
  readArea,
  archivesArea,
  databasesArea,
  judgeArea,
  lensesArea,
  parseArea,
  policiesArea,
  configurationsArea,
  evaluatorsArea,
  evalsArea,
  reportsArea,
  resultsArea,
  baselinesArea,
  carriedArea,
  hooksArea,
  hookHistoriesArea,
  guardSessionsArea,
  wiresArea,
  cassettesArea,
  otlpArea,
  mcpArea,
  ingestArea,
  routesArea,
  serviceAnswersArea,
  programArea,
];

/** Which area has which input: the same in every run, spread evenly. */
export function areaOf(number: number): Area {
  // 617 has no factor in common with the length of the cycle: neighbours go to different areas.
  return cycle[(number * 617) % cycle.length]!;
}

const cycle = areas.flatMap((area) => Array.from({ length: area.share }, () => area));
