/** Evaluator entries of any dialect → configurations, with every evaluator the tool has. */
import type { Json } from "@spoor/core";
import type { EvaluatorConfig } from "@spoor/core/evaluators/evaluation";
import { parseEvaluatorsWith } from "@spoor/core/evaluators/parse-evaluators";
import type { YamlPath } from "@spoor/core/read/parse-yaml";
import type { ProblemList } from "@spoor/core/yaml/problem-list";
import { evaluators } from "./evaluators/evaluators.ts";

export interface ParseEvaluatorsContext {
  readonly problems: ProblemList;
  /** Where the list stands in the document. */
  readonly path: YamlPath;
}

/** Problems and diagnostics go to `context.problems`; the caller throws when there are any. */
export function parseEvaluators(raw: Json, context: ParseEvaluatorsContext): EvaluatorConfig[] {
  return parseEvaluatorsWith(raw, { ...context, registry: evaluators });
}
