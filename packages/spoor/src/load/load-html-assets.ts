/** The page's script and style, built from packages/web into dist/web. */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { SpoorError } from "@spoor/core/internal/errors";
import { packageFile } from "../package-files.ts";
import type { HtmlAssets } from "../write/html/write-html.ts";

const WEB = packageFile("dist/web/");

/** Read when a page is written: most runs write none. */
export function loadHtmlAssets(): HtmlAssets {
  const [script, style] = ["report.js", "report.css"].map((name) => new URL(name, WEB));
  if (!existsSync(script!) || !existsSync(style!)) {
    throw new SpoorError("html.not-built", `The HTML report's files are missing in ${fileURLToPath(WEB)}.`, {
      hint: "In a clone of the repository: npm ci",
    });
  }
  return { script: readFileSync(script!, "utf8"), style: readFileSync(style!, "utf8") };
}
