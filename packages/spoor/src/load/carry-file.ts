/** The file of `--carry`: evidence of earlier recordings, read before a comparison and written whole after it. */
import { readFile } from "node:fs/promises";
import { type CarriedEvidence, parseCarriedEvidence } from "@spoor/core/internal/cohort/carried-evidence";
import type { Json } from "@spoor/core/internal/trace/json";
import { writeFileAtomically } from "./write-file.ts";

/** Undefined when there is no such file yet: then this recording begins. */
export async function readCarriedEvidence(file: string): Promise<CarriedEvidence | undefined> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  return parseCarriedEvidence(jsonOf(text), file);
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
