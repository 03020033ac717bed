/**
 * fingerprint: the run takes a known path. Known are the behaviours of a baseline file, or hashes written in the entry. A
 * known path scores 1, another one its similarity to the closest known behaviour, and it never passes.
 */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Json } from "@spoor/core";
import { SpoorError } from "@spoor/core/errors";
import { defineEvaluator } from "@spoor/core/evaluators/define-evaluator";
import type { EvaluationSubject, Outcome } from "@spoor/core/evaluators/evaluation";
import { isKnown } from "@spoor/core/fingerprint/classify";
import { compareRuns } from "@spoor/core/fingerprint/compare-baseline";
import { fingerprintTrace } from "@spoor/core/fingerprint/fingerprint-trace";
import { type FingerprintMode, fingerprintModes } from "@spoor/core/fingerprint/mode";
import { parseBaseline } from "@spoor/core/fingerprint/parse-baseline";
import { runFacts } from "@spoor/core/fingerprint/run-facts";
import type { EvaluatorRunContext } from "./run-context.ts";

interface FingerprintParams {
  readonly baseline?: string;
  readonly hashes?: readonly string[];
  readonly mode: FingerprintMode;
}

export const fingerprintEvaluator = defineEvaluator<FingerprintParams, EvaluatorRunContext>({
  type: "fingerprint",
  aliases: ["behaviour", "behavior"],
  summary: "the run takes a path that a baseline file or a list of hashes knows",
  parse(entry) {
    const baseline = entry.string("baseline", "file");
    const hash = entry.value("hashes", "hash");
    const hashes =
      hash === undefined ? undefined : (Array.isArray(hash) ? (hash as readonly Json[]) : [hash]).map(String);
    // A hash of digits alone is a number to YAML, and would lose its zeros.
    if (hashes !== undefined && !hashes.every((one) => /^[0-9a-f]{16}$/.test(one))) {
      entry.problem(entry.has("hashes") ? "hashes" : "hash", "takes fingerprints: 16 hex digits each, in quotes");
    }
    const mode = entry.choice("mode", fingerprintModes) ?? "sequence";
    if ((baseline === undefined) === (hashes === undefined))
      entry.missing('needs either "baseline", a file, or "hashes"');
    return { mode, ...(baseline === undefined ? {} : { baseline }), ...(hashes === undefined ? {} : { hashes }) };
  },
  evaluate(subject, { baseline, hashes, mode }, context): Outcome {
    if (!subject.hasTrace)
      return { score: 0, aspects: 1, checks: [{ passed: false, text: "No trace to fingerprint" }], noData: true };
    return baseline === undefined
      ? amongHashes(subject, hashes ?? [], mode)
      : againstBaseline(subject, resolve(context.folder, baseline), baseline);
  },
});

function amongHashes(subject: EvaluationSubject, hashes: readonly string[], mode: FingerprintMode): Outcome {
  const { hash, string } = fingerprintTrace(subject.trace(), { mode });
  const passed = hashes.includes(hash);
  const text = passed
    ? `Fingerprint ${hash} is known`
    : `Fingerprint ${hash} is none of ${hashes.join(", ")}: ${string}`;
  return { score: passed ? 1 : 0, aspects: 1, checks: [{ passed, text }], details: { hash, mode } };
}

function againstBaseline(subject: EvaluationSubject, path: string, file: string): Outcome {
  const known = parseBaseline(readBaseline(path, file), { file });
  const comparison = compareRuns(known, [
    runFacts(subject.trace(), { mode: known.mode, modelAliases: known.modelAliases }),
  ]);
  const run = comparison.runs[0]!;
  const passed = isKnown(run.status);
  const closest =
    run.closest === null
      ? "nothing known"
      : `${run.closest.name ?? run.closest.path} (${Math.round(run.closest.similarity.composite * 100)} % similar)`;
  const text = passed ? `A known path: ${run.path}` : `Status ${run.status}: ${run.path}; closest is ${closest}`;
  return {
    score: passed ? 1 : (run.closest?.similarity.composite ?? 0),
    aspects: 1,
    checks: [{ passed, text }],
    details: { hash: run.hash, status: run.status },
    ...(passed ? {} : { forceFail: true as const }),
  };
}

function readBaseline(path: string, file: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new SpoorError("baseline.unreadable", `The baseline ${file} cannot be read: ${(error as Error).message}.`, {
      at: { file },
    });
  }
}
