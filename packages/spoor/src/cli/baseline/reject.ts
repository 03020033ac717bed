/** `spoor baseline reject`: a person looked at a path and says it is wrong; it keeps failing, and nobody is asked again. */

import { rememberRejection } from "@spoor/core/internal/fingerprint/record-decision";
import { defineCommand } from "../command.ts";
import { exitCode } from "../exit-code.ts";
import { decisionTarget, requireBaseline, requireHash, say } from "./decide.ts";
import { refuseToWriteInCi } from "./load-runs.ts";
import { decisionOf, decisionOptions, runOptions, storeOf, withProject } from "./settings.ts";

export const rejectCommand = defineCommand({
  positionals: ["hash", "[traces...]"],
  options: { ...runOptions, ...decisionOptions },
  examples: [
    {
      run: 'spoor baseline reject 1294370c8cae45db --why "skips the check"',
      does: "It keeps failing; review no longer asks.",
    },
  ],
  async run(given, io) {
    refuseToWriteInCi(io);
    const args = await withProject(given, io);
    requireHash(args.hash, "reject");
    const decision = decisionOf(args, io);
    const { agent } = await decisionTarget(args, io, args.hash, args.traces);
    await storeOf(args).update(agent, (current) => {
      const baseline = requireBaseline(current, agent);
      rememberRejection(baseline, args.hash, decision);
      return baseline;
    });
    say(io, args, `Rejected and remembered for ${args.hash}. Nothing else was written.`);
    return exitCode.ok;
  },
});
