/** SARIF 2.1.0: every check that is not a pass, pointing at the policy line or at the trace it was found in. */

import { printable } from "@spoor/core/internal/text/printable";
import type { Check, CheckMark, Place } from "../../document/check.ts";
import { plainText } from "../../document/text.ts";
import { writeJson } from "../json.ts";
import { placeText } from "./place-text.ts";

const LEVEL: Readonly<Record<CheckMark, string>> = {
  skipped: "none",
  passed: "none",
  warning: "warning",
  failed: "error",
  unknown: "error",
};

export function writeSarif(toolVersion: string, checks: readonly Check[]): string {
  return writeJson({
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "spoor", semanticVersion: toolVersion, rules: checks.map(ruleOf) } },
        invocations: [{ executionSuccessful: checks.every((check) => check.mark !== "unknown") }],
        results: checks.filter((check) => check.mark !== "passed" && check.mark !== "skipped").flatMap(resultsOf),
      },
    ],
  });
}

function ruleId({ suite, name }: Check): string {
  return `${suite}/${name}`;
}

function ruleOf(check: Check): unknown {
  return { id: ruleId(check), name: check.name, shortDescription: { text: messageOf(check) } };
}

/** GitHub shows these messages with links and mentions alive, so brackets are escaped as the format asks. */
function messageOf(check: Check): string {
  return inert(plainText(check.message));
}

function inert(text: string): string {
  return printable(text)
    .replace(/[\\[\]]/g, (char) => `\\${char}`)
    .replaceAll("@", "@\u200b");
}

/** One result per place, so that each can be closed on its own; one without a place when there is none. */
function resultsOf(check: Check): unknown[] {
  const places: readonly (Place | undefined)[] = check.places.length > 0 ? check.places : [undefined];
  return places.map((place) => ({
    ruleId: ruleId(check),
    level: LEVEL[check.mark],
    message: { text: place === undefined ? messageOf(check) : `${messageOf(check)} ${inert(placeText(place))}` },
    locations: locationsOf(check, place),
    partialFingerprints: { place: `${ruleId(check)}:${place?.key ?? ""}:${place?.turnIndex ?? ""}` },
  }));
}

function locationsOf({ at }: Check, place: Place | undefined): unknown[] {
  const uri = at?.file ?? place?.path;
  if (uri === undefined) return [];
  const region =
    at?.line === undefined
      ? {}
      : { region: { startLine: at.line, ...(at.column === undefined ? {} : { startColumn: at.column }) } };
  return [
    {
      physicalLocation: { artifactLocation: { uri: uri.replaceAll("\\", "/") }, ...region },
      ...(place === undefined ? {} : { logicalLocations: [{ name: placeText(place) }] }),
    },
  ];
}
