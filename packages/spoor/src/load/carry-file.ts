/** The file of `--carry`: evidence of earlier recordings, read before a comparison and written whole after it. */
import { type CarriedEvidence, parseCarriedEvidence } from "@spoor/core/internal/cohort/carried-evidence";
import { SpoorError } from "@spoor/core/internal/errors";
import type { Json } from "@spoor/core/internal/trace/json";
import { readTextIfThere } from "./read-text.ts";
import { writeFileAtomically } from "./write-file.ts";

/** Undefined when there is no such file yet: then this recording begins. */
export function readCarriedEvidence(file: string): CarriedEvidence | undefined {
  const fail = (why: string, cause: unknown) =>
    new SpoorError("cohort.carry-unreadable", `${file} ${why}.`, {
      at: { file },
      consequence: "Nothing was compared, because evidence that cannot be read cannot be added to.",
      cause,
    });
  const text = readTextIfThere(file, fail);
  return text === undefined ? undefined : parseCarriedEvidence(jsonOf(text), file);
}

export function writeCarriedEvidence(file: string, evidence: CarriedEvidence): Promise<void> {
  return writeFileAtomically(file, `${JSON.stringify(evidence, undefined, 1)}\n`);
}

/** What is no JSON is no evidence either. */
function jsonOf(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null;
  }
}
