import { SpoorError } from "../errors.ts";
import { RECORD_VERSION, type TraceRecord } from "./record.ts";
import type { TraceSource } from "./trace.ts";

/**
 * A later version may keep things elsewhere, so reading it as ours would be wrong without anyone noticing. Refused where records
 * get their meaning, hence at every door; their ids can still be verified.
 */
export function refuseNewer(records: readonly TraceRecord[], { path }: TraceSource): void {
  const found = records.find((record) => record.version !== undefined && isNewer(record.version));
  if (found === undefined) return;
  const name = path ?? "The trace";
  throw new SpoorError("trace.newer", `${name} holds records of version ${found.version}.`, {
    at: path === undefined ? {} : { file: path },
    consequence: `This Spoor knows versions up to ${RECORD_VERSION}; nothing of the trace was used.`,
    hint: "Upgrade: npm install --save-dev spoor@latest",
  });
}

const OURS = RECORD_VERSION.split(".").map(Number);

/** Number by number; what is no number is not newer. */
function isNewer(version: string): boolean {
  if (version === RECORD_VERSION) return false;
  const theirs = version.split(".").map(Number);
  const at = theirs.findIndex((number, index) => number !== (OURS[index] ?? 0));
  return at >= 0 && theirs[at]! > (OURS[at] ?? 0);
}
