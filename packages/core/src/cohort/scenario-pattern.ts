/** `--scenario REGEX`: the scenario as a part of a trace's path. */
import { SpoorError } from "../errors.ts";
import { compilePattern } from "../text/pattern.ts";

/** Text → the first group of the expression (the whole match when it has none); undefined where it does not match. */
export function parseScenarioPattern(source: string): (text: string) => string | undefined {
  const pattern = compilePattern(source);
  if (typeof pattern !== "string") return (text) => pattern.capture(text) || undefined;
  throw new SpoorError("cohort.bad-scenario-pattern", `--scenario is not a regular expression: ${pattern}.`, {
    hint: "Patterns are RE2 syntax: no lookaround, no back-references.",
  });
}
