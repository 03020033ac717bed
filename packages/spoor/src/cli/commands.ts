/** Every command, in the order of `spoor --help`. Each is imported only when it is asked for, so that starting is cheap. */
import type { Command, CommandEntry } from "./command.ts";

export const commands: readonly CommandEntry[] = [
  {
    name: "show",
    summary: "Print a trace as a readable timeline",
    load: async () => (await import("./commands/show.ts")).showCommand as Command,
  },
  {
    name: "convert",
    summary: "Write traces in another format",
    load: async () => (await import("./commands/convert.ts")).convertCommand as Command,
  },
  {
    name: "verify",
    summary: "Check ids, links and times of a trace file",
    load: async () => (await import("./commands/verify.ts")).verifyCommand as Command,
  },
  {
    name: "formats",
    summary: "List what Spoor reads and writes",
    load: async () => (await import("./commands/formats.ts")).formatsCommand as Command,
  },
  {
    name: "completion",
    summary: "Print a completion script for bash, zsh or fish",
    load: async () => (await import("./commands/completion.ts")).createCompletionCommand(commands) as Command,
  },
];
