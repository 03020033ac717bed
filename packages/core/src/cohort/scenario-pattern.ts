/** `--scenario REGEX`: the scenario as a part of a trace's path. RE2 syntax, linear time, so that no pattern can hang. */
import { RE2JS, RE2JSException } from "re2js";
import { SpoorError } from "../errors.ts";

/** Text → the first group of the expression (the whole match when it has none); undefined where it does not match. */
export function parseScenarioPattern(source: string): (text: string) => string | undefined {
  const pattern = compile(source);
  return (text) => {
    const matcher = pattern.matcher(text);
    if (!matcher.find()) return undefined;
    return (matcher.groupCount() > 0 ? matcher.group(1) : matcher.group()) || undefined;
  };
}

function compile(source: string): RE2JS {
  try {
    return RE2JS.compile(source);
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    throw new SpoorError(
      "cohort.bad_scenario_pattern",
      `--scenario ${source} is not a regular expression: ${error.message}.`,
      {
        hint: "Patterns are RE2 syntax: no lookaround, no back-references.",
        cause: error,
      },
    );
  }
}
