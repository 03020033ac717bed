import type { FingerprintReport } from "@spoor/core/internal/fingerprint/fingerprint-report";
import { checksOfFingerprints, describeFingerprints } from "../../describe/fingerprint.ts";
import { exitCode } from "../exit-code.ts";
import { defineReport } from "./report-kind.ts";

export const fingerprintKind = defineReport<FingerprintReport>({
  schema: "spoor.fingerprint/1",
  exitCode: () => exitCode.ok,
  describe: describeFingerprints,
  checks: checksOfFingerprints,
});
