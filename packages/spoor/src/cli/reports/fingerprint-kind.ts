import type { FingerprintReport } from "@spoor/core/fingerprint/fingerprint-report";
import { renderFingerprintMarkdown } from "../../render/fingerprint/markdown.ts";
import { renderFingerprintTerminal } from "../../render/fingerprint/terminal.ts";
import { writeJson } from "../../write/json.ts";
import { exitCode } from "../exit-code.ts";
import { defineReportKind } from "./report-kind.ts";

export const fingerprintKind = defineReportKind<FingerprintReport>({
  schema: "spoor.fingerprint/1",
  exitCode: () => exitCode.ok,
  renderers: () => ({
    terminal: renderFingerprintTerminal,
    json: writeJson,
    markdown: renderFingerprintMarkdown,
  }),
});
