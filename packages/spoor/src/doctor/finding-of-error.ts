import { SpoorError } from "@spoor/core/internal/errors";
import { hideForeignText } from "../load/hide-foreign-text.ts";
import type { Area, Finding } from "./finding.ts";

/** What to do when the error itself does not say. */
const fallbackFix: Readonly<Record<Area, string>> = {
  environment: "Install Spoor anew.",
  configuration: "Correct the configuration; all keys: spoor schema config",
  traces: "Record the runs again, or change the path in the configuration.",
  diff: "Record the runs again, or change the path in the configuration.",
  policy: "Correct the policy file; all keys: spoor schema policy",
  baseline: "Build it anew from runs that show the behaviour to keep: spoor baseline build TRACES --replace",
  trajectory: "Correct the evaluators file.",
  report: "Change the path under report in the configuration.",
  store: "Name the store that spoor serve uses: spoor doctor --store URL",
};

/** Runs a look; what a user can cause becomes a finding, anything else is our bug and stays one. */
export async function findingOfError(
  area: Area,
  look: () => Promise<readonly Finding[]> | readonly Finding[],
): Promise<readonly Finding[]> {
  try {
    return await look();
  } catch (thrown) {
    if (!(thrown instanceof SpoorError)) throw thrown;
    const error = hideForeignText(thrown, { cwd: process.cwd(), env: process.env });
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
        fix: error.hint ?? fallbackFix[area],
      },
    ];
  }
}

function problemLine({ at, message }: SpoorError["problems"][number]): string {
  return at.line === undefined ? message : `${at.line}:${at.column ?? 1}  ${message}`;
}
