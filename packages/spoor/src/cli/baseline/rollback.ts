/** `spoor baseline rollback`: an earlier generation becomes the current one; the displaced one is kept. */
import { defineCommand } from "../command.ts";
import { exitCode } from "../exit-code.ts";
import { option } from "../option.ts";
import { onlyAgent, say } from "./decide.ts";
import { refuseToWriteInCi } from "./load-runs.ts";
import { decisionOf, decisionOptions, storeOf, storeOptions, withProject } from "./settings.ts";

export const rollbackCommand = defineCommand({
  positionals: ["[name]"],
  options: {
    ...storeOptions,
    to: option.optionalInteger("the generation to go back to (default: the last kept)", { min: 0 }),
    ...decisionOptions,
  },
  examples: [
    { run: 'spoor baseline rollback support_agent --why "wrong runs"', does: "Put the previous generation back." },
  ],
  async run(given, io) {
    refuseToWriteInCi(io);
    const args = await withProject(given, io);
    const agent = args.name ?? args.agent ?? (await onlyAgent(args));
    const restored = await storeOf(args).rollback(agent, args.to, decisionOf(args, io));
    say(
      io,
      args,
      `${agent} is back: ${restored.history.at(-1)!.change}, now generation ${restored.generation}. The displaced one is kept.`,
    );
    return exitCode.ok;
  },
});
