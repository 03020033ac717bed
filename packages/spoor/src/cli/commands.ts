/** Every command, in the order of `spoor --help`. Each is imported only when it is asked for, so that starting is cheap. */
import type { Command, CommandEntry } from "./command.ts";

export const commands: readonly CommandEntry[] = [
  {
    name: "demo",
    summary: "The whole story in one minute, on bundled traces",
    load: async () => (await import("./commands/demo.ts")).demoCommand as Command,
  },
  {
    name: "init",
    summary: "Write a configuration, a policy, a baseline and a CI workflow for this repository",
    load: async () => (await import("./commands/init.ts")).initCommand as Command,
  },
  {
    name: "gate",
    summary: "Run everything the configuration asks for: one verdict, one exit code",
    load: async () => (await import("./commands/gate.ts")).gateCommand as Command,
  },
  {
    name: "show",
    summary: "Print a trace as a readable timeline",
    load: async () => (await import("./commands/show.ts")).showCommand as Command,
  },
  {
    name: "diff",
    summary: "Compare two runs, or two sets of runs: what changed, how sure, and where it began",
    load: async () => (await import("./commands/diff.ts")).diffCommand as Command,
  },
  {
    name: "check",
    summary: "Check traces against a policy",
    load: async () => (await import("./commands/check.ts")).checkCommand as Command,
  },
  {
    name: "score",
    summary: "Score recorded traces with trajectory and other evaluators",
    load: async () => (await import("./commands/score.ts")).scoreCommand as Command,
  },
  {
    name: "eval",
    summary: "Run eval cases against an agent and score what it did",
    load: async () => (await import("./commands/eval.ts")).evalCommand as Command,
  },
  {
    name: "fingerprint",
    summary: "One hash per run of what the agent did",
    load: async () => (await import("./commands/fingerprint.ts")).fingerprintCommand as Command,
  },
  {
    name: "baseline",
    summary: "Learn what an agent does, and compare new runs with it",
    load: async () => (await import("./commands/baseline.ts")).baselineCommand as Command,
  },
  {
    name: "cohort",
    summary: "Tell a changed agent from a noisy one, over many runs",
    load: async () => (await import("./commands/cohort.ts")).cohortCommand as Command,
  },
  {
    name: "trend",
    summary: "Drift over a series of recordings",
    load: async () => (await import("./commands/trend.ts")).trendCommand as Command,
  },
  {
    name: "policy",
    summary: "Explain a policy, or run the examples it carries",
    load: async () => (await import("./commands/policy.ts")).policyCommand as Command,
  },
  {
    name: "hook",
    summary: "Judge a coding agent's tool calls with a policy, as its hook",
    load: async () => (await import("./commands/hook.ts")).hookCommand as Command,
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
    name: "doctor",
    summary: "Say what would keep spoor gate from running, with a fix for each",
    load: async () => (await import("./commands/doctor.ts")).doctorCommand as Command,
  },
  {
    name: "report",
    summary: "Print a saved JSON report again, in another format or by another threshold",
    load: async () => (await import("./commands/report.ts")).reportCommand as Command,
  },
  {
    name: "schema",
    summary: "Print the JSON Schema of a file or report",
    load: async () => (await import("./commands/schema.ts")).schemaCommand as Command,
  },
  {
    name: "completion",
    summary: "Print a completion script for bash, zsh or fish",
    load: async () => (await import("./commands/completion.ts")).createCompletionCommand(commands) as Command,
  },
];
