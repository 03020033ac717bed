/**
 * A parsed document → an eval suite. Nothing is skipped in silence: what no generation of the format knows is a problem
 * with its place, and all problems are reported at once.
 */
import { basename } from "node:path";
import type { Json } from "@spoor/core";
import { type Located, Problems } from "@spoor/core/internal/read/located";
import type { Source } from "@spoor/core/internal/read/source";
import { stringMember } from "@spoor/core/internal/trace/json";
import { CASE_LISTS, evalFile, executionOf, type SuiteValues } from "./eval-file.ts";
import type { EvalCase, EvalSuite } from "./eval-suite.ts";
import { type CaseContext, type CaseDefaults, type EntryList, parseCase, readEntries } from "./parse-eval-case.ts";
import { parseInput } from "./parse-input.ts";

export interface ParseEvalOptions extends CaseContext {
  /** Cases of a file that `tests: path` names. */
  readonly loadCases?: (path: string) => Json | undefined;
}

export function parseEvalFile(source: Source, options: ParseEvalOptions): { suite: EvalSuite; problems: Problems } {
  const problems = new Problems(source);
  const root = problems.root();
  const values: Partial<SuiteValues> = evalFile.read(root) ?? {};
  const execution = executionOf(values.execution);
  const { name, dataset, description, target, providers, input, workspace } = values;
  const defaults: CaseDefaults = {
    ...execution,
    input: input === undefined ? [] : parseInput(input, options.findFile),
    defaults: present(values.execution?.evaluators ?? values.evaluators),
    appended: present(values.assertions ?? values.assert),
    workspace,
    prompts: values.prompts ?? [],
  };
  const suite: EvalSuite = {
    file: source.file,
    name: name ?? dataset ?? suiteName(source.file),
    ...(description === undefined ? {} : { description }),
    targets: execution.targets ?? target ?? providers ?? [],
    ...(execution.workers === undefined ? {} : { workers: execution.workers }),
    ...(execution.budgetUsd === undefined ? {} : { budgetUsd: execution.budgetUsd }),
    cases: parseCases(root, defaults, options),
    diagnostics: problems.notes,
  };
  return { suite, problems };
}

function present(list: Located | undefined): EntryList[] {
  return list === undefined ? [] : [readEntries(list)];
}

/** Read even when the rest of the file is unsound, so that every problem shows. */
function parseCases(root: Located, defaults: CaseDefaults, options: ParseEvalOptions): EvalCase[] {
  const key = CASE_LISTS.find((name) => root.get(name) !== undefined);
  const at = key === undefined ? undefined : root.get(key)!;
  if (at === undefined) return [];
  const loaded = typeof at.value === "string" ? options.loadCases?.(at.value) : at.value;
  if (!Array.isArray(loaded)) {
    if (typeof at.value === "string") at.problem(`the file "${at.value}" holds no list of cases.`);
    else at.wrong("a list of cases, or the file that holds them");
    return [];
  }
  if (loaded.length === 0) at.misshapen("there is no case in the list.");
  const items = at.with(loaded).items();
  refuseDuplicates(items);
  return items.flatMap((item) => parseCase(item, defaults, options));
}

/** Looks at the ids as written, so that an unsound case does not hide that its id is taken. */
function refuseDuplicates(items: readonly Located[]): void {
  const lineOf = new Map<string, number>();
  for (const item of items) {
    const id = stringMember(item.value, "id");
    if (id === undefined) continue;
    const first = lineOf.get(id);
    if (first === undefined) lineOf.set(id, item.problems.source.locate(item.address).line ?? 0);
    else item.problem(`id "${id}" is already used on line ${first}. Results refer to ids, so each must be unique.`);
  }
}

/** `support.eval.yaml` → `support` */
export function suiteName(file: string): string {
  return basename(file).replace(/(\.eval)?\.(ya?ml|jsonl)$/i, "");
}
