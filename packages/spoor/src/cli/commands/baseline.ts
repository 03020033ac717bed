import { nearest } from "@spoor/core/text/nearest";
import { buildBaselines } from "../baseline/build.ts";
import { compareBaselines } from "../baseline/compare.ts";
import { approve, reject, rollback } from "../baseline/decide.ts";
import { reviewChanges } from "../baseline/review.ts";
import { type BaselineArgs, baselineOptions, loadProjectSettings } from "../baseline/settings.ts";
import { showBaselines } from "../baseline/show.ts";
import { defineCommand } from "../command.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { usageError } from "../option.ts";

type Action = (args: BaselineArgs, io: Io) => Promise<ExitCode>;

const actions: Readonly<Record<string, Action>> = {
  build: buildBaselines,
  compare: compareBaselines,
  review: reviewChanges,
  approve,
  reject,
  show: (args, io) => showBaselines(args, io, "show"),
  history: (args, io) => showBaselines(args, io, "history"),
  rollback,
};

export const baselineCommand = defineCommand({
  name: "baseline",
  summary: "Learn what an agent does, and compare new runs with it",
  description:
    `Actions: ${Object.keys(actions).join(", ")}. A baseline is one JSON file per agent, made to be committed. ` +
    "build and update learn from traces; compare says which runs take a path never seen before; review, approve and " +
    "reject record what a person decided; history and rollback look back. In CI nothing is ever written.",
  positionals: ["action", "[paths...]"],
  options: baselineOptions,
  examples: [
    { run: "spoor baseline build traces/", does: "Learn every agent in the folder into baselines/." },
    { run: "spoor baseline compare candidate/", does: "Which runs take a path the agent never took before?" },
    {
      run: "spoor baseline compare candidate/ --fail-on new",
      does: "Block on every unknown path, not only on new or lost tools.",
    },
    { run: "spoor baseline review candidate/", does: "Walk through the unknown paths and accept or reject each." },
    {
      run: 'spoor baseline approve 1294370c8cae45db candidate/ --why "new flow"',
      does: "Accept one path without a terminal.",
    },
    { run: 'spoor baseline rollback support_agent --why "wrong runs"', does: "Put the previous generation back." },
  ],
  async run(args, io) {
    const action = Object.hasOwn(actions, args.action) ? actions[args.action] : undefined;
    if (action !== undefined) return action({ ...args, project: await loadProjectSettings(args.config, io) }, io);
    const close = nearest(args.action, Object.keys(actions));
    throw usageError(
      `spoor baseline has no action "${args.action}".`,
      close === undefined ? `It has ${Object.keys(actions).join(", ")}.` : `Did you mean spoor baseline ${close}?`,
    );
  },
});
