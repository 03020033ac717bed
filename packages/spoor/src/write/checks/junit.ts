/** JUnit XML: one suite per lens, trace or case; one test per check. A warning passes with its text; what was not evaluated is an error. */
import type { Check } from "../../document/check.ts";
import { plainText } from "../../document/text.ts";
import { escapeXml } from "../xml.ts";
import { placeText } from "./place-text.ts";

export function writeJunit(title: string, checks: readonly Check[]): string {
  const suites = [...new Set(checks.map((check) => check.suite))];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${escapeXml(title)}" ${counts(checks)}>`,
    ...suites.map((suite) =>
      suiteXml(
        suite,
        checks.filter((check) => check.suite === suite),
      ),
    ),
    "</testsuites>",
    "",
  ].join("\n");
}

function counts(checks: readonly Check[]): string {
  const amount = (mark: Check["mark"]) => checks.filter((check) => check.mark === mark).length;
  return `tests="${checks.length}" failures="${amount("failed")}" errors="${amount("unknown")}" skipped="${amount("skipped")}"`;
}

function suiteXml(suite: string, checks: readonly Check[]): string {
  return [
    `  <testsuite name="${escapeXml(suite)}" ${counts(checks)}>`,
    ...checks.map((check) => caseXml(suite, check)),
    "  </testsuite>",
  ].join("\n");
}

function caseXml(suite: string, check: Check): string {
  const head = `    <testcase classname="spoor.${escapeXml(suite)}" name="${escapeXml(check.name)}"${fileOf(check)}`;
  const message = escapeXml(plainText(check.message));
  const body = [message, ...check.places.map((place) => escapeXml(placeText(place)))].join("\n");
  switch (check.mark) {
    case "passed":
      return `${head}/>`;
    case "warning":
      return `${head}><system-out>${body}</system-out></testcase>`;
    case "failed":
      return `${head}><failure message="${message}">${body}</failure></testcase>`;
    case "skipped":
      return `${head}><skipped message="${message}"/></testcase>`;
    case "unknown":
      return `${head}><error message="${message}" type="not evaluated">${body}</error></testcase>`;
  }
}

function fileOf({ at }: Check): string {
  if (at === undefined) return "";
  return ` file="${escapeXml(at.file)}"${at.line === undefined ? "" : ` line="${at.line}"`}`;
}
