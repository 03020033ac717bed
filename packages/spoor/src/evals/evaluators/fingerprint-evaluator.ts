/**
 * fingerprint: the run takes a known path. Known are the behaviours of a baseline file, or hashes written in the entry. A
 * known path scores 1, another one its similarity to the closest known behaviour, and it never passes.
 */

import { resolve } from "node:path";
import { SpoorError } from "@spoor/core/internal/errors";
import { defineEvaluator } from "@spoor/core/internal/evaluators/define-evaluator";
import type { EvaluationSubject, Outcome } from "@spoor/core/internal/evaluators/evaluation";
import { isKnown } from "@spoor/core/internal/fingerprint/classify";
import { compareRuns } from "@spoor/core/internal/fingerprint/compare-baseline";
import { fingerprintTrace } from "@spoor/core/internal/fingerprint/fingerprint-trace";
import { type FingerprintMode, fingerprintModes } from "@spoor/core/internal/fingerprint/mode";
import { parseBaseline } from "@spoor/core/internal/fingerprint/parse-baseline";
import { runFacts } from "@spoor/core/internal/fingerprint/run-facts";
import { custom, oneOrMany } from "@spoor/core/internal/read/collections";
import { optional, preset } from "@spoor/core/internal/read/field";
import type { ValuesOf } from "@spoor/core/internal/read/mapping";
import { choice, text } from "@spoor/core/internal/read/scalars";
import { MOST_DOCUMENT_BYTES, readText } from "../../load/read-text.ts";
import type { EvaluatorRunContext } from "./run-context.ts";

const HASH = /^[0-9a-f]{16}$/;

/** In quotes: a hash of digits alone is a number to YAML, and would lose its zeros. */
const hash = custom(
  text,
  (written, at) =>
    HASH.test(written) ? written : at.misshapen(`${at.name} must be a fingerprint, 16 hex digits, found "${written}".`),
  { schema: { pattern: HASH.source }, type: "fingerprint" },
);

const fields = {
  baseline: optional(text, "a baseline file", { alias: "file" }),
  hashes: optional(oneOrMany(hash), "instead of a baseline: fingerprints of known paths", { alias: "hash" }),
  mode: preset(choice(fingerprintModes), "sequence", "how the run is fingerprinted"),
};

export const fingerprintEvaluator = defineEvaluator<typeof fields, ValuesOf<typeof fields>, EvaluatorRunContext>({
  type: "fingerprint",
  judgesBlind: true,
  aliases: ["behaviour", "behavior"],
  summary: "the run takes a path that a baseline file or a list of hashes knows",
  fields,
  options: { exactlyOne: [["baseline", "hashes"]] },
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
  return {
    score: passed ? 1 : 0,
    aspects: 1,
    checks: [{ passed, text }],
    details: { hash, mode },
    ...(passed ? {} : { ruledOut: true as const }),
  };
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
    ...(passed ? {} : { ruledOut: true as const }),
  };
}

function readBaseline(path: string, file: string): string {
  const fail = (why: string, cause: unknown) =>
    new SpoorError("baseline.unreadable", `The baseline ${file} ${why}.`, { at: { file }, cause });
  return readText(path, fail, MOST_DOCUMENT_BYTES);
}
