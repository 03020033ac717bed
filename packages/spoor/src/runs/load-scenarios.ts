/** The tasks of the configuration: written there, or the cases of eval files. */
import { SpoorError } from "@spoor/core/internal/errors";
import { fileStem } from "@spoor/record/internal/node/recording-names";
import { scenarioFiles } from "../config/config-paths.ts";
import type { LoadedConfig } from "../config/load-config.ts";
import { loadEvalFiles } from "../evals/load-eval-files.ts";
import { promptOf } from "../evals/parse-input.ts";
import type { Scenario } from "./scenario.ts";

/** Throws when there are none: an agent that is given nothing to do shows nothing. */
export function loadScenarios(loaded: LoadedConfig, cwd: string): Scenario[] {
  const files = scenarioFiles(loaded, cwd);
  const scenarios = files.length > 0 ? fromEvalFiles(files, loaded, cwd) : written(loaded);
  if (scenarios.length === 0) throw noScenarios(loaded, `${loaded.file} does not say how to run the agent.`);
  requireOwnFiles(scenarios, loaded);
  return scenarios;
}

/** Recordings are called after their scenario; one would be taken for the other's. */
function requireOwnFiles(scenarios: readonly Scenario[], loaded: LoadedConfig): void {
  const stems = new Map<string, string>();
  for (const { scenario } of scenarios) {
    const stem = fileStem(scenario).toLowerCase();
    const other = stems.get(stem);
    if (other !== undefined)
      throw noScenarios(
        loaded,
        `The scenarios "${other}" and "${scenario}" would have files of one name.`,
        "Give one another name; in names of files only letters, digits, dots and dashes tell scenarios apart.",
      );
    stems.set(stem, scenario);
  }
}

function written({ config: { run } }: LoadedConfig): Scenario[] {
  if (run === undefined) return [];
  return Object.entries(run.scenarios as Readonly<Record<string, string>>).map(([scenario, prompt]) => ({
    scenario,
    prompt,
  }));
}

function fromEvalFiles(files: readonly string[], loaded: LoadedConfig, cwd: string): Scenario[] {
  const found = new Map<string, { readonly file: string; readonly prompt: string }>();
  for (const { file, cases } of loadEvalFiles(files, { cwd, strict: false })) {
    for (const { id, input } of cases) {
      const other = found.get(id);
      if (other !== undefined)
        throw noScenarios(
          loaded,
          `Two cases are called "${id}", in ${other.file} and in ${file}.`,
          "Give one another id.",
        );
      found.set(id, { file, prompt: promptOf(input) });
    }
  }
  return [...found].map(([scenario, { prompt }]) => ({ scenario, prompt }));
}

function noScenarios(
  loaded: LoadedConfig,
  message: string,
  hint = "Add run: with a command and scenarios; docs/runs.md has an example.",
): SpoorError {
  return new SpoorError("run.no-scenarios", message, {
    at: { file: loaded.file, path: "run" },
    consequence: "Nothing was run.",
    hint,
  });
}
