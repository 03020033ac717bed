/** What `spoor cohort` and `spoor cohort plan` share: how their options ask for runs to be read. */
import { type Aspect, aspects } from "@spoor/core/internal/cohort/aspects";
import type { CohortLoadOptions } from "../load/load-cohort.ts";
import type { ArgsOf } from "./command.ts";
import type { Io } from "./io.ts";
import { loadOptions } from "./load-options.ts";
import { option, usageError } from "./option.ts";

/** How runs are read, whatever is asked about them. */
export const cohortRunOptions = {
  scenario: option.text(
    "what a run's scenario is: a metadata KEY, or a REGEX over its path (first group)",
    "KEY|REGEX",
  ),
  alpha: option.number(0.05, "false-alarm rate that is accepted", { min: 0.0001, max: 0.5 }),
  effects: option.text("tools that change the world, whatever their names say", "A,B"),
  readOnly: option.text("tools that do not", "A,B"),
};

export const cohortOptions = {
  ...cohortRunOptions,
  aspects: option.text(`ask only about these: ${aspects.join(",")}`, "A,B"),
  toleranceRate: option.number(0.2, "largest difference of a rate that counts as unchanged", { min: 0, max: 1 }),
  toleranceSize: option.number(1.25, "largest factor of a size that counts as unchanged", { min: 1 }),
  require: option.choice(["unchanged"], undefined, "also fail when there is not enough evidence"),
  sequential: option.flag("read runs as they arrive and stop when the evidence suffices"),
  carry: option.path(
    "with --sequential: go on with the evidence in this file, and keep it there for the next pull request",
  ),
  wait: option.number(60, "with --sequential: seconds to wait for the next run (0: read what is there)", { min: 0 }),
};

export type CohortRunArgs = ArgsOf<readonly [], typeof cohortRunOptions>;
export type CohortArgs = ArgsOf<readonly [], typeof cohortOptions>;

/** How the options ask for runs to be read. */
export function cohortLoadOptions(args: CohortRunArgs, io: Io): CohortLoadOptions {
  return {
    ...loadOptions(args, io),
    ...(args.scenario === undefined ? {} : { scenario: args.scenario }),
    ...(args.effects === undefined ? {} : { effects: splitList(args.effects) }),
    ...(args.readOnly === undefined ? {} : { readOnly: splitList(args.readOnly) }),
  };
}

/** `tools,effects` → aspects; a wrong name is refused with the list of right ones. */
export function parseAspects(text: string | undefined): Aspect[] | undefined {
  if (text === undefined) return undefined;
  const names = splitList(text);
  const unknown = names.filter((name) => !(aspects as readonly string[]).includes(name));
  if (unknown.length > 0 || names.length === 0) {
    throw usageError(`--aspects: there is no aspect "${unknown[0] ?? text}".`, `Aspects: ${aspects.join(", ")}.`);
  }
  return aspects.filter((aspect) => names.includes(aspect));
}

function splitList(text: string): string[] {
  return text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}
