import { SpoorError } from "@spoor/core";
import type { Area, Finding } from "./finding.ts";

/** Runs a look; what a user can cause becomes a finding, anything else is our bug and stays one. */
export async function findingOfError(
  area: Area,
  look: () => Promise<readonly Finding[]> | readonly Finding[],
): Promise<readonly Finding[]> {
  try {
    return await look();
  } catch (error) {
    if (!(error instanceof SpoorError)) throw error;
    const { line, column } = error.at;
    const place =
      line === undefined || error.message.includes(`:${line}`)
        ? ""
        : ` (line ${line}${column === undefined ? "" : `, column ${column}`})`;
    return [
      {
        area,
        status: "problem",
        what: `${error.message.replace(/\.$/, "")}${place}.`,
        code: error.code,
        ...(error.problems.length === 0 ? {} : { details: error.problems.map(problemLine) }),
        ...(error.hint === undefined ? {} : { fix: error.hint }),
      },
    ];
  }
}

function problemLine({ at, message }: SpoorError["problems"][number]): string {
  return at.line === undefined ? message : `${at.line}:${at.column ?? 1}  ${message}`;
}
