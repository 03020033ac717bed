/**
 * `spoor hook`, started as such: agents start it twice for every tool call, so nothing is loaded but what it needs. The build
 * makes one file of it. Help and anything unusual go the way of all commands.
 */
import { hookCommand } from "./commands/hook.ts";
import type { ExitCode } from "./exit-code.ts";
import { parseArgs } from "./parse-args.ts";
import { flushed, processIo } from "./process-io.ts";
import { reportError } from "./report-error.ts";

export async function hookMain(words: readonly string[], beforeExit: () => void): Promise<void> {
  const io = processIo();
  let code: ExitCode;
  try {
    const args = parseArgs({ ...hookCommand, name: "hook", summary: "" }, words);
    code = await hookCommand.run(args as never, io);
  } catch (error) {
    code = reportError(error, words, io);
  }
  await flushed();
  beforeExit();
  // An event that never ends must not keep the process, nor the agent, waiting.
  process.exit(code);
}
