/** Every command, in the order of `spoor --help`. Each is imported only when it is asked for, so that starting is cheap. */
import { type CommandEntry, command } from "./command.ts";

export const commands: readonly CommandEntry[] = [
  command(
    "demo",
    "The whole story in one minute, on bundled traces",
    async () => (await import("./commands/demo.ts")).demoCommand,
  ),
  command(
    "init",
    "Write a configuration, a policy, a baseline and a CI workflow for this repository",
    async () => (await import("./commands/init.ts")).initCommand,
  ),
  command(
    "record",
    "Record what a command asks models and what its tools return, in any language",
    async () => (await import("./commands/record.ts")).recordCommandDefinition,
  ),
  command(
    "replay",
    "Run a command in a recorded world: recorded tool results, recorded model answers, or both",
    async () => (await import("./commands/replay.ts")).replayCommand,
  ),
  command(
    "gate",
    "Run everything the configuration asks for: one verdict, one exit code",
    async () => (await import("./commands/gate.ts")).gateCommand,
  ),
  command(
    "watch",
    "Run the agent whenever a file changes, and say what it does otherwise",
    async () => (await import("./commands/watch.ts")).watchCommand,
  ),
  command(
    "accept",
    "Say that changes are meant: recordings, fingerprints and rules follow in one act",
    async () => (await import("./commands/accept.ts")).acceptCommand,
  ),
  command(
    "review",
    "Look at what changed, card by card on a full screen, and accept or reject it",
    async () => (await import("./commands/review.ts")).reviewCommand,
  ),
  command("show", "Print a trace as a readable timeline", async () => (await import("./commands/show.ts")).showCommand),
  command(
    "view",
    "Look at runs in a browser, live while they are recorded, and compare any two",
    async () => (await import("./commands/view.ts")).viewCommand,
  ),
  command(
    "diff",
    "Compare two runs, or two sets of runs: what changed, how sure, and where it began",
    async () => (await import("./commands/diff.ts")).diffCommand,
  ),
  command(
    "why",
    "Which of the inputs that changed moves the behaviour, by running mixed configurations",
    async () => (await import("./commands/why.ts")).whyCommand,
  ),
  command("check", "Check traces against a policy", async () => (await import("./commands/check.ts")).checkCommand),
  command(
    "score",
    "Score recorded traces with trajectory and other evaluators",
    async () => (await import("./commands/score.ts")).scoreCommand,
  ),
  command(
    "eval",
    "Run eval cases against an agent and score what it did",
    async () => (await import("./commands/eval.ts")).evalCommand,
  ),
  command(
    "fingerprint",
    "One hash per run of what the agent did",
    async () => (await import("./commands/fingerprint.ts")).fingerprintCommand,
  ),
  command(
    "baseline",
    "Learn what an agent does, and compare new runs with it",
    async () => (await import("./commands/baseline.ts")).baselineCommand,
  ),
  command(
    "cohort",
    "Tell a changed agent from a noisy one, over many runs",
    async () => (await import("./commands/cohort.ts")).cohortCommand,
  ),
  command("trend", "Drift over a series of recordings", async () => (await import("./commands/trend.ts")).trendCommand),
  command(
    "policy",
    "Explain a policy, run the examples it carries, or propose one",
    async () => (await import("./commands/policy.ts")).policyCommand,
  ),
  command(
    "hook",
    "Judge a coding agent's tool calls with a policy, as its hook",
    async () => (await import("./commands/hook.ts")).hookCommand,
  ),
  command(
    "guard",
    "Stand between an MCP client and a server, with a policy",
    async () => (await import("./commands/guard.ts")).guardCommand,
  ),
  command(
    "convert",
    "Write traces in another format",
    async () => (await import("./commands/convert.ts")).convertCommand,
  ),
  command("prune", "Delete old recordings", async () => (await import("./commands/prune.ts")).pruneCommand),
  command(
    "verify",
    "Check ids, links and times of a trace file",
    async () => (await import("./commands/verify.ts")).verifyCommand,
  ),
  command(
    "explain",
    "Say what a code, a rule, an axis or a finding means",
    async () => (await import("./commands/explain.ts")).explainCommand,
  ),
  command(
    "mcp",
    "Let a coding agent ask: the lenses as an MCP server that only reads",
    async () => (await import("./commands/mcp.ts")).mcpCommand,
  ),
  command(
    "serve",
    "Start the shared service: every run of every release in one place",
    async () => (await import("./commands/serve.ts")).serveCommand,
  ),
  command(
    "worker",
    "Evaluate what arrives at the services of one PostgreSQL, beside them",
    async () => (await import("./commands/worker.ts")).workerCommand,
  ),
  command(
    "migrate",
    "Bring the tables of the shared service up to date",
    async () => (await import("./commands/migrate.ts")).migrateCommand,
  ),
  command(
    "push",
    "Send recordings to the shared service",
    async () => (await import("./commands/push.ts")).pushCommand,
  ),
  command(
    "export",
    "Take recordings out of the shared service",
    async () => (await import("./commands/export.ts")).exportCommand,
  ),
  command(
    "formats",
    "List what Spoor reads and writes",
    async () => (await import("./commands/formats.ts")).formatsCommand,
  ),
  command(
    "doctor",
    "Say what would keep spoor gate from running, with a fix for each",
    async () => (await import("./commands/doctor.ts")).doctorCommand,
  ),
  command(
    "report",
    "Print a saved JSON report again, in another format or by another threshold",
    async () => (await import("./commands/report.ts")).reportCommand,
  ),
  command(
    "schema",
    "Print the JSON Schema of a file or report",
    async () => (await import("./commands/schema.ts")).schemaCommand,
  ),
  command("completion", "Print a completion script for bash, zsh or fish", async () =>
    (await import("./commands/completion.ts")).createCompletionCommand(commands),
  ),
];
