/** JUnit XML: one suite per lens, one case per check. A warning passes with its text; what was not evaluated is an error. */
import type { CheckPlace, GateCheck, GateReport } from "@spoor/core/gate/gate-report";
import { escapeXml } from "../../write/xml.ts";

export function renderJunit(report: GateReport): string {
  const lenses = [...new Set(report.checks.map((check) => check.lens))];
  const suites = lenses.map((lens) =>
    renderSuite(
      lens,
      report.checks.filter((check) => check.lens === lens),
    ),
  );
  const { tests, failures, errors } = countCases(report.checks);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="spoor ${escapeXml(report.agent)}" tests="${tests}" failures="${failures}" errors="${errors}">`,
    ...suites,
    "</testsuites>",
    "",
  ].join("\n");
}

function countCases(checks: readonly GateCheck[]): { tests: number; failures: number; errors: number } {
  return {
    tests: checks.length,
    failures: checks.filter((check) => check.status === "failed").length,
    errors: checks.filter((check) => check.status === "not_evaluated").length,
  };
}

function renderSuite(lens: string, checks: readonly GateCheck[]): string {
  const { tests, failures, errors } = countCases(checks);
  return [
    `  <testsuite name="${lens}" tests="${tests}" failures="${failures}" errors="${errors}" skipped="0">`,
    ...checks.map(renderCase),
    "  </testsuite>",
  ].join("\n");
}

function renderCase(check: GateCheck): string {
  const head = `    <testcase classname="spoor.${check.lens}" name="${escapeXml(check.name)}"${fileOf(check)}`;
  const body = escapeXml([check.message, ...check.places.map(placeText)].join("\n"));
  const message = escapeXml(check.message);
  switch (check.status) {
    case "passed":
      return `${head}/>`;
    case "warned":
      return `${head}><system-out>${body}</system-out></testcase>`;
    case "failed":
      return `${head}><failure message="${message}">${body}</failure></testcase>`;
    case "not_evaluated":
      return `${head}><error message="${message}" type="not evaluated">${body}</error></testcase>`;
  }
}

function fileOf(check: GateCheck): string {
  if (check.rule === undefined) return "";
  const line = check.rule.line === undefined ? "" : ` line="${check.rule.line}"`;
  return ` file="${escapeXml(check.rule.file)}"${line}`;
}

/** `ticket-1042, turn 2: refund.amount is 89.00` */
export function placeText(place: CheckPlace): string {
  const turn = place.turnIndex === undefined ? "" : `, turn ${place.turnIndex + 1}`;
  return `${place.trace}${turn}${place.detail === undefined ? "" : `: ${place.detail}`}`;
}
