/**
 * A parsed document → an eval suite. Three generations of the format are read: `evalcases` with `input_messages`, `tests`
 * with `input` and `assertions`, `tests` with `vars`, `prompts` and `assert`. Nothing is skipped in silence: what no
 * generation knows is a problem with its place, and all problems are reported at once.
 */
import { basename } from "node:path";
import type { Json, JsonObject, Problem } from "@spoor/core";
import type { YamlDocument, YamlPath } from "@spoor/core/read/parse-yaml";
import { isObject, member } from "@spoor/core/trace/json";
import { ProblemList } from "@spoor/core/yaml/problem-list";
import { CASE_LISTS, parseExecution, SUITE_KEYS, textList } from "./eval-keys.ts";
import type { EvalCase, EvalSuite, EvaluatorList } from "./eval-suite.ts";
import { type CaseDefaults, parseCase } from "./parse-eval-case.ts";
import { type FileFinder, parseInput } from "./parse-input.ts";
import type { InputMessage } from "./providers/provider.ts";

export interface ParseEvalOptions {
  readonly findFile: FileFinder;
  /** Cases of a file that `tests: path` names. */
  readonly loadCases?: (path: string) => Json | undefined;
  readonly resolvePath: (path: string) => string;
}

export function parseEvalFile(
  document: YamlDocument,
  options: ParseEvalOptions,
): { suite: EvalSuite; problems: ProblemList } {
  const problems = new ProblemList(document);
  const suite = new SuiteParser(document, problems, options).parse();
  return { suite, problems };
}

class SuiteParser {
  private readonly document: YamlDocument;
  private readonly problems: ProblemList;
  private readonly options: ParseEvalOptions;

  constructor(document: YamlDocument, problems: ProblemList, options: ParseEvalOptions) {
    this.document = document;
    this.problems = problems;
    this.options = options;
  }

  parse(): EvalSuite {
    const { document, problems } = this;
    const root = document.value;
    const empty: EvalSuite = {
      file: document.file,
      name: suiteName(document.file),
      targets: [],
      cases: [],
      diagnostics: [],
    };
    if (!isObject(root)) {
      problems.add([], "an eval file is a mapping with a list of cases (evalcases, or tests).");
      return empty;
    }
    problems.checkKeys(root, [], SUITE_KEYS, "the eval file");
    const execution = parseExecution(member(root, "execution"), ["execution"], problems);
    const name = this.text(root, "name") ?? this.text(root, "dataset");
    const description = this.text(root, "description");
    const targets =
      execution.targets ?? textList(root, "target", [], problems) ?? textList(root, "providers", [], problems) ?? [];
    const cases = this.cases(root, {
      ...(execution.repeat === undefined ? {} : { repeat: execution.repeat }),
      ...(execution.threshold === undefined ? {} : { threshold: execution.threshold }),
      ...(execution.timeoutMs === undefined ? {} : { timeoutMs: execution.timeoutMs }),
      input: this.suiteInput(root),
      defaults: this.suiteEvaluators(root, DEFAULT_LISTS),
      appended: this.suiteEvaluators(root, APPENDED_LISTS),
      workspace: member(root, "workspace"),
      prompts: textList(root, "prompts", [], problems) ?? [],
    });
    return {
      file: document.file,
      name: name ?? suiteName(document.file),
      ...(description === undefined ? {} : { description }),
      targets,
      ...(execution.workers === undefined ? {} : { workers: execution.workers }),
      ...(execution.budgetUsd === undefined ? {} : { budgetUsd: execution.budgetUsd }),
      cases,
      diagnostics: problems.diagnostics as readonly Problem[],
    };
  }

  private cases(root: JsonObject, defaults: CaseDefaults): EvalCase[] {
    const { problems } = this;
    const present = CASE_LISTS.filter((key) => member(root, key) !== undefined);
    if (present.length === 0) {
      problems.add(
        [],
        `Invalid test file format: ${this.document.file} - missing 'evalcases' field (or one of ${CASE_LISTS.slice(1).join(", ")}).`,
      );
      return [];
    }
    if (present.length > 1)
      problems.add([present[1]!], `cases stand under ${present.join(" and ")}; use one of them.`, "key");
    const key = present[0]!;
    const list = this.caseList(member(root, key)!, [key]);
    if (list === undefined) return [];
    if (list.length === 0) problems.add([key], "there is no case in the list.");
    const cases = list.flatMap((raw, index) =>
      parseCase(raw, [key, index], defaults, { ...this.options, document: this.document, problems }),
    );
    this.refuseDuplicates(cases);
    return cases;
  }

  private caseList(value: Json, path: YamlPath): readonly Json[] | undefined {
    const loaded = typeof value === "string" ? this.options.loadCases?.(value) : value;
    if (Array.isArray(loaded)) return loaded;
    this.problems.add(
      path,
      typeof value === "string"
        ? `the file "${value}" holds no list of cases.`
        : `"${path[0]}" must be a list of cases.`,
    );
    return undefined;
  }

  private suiteInput(root: JsonObject): readonly InputMessage[] {
    const input = member(root, "input");
    return input === undefined ? [] : parseInput(input, ["input"], this.problems, this.options.findFile);
  }

  private suiteEvaluators(root: JsonObject, places: readonly YamlPath[]): EvaluatorList[] {
    for (const path of places) {
      const entries = path.reduce<Json | undefined>((value, key) => member(value, String(key)), root);
      if (entries !== undefined && entries !== null) return [{ entries, path }];
    }
    return [];
  }

  private refuseDuplicates(cases: readonly EvalCase[]): void {
    const lineOf = new Map<string, number>();
    for (const { id, at } of cases) {
      const first = lineOf.get(id);
      if (first === undefined) {
        lineOf.set(id, at.line ?? 0);
        continue;
      }
      this.problems.problems.push({
        at,
        message: `id "${id}" is already used on line ${first}. Results refer to ids, so each must be unique.`,
        excerpt: this.document.excerpt(at.line ?? 1),
      });
    }
  }

  private text(root: JsonObject, key: string): string | undefined {
    const value = member(root, key);
    if (value === undefined || value === null) return undefined;
    if (typeof value === "string") return value;
    this.problems.add([key], `"${key}" must be a text.`);
    return undefined;
  }
}

/** A case's own list replaces these … */
const DEFAULT_LISTS: readonly YamlPath[] = [["execution", "evaluators"], ["evaluators"]];
/** … and is followed by these. */
const APPENDED_LISTS: readonly YamlPath[] = [["assertions"], ["assert"]];

/** `support.eval.yaml` → `support` */
export function suiteName(file: string): string {
  return basename(file).replace(/(\.eval)?\.(ya?ml|jsonl)$/i, "");
}
