/**
 * A parsed document → an eval suite. Nothing is skipped in silence: what no generation of the format knows is a problem
 * with its place, and all problems are reported at once.
 */
import { basename } from "node:path";
import { type Located, Problems } from "@spoor/core/internal/read/located";
import type { Source } from "@spoor/core/internal/read/source";
import { CASE_LISTS, defaultsMapping, evalFile, executionOf, type SuiteValues } from "./eval-file.ts";
import type { EvalCase, EvalSuite } from "./eval-suite.ts";
import { type LoadCases, listCases, refuseDuplicates, withDefaults } from "./list-cases.ts";
import { type CaseContext, type CaseDefaults, type EntryList, parseCase, readEntries } from "./parse-eval-case.ts";
import { attachedFiles, parseInput } from "./parse-input.ts";
import { caseOfTask } from "./tau-tasks.ts";

export interface ParseEvalOptions extends CaseContext {
  /** Cases of a file that `tests: path` names. */
  readonly loadCases?: LoadCases;
}

export function parseEvalFile(source: Source, options: ParseEvalOptions): { suite: EvalSuite; problems: Problems } {
  const problems = new Problems(source);
  const root = problems.root();
  const values: Partial<SuiteValues> = evalFile.read(root) ?? {};
  const settings = values.execution ?? values.experiment;
  const execution = executionOf(settings);
  const { name, dataset, description, target, providers, input, workspace } = values;
  const shared = values.defaults === undefined ? undefined : defaultsMapping.read(values.defaults);
  const defaults: CaseDefaults = {
    ...execution,
    input: [
      ...(input === undefined ? [] : parseInput(input, options.findFile)),
      ...attachedFiles(root, values.inputFiles, options.findFile),
    ],
    defaults: present(settings?.evaluators ?? values.evaluators ?? shared?.execution?.evaluators ?? shared?.evaluators),
    appended: [...present(values.assertions ?? values.assert), ...present(shared?.assertions ?? shared?.assert)],
    tags: values.tags ?? [],
    workspace: workspace ?? workspaceOfEnvironment(root.get("environment"), values.environment),
    prompts: values.prompts ?? [],
  };
  const suite: EvalSuite = {
    file: source.file,
    name: name ?? dataset ?? suiteName(source.file),
    ...(description === undefined ? {} : { description }),
    targets: execution.targets ?? target ?? providers ?? [],
    ...(execution.workers === undefined ? {} : { workers: execution.workers }),
    ...(execution.budgetUsd === undefined ? {} : { budgetUsd: execution.budgetUsd }),
    cases: parseCases(root, defaults, shared === undefined ? undefined : values.defaults, options),
    diagnostics: problems.notes,
  };
  return { suite, problems };
}

/** A folder of the host is the template of a workspace: every run works in a copy of it. */
function workspaceOfEnvironment(at: Located | undefined, read: SuiteValues["environment"]): Located | undefined {
  if (at === undefined || read === undefined) return undefined;
  const { workdir, env } = read;
  return at.with({ ...(workdir === undefined ? {} : { template: workdir }), env });
}

function present(list: Located | undefined): EntryList[] {
  return list === undefined ? [] : [readEntries(list)];
}

/** Read even when the rest of the file is unsound, so that every problem shows. */
function parseCases(
  root: Located,
  defaults: CaseDefaults,
  shared: Located | undefined,
  options: ParseEvalOptions,
): EvalCase[] {
  const key = CASE_LISTS.find((name) => root.get(name) !== undefined);
  if (key === undefined) return [];
  const { items: written, done } = listCases(root.get(key)!, options.loadCases);
  const items = written.map(caseOfTask);
  refuseDuplicates(items);
  const cases = items.flatMap((item) => parseCase(withDefaults(item, shared?.value), defaults, options));
  done();
  return cases;
}

/** `support.eval.yaml` → `support` */
export function suiteName(file: string): string {
  return basename(file).replace(/(\.eval)?\.(ya?ml|jsonl|csv|tsv)$/i, "");
}
