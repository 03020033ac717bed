import { defineCommand } from "../command.ts";
import { exitCode } from "../exit-code.ts";
import { option } from "../option.ts";

export const mcpCommand = defineCommand({
  description:
    "Speaks the Model Context Protocol on standard input and output: traces, comparisons, policies, scores, fingerprints, cohorts and " +
    "explanations, with the words and numbers of the terminal. It only reads, below the folders that the client works in and " +
    "--root allows; nothing is run, nobody is asked, and secrets are taken out of every answer.",
  positionals: [],
  options: { root: option.texts("a folder that may be read (default: the one it is started in)", "FOLDER") },
  examples: [
    {
      run: "claude mcp add spoor -- npx spoor mcp",
      does: "For Claude Code; spoor init --mcp writes it for a whole project.",
    },
    { run: "codex mcp add spoor -- npx spoor mcp", does: "For Codex." },
  ],
  async run(args, io) {
    const { serveMcp } = await import("../../mcp/serve.ts");
    const { lensError, runLens } = await import("../run-lens.ts");
    await serveMcp({
      input: io.stdin,
      write: io.out,
      run: (name, words) => runLens(name, words, io),
      refuse: (error) => lensError(error, [], io),
      roots: args.root.length === 0 ? [io.cwd] : args.root,
      cwd: io.cwd,
    });
    return exitCode.ok;
  },
});
