import type { GateReport } from "@spoor/core/gate/gate-report";
import { loadHtmlRenderer } from "../../load/load-html-renderer.ts";
import { renderCtrf } from "../../render/gate/ctrf.ts";
import { renderGithub } from "../../render/gate/github.ts";
import { renderIntoto } from "../../render/gate/intoto.ts";
import { renderJunit } from "../../render/gate/junit.ts";
import { renderGateMarkdown } from "../../render/gate/markdown.ts";
import { renderSarif } from "../../render/gate/sarif.ts";
import { renderGateTerminal } from "../../render/gate/terminal.ts";
import { writeJson } from "../../write/json.ts";
import { exitCode } from "../exit-code.ts";
import { defineReportKind } from "./report-kind.ts";

export const gateKind = defineReportKind<GateReport>({
  schema: "spoor.gate/1",
  /** Without an answer there is no verdict: 2 beats 1. */
  exitCode(report) {
    if (report.status === "not_evaluated") return exitCode.couldNotRun;
    return report.gate.tripped ? exitCode.gateTripped : exitCode.ok;
  },
  async renderers(_report, { exitCode, htmlPath, link }) {
    const renderHtml = await loadHtmlRenderer();
    const view = { exitCode, ...(htmlPath === undefined ? {} : { htmlPath }) };
    return {
      terminal: (report, style) => renderGateTerminal(report, view, style),
      json: writeJson,
      markdown: (report) => renderGateMarkdown(report, link === undefined ? {} : { link }),
      html: renderHtml,
      junit: renderJunit,
      sarif: renderSarif,
      github: renderGithub,
      ctrf: renderCtrf,
      intoto: renderIntoto,
    };
  },
  /** The thresholds belong to the lenses and their traces; what can be decided again is whether findings block. */
  regate: {
    option: "mode",
    choices: ["warn", "block"],
    apply: (report, mode) => judge(report, mode as GateReport["mode"]),
  },
});

function judge(report: GateReport, mode: GateReport["mode"]): GateReport {
  if (report.status === "not_evaluated") return { ...report, mode };
  const findings = report.gate.reasons.length > 0;
  const warned = findings || report.lenses.some((lens) => lens.status === "warned");
  const status = findings && mode === "block" ? "blocked" : warned ? "warned" : "passed";
  const failOn = mode === "warn" ? "nothing (mode: warn)" : "per lens";
  return { ...report, mode, status, gate: { ...report.gate, failOn, tripped: status === "blocked" } };
}
