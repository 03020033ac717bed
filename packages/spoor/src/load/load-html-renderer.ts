/** The HTML report's script, style and static renderer, built from packages/web into dist/web. */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { SpoorError } from "@spoor/core/errors";
import type { GateReport } from "@spoor/core/gate/gate-report";
import { renderHtml } from "../render/html/render-html.ts";

const WEB = new URL("../../dist/web/", import.meta.url);

/** The files are read on first use: most runs write no HTML. */
export async function loadHtmlRenderer(): Promise<(report: GateReport) => string> {
  return (report) => renderHtml(report, readAssets());
}

function readAssets(): { script: string; style: string } {
  const [script, style] = ["report.js", "report.css"].map((name) => new URL(name, WEB));
  if (!existsSync(script!) || !existsSync(style!)) {
    throw new SpoorError("html.not_built", `The HTML report's files are missing in ${fileURLToPath(WEB)}.`, {
      hint: "In a clone of the repository: npm ci",
    });
  }
  return { script: readFileSync(script!, "utf8"), style: readFileSync(style!, "utf8") };
}
