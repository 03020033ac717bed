/** The options that choose cases: what they mean, how they are said again, and a word about `only` that stayed behind. */
import { SpoorError } from "@spoor/core/internal/errors";
import type { Shard } from "@spoor/core/internal/evals/eval-selection";
import { integer } from "../document/words.ts";
import type { RunPlan } from "../evals/plan-runs.ts";
import type { CaseChoice } from "../evals/select-cases.ts";
import type { Io } from "./io.ts";
import { usageError } from "./option.ts";

export interface ChoiceArgs {
  readonly filter: string | undefined;
  readonly tag: readonly string[];
  readonly sample: number | undefined;
  readonly seed: number;
  readonly shard: string | undefined;
}

export function choiceOf({ filter, tag, sample, seed, shard }: ChoiceArgs): CaseChoice {
  return {
    ...(filter === undefined ? {} : { filter }),
    tags: tag,
    ...(sample === undefined ? {} : { sample, seed }),
    ...(shard === undefined ? {} : { shard: parseShard(shard) }),
  };
}

function parseShard(text: string): Shard {
  const [, index, of] = /^(\d+)\/(\d+)$/.exec(text.trim()) ?? [];
  const shard = { index: Number(index), of: Number(of) };
  if (of !== undefined && shard.index >= 1 && shard.index <= shard.of) return shard;
  throw usageError(`--shard needs a part of a whole, such as 2/5; found "${text}".`);
}

/** As words of a command that chooses the same cases again. */
export function choiceWords({ filter, tag, sample, seed, shard }: ChoiceArgs): string[] {
  return [
    ...(filter === undefined ? [] : ["--filter", filter]),
    ...tag.flatMap((one) => ["--tag", one]),
    ...(sample === undefined ? [] : ["--sample", String(sample), "--seed", String(seed)]),
    ...(shard === undefined ? [] : ["--shard", shard]),
  ];
}

/** Said before anything runs. In CI nobody reads it, and an `only` that stayed behind would pass for all the cases it hides: there it must be meant. */
export function sayOnly(
  { selection }: RunPlan,
  { strict, quiet, allowOnly }: { readonly strict: boolean; readonly quiet: boolean; readonly allowOnly: boolean },
  io: Io,
): void {
  const [first, ...others] = selection?.only ?? [];
  if (selection === undefined || first === undefined) return;
  const place = first.file === undefined ? "" : ` (${first.file}${first.line === undefined ? "" : `:${first.line}`})`;
  const more = others.length === 0 ? "" : ` and ${others.length} more`;
  const left = selection.of - selection.chosen;
  const message = `${first.id}${place}${more} ${others.length === 0 ? "says" : "say"} only: ${integer(left)} of ${integer(selection.of)} cases are left out`;
  const isCi = !["", "0", "false", undefined].includes(io.env["CI"]?.toLowerCase());
  if (!allowOnly && (strict || isCi))
    throw new SpoorError("eval.only", `${message}${isCi ? ", and this is CI" : ""}.`, {
      consequence: "Nothing was run.",
      hint: "Take only out of the eval file, choose cases with --filter, or say that it is meant: --allow-only.",
    });
  if (!quiet || isCi) io.err(`Warning: ${message}.\n`);
}
