/** Appends decisions to a log: one line each, in one write, so that doors of parallel calls do not mix theirs. */
import { appendFile, mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import type { JsonObject } from "@spoor/core";
import { SpoorError } from "@spoor/core/internal/errors";
import { stringifyJson } from "@spoor/core/internal/trace/json";

export async function appendDecision(file: string, line: JsonObject): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true });
    await appendFile(file, `${stringifyJson(line)}\n`, { mode: 0o600 });
  } catch (error) {
    throw new SpoorError(
      "output.unwritable",
      `The decision log ${file} cannot be written: ${(error as Error).message}.`,
      {
        at: { file },
        consequence: "A decision that cannot be logged is a no.",
        hint: "Name another file with --log.",
        cause: error,
      },
    );
  }
}
