import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

/** `sha256:` of a file's bytes, so that a statement about a gate can name exactly what it judged. */
export function digestFile(file: string): string {
  return `sha256:${createHash("sha256").update(readFileSync(file)).digest("hex")}`;
}
