/** SARIF 2.1.0: every check that is not a pass, pointing at the policy line or at the trace it was found in. */
import type { CheckPlace, CheckStatus, GateCheck, GateReport } from "@spoor/core/gate/gate-report";
import { writeJson } from "../../write/json.ts";
import { placeText } from "./junit.ts";

const LEVEL: Readonly<Record<CheckStatus, string>> = {
  passed: "none",
  warned: "warning",
  failed: "error",
  not_evaluated: "error",
};

export function renderSarif(report: GateReport): string {
  const bad = report.checks.filter((check) => check.status !== "passed");
  return writeJson({
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: { name: "spoor", semanticVersion: report.tool.version, rules: report.checks.map(ruleOf) },
        },
        invocations: [{ executionSuccessful: report.status !== "not_evaluated" }],
        results: bad.flatMap(resultsOf),
      },
    ],
  });
}

function ruleId(check: GateCheck): string {
  return `${check.lens}/${check.name}`;
}

function ruleOf(check: GateCheck): unknown {
  return { id: ruleId(check), name: check.name, shortDescription: { text: check.message } };
}

/** One result per place, so that each can be closed on its own; one without a place when there is none. */
function resultsOf(check: GateCheck): unknown[] {
  const places: readonly (CheckPlace | undefined)[] = check.places.length > 0 ? check.places : [undefined];
  return places.map((place) => ({
    ruleId: ruleId(check),
    level: LEVEL[check.status],
    message: { text: place === undefined ? check.message : `${check.message} ${placeText(place)}` },
    locations: locationsOf(check, place),
    partialFingerprints: {
      place: `${ruleId(check)}:${place?.key ?? ""}:${place?.turnIndex ?? ""}`,
    },
  }));
}

function locationsOf(check: GateCheck, place: CheckPlace | undefined): unknown[] {
  const uri = check.rule?.file ?? place?.path;
  if (uri === undefined) return [];
  const region =
    check.rule?.line === undefined
      ? {}
      : {
          region: {
            startLine: check.rule.line,
            ...(check.rule.column === undefined ? {} : { startColumn: check.rule.column }),
          },
        };
  return [
    {
      physicalLocation: { artifactLocation: { uri: uri.replaceAll("\\", "/") }, ...region },
      ...(place === undefined ? {} : { logicalLocations: [{ name: placeText(place) }] }),
    },
  ];
}
