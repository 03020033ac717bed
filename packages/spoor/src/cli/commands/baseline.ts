import { command, defineGroup } from "../command.ts";

export const baselineCommand = defineGroup({
  description:
    "A baseline is one JSON file per agent, made to be committed. build learns from traces; compare says which runs take a " +
    "path never seen before; review, approve and reject record what a person decided; history and rollback look back. In CI " +
    "nothing is ever written.",
  examples: [
    { run: "spoor baseline build traces/", does: "Learn every agent in the folder into baselines/." },
    { run: "spoor baseline compare candidate/", does: "Which runs take a path the agent never took before?" },
    { run: "spoor baseline review candidate/", does: "Look at the unknown paths, and accept or reject each." },
  ],
  subcommands: [
    command(
      "build",
      "Learn what agents do from their traces",
      async () => (await import("../baseline/build.ts")).buildCommand,
    ),
    command(
      "compare",
      "Say which runs take a path that was never seen before",
      async () => (await import("../baseline/compare.ts")).compareCommand,
    ),
    command(
      "review",
      "Look at unknown paths on a full screen, and accept or reject each (the review of spoor review)",
      async () => (await import("../baseline/review.ts")).reviewCommand,
    ),
    command(
      "approve",
      "Accept one path, as a variant or as a behaviour of its own",
      async () => (await import("../baseline/approve.ts")).approveCommand,
    ),
    command(
      "reject",
      "Remember that a path was looked at and is wrong",
      async () => (await import("../baseline/reject.ts")).rejectCommand,
    ),
    command("show", "Print what baselines hold", async () => (await import("../baseline/show.ts")).showCommand),
    command(
      "history",
      "Print how baselines came to be: who changed what, when and why",
      async () => (await import("../baseline/show.ts")).historyCommand,
    ),
    command(
      "rollback",
      "Put an earlier generation of a baseline back",
      async () => (await import("../baseline/rollback.ts")).rollbackCommand,
    ),
  ],
});
