/**
 * `spoor baseline review`: walks through every path the baseline does not know and asks what to do with it. Needs a person
 * at a terminal; Enter alone changes nothing; each decision is written at once, so that quitting loses none.
 */

import { SpoorError } from "@spoor/core/internal/errors";
import type { Baseline, Decision } from "@spoor/core/internal/fingerprint/baseline";
import { isKnown } from "@spoor/core/internal/fingerprint/classify";
import type { AgentComparison, RunComparison } from "@spoor/core/internal/fingerprint/comparison";
import { acceptAsOwn, acceptAsVariant, rememberRejection } from "@spoor/core/internal/fingerprint/record-decision";
import type { RunFacts } from "@spoor/core/internal/fingerprint/run-facts";
import { printable } from "../../document/printable.ts";
import { count, list } from "../../document/words.ts";
import type { BaselineStore } from "../../store/baseline-store.ts";
import { wrap } from "../../write/terminal/layout.ts";
import { pathLines } from "../../write/terminal/paths.ts";
import type { TerminalStyle } from "../../write/terminal/terminal-style.ts";
import { type ArgsOf, defineCommand } from "../command.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { type Io, styleOf } from "../io.ts";
import { tracesOf } from "../project.ts";
import { createPrompt, type Prompt } from "../prompt.ts";
import { compareWithStore } from "./compare.ts";
import { refuseToWriteInCi } from "./load-runs.ts";
import { decisionOptions, type RunArgs, runOptions, userName, withProject } from "./settings.ts";

interface Pending {
  readonly agent: string;
  readonly comparison: AgentComparison;
  readonly compared: RunComparison;
  readonly runs: readonly RunFacts[];
}

const reviewOptions = { ...runOptions, ...decisionOptions } as const;
type ReviewArgs = ArgsOf<readonly ["[traces...]"], typeof reviewOptions> & RunArgs;

export const reviewCommand = defineCommand({
  description: "Needs a terminal. Enter alone changes nothing; each decision is written at once.",
  positionals: ["[traces...]"],
  options: reviewOptions,
  examples: [
    { run: "spoor baseline review candidate/", does: "Walk through the unknown paths and accept or reject each." },
  ],
  run: async (args, io) => {
    const traces = await tracesOf(args.traces, "baseline review", args, io);
    return reviewChanges({ ...(await withProject(args, io)), traces }, io);
  },
});

async function reviewChanges(args: ReviewArgs, io: Io): Promise<ExitCode> {
  refuseToWriteInCi(io);
  if (!io.interactive) {
    throw new SpoorError(
      "baseline.not-interactive",
      "A review asks questions, and there is no terminal to ask them on.",
      {
        consequence: "Nothing was written.",
        hint: "Without a terminal: spoor baseline approve HASH TRACES --why …",
      },
    );
  }
  const { comparisons, loaded, store } = await compareWithStore(args, args.traces, io);
  const pending = comparisons.flatMap((comparison) => pendingOf(comparison, loaded.runs));
  const style = styleOf(io, { ascii: args.ascii || undefined, color: args.noColor ? false : undefined });
  if (pending.length === 0) {
    io.out(
      `${style.paint.good(style.symbols.passed)} Nothing to review: every run follows a known path, or was rejected before.\n`,
    );
    return exitCode.ok;
  }
  const ask = createPrompt(io);
  try {
    for (const [index, change] of pending.entries()) {
      io.out(`Change ${index + 1} of ${pending.length}: ${changeText(change, style)}`);
      if ((await decide(change, ask, store, args, io, style)) === "quit") break;
    }
  } finally {
    ask.close();
  }
  return exitCode.ok;
}

/** One entry per unknown hash that nobody rejected yet, most runs first. */
function pendingOf(comparison: AgentComparison, runs: readonly RunFacts[]): Pending[] {
  const byHash = new Map<string, Pending>();
  for (const compared of comparison.runs) {
    if (isKnown(compared.status) || compared.status === "no_baseline" || compared.rejected || byHash.has(compared.hash))
      continue;
    const own = runs.filter((run) => run.agent === comparison.agent && run.fingerprint.hash === compared.hash);
    byHash.set(compared.hash, { agent: comparison.agent, comparison, compared, runs: own });
  }
  return [...byHash.values()].sort((left, right) => right.runs.length - left.runs.length);
}

function changeText({ agent, compared, runs, comparison }: Pending, style: TerminalStyle): string {
  const names = runs.slice(0, 5).map((run) => run.run);
  const more = runs.length > 5 ? ` and ${runs.length - 5} more` : "";
  const lines = [printable(`${agent}, ${count(runs.length, "run")} (${names.join(", ")}${more})`)];
  const closest = compared.closest;
  if (closest?.alignment) {
    lines.push(
      ...pathLines(
        {
          kind: "paths",
          known: closest.name ?? "known",
          now: "new",
          steps: closest.alignment.map(({ segment, side }) => ({ step: segment, side })),
        },
        2,
        style,
      ),
    );
  } else lines.push(`  new  ${printable(compared.path)}`);
  lines.push(
    "",
    ...wrap(printable(`If you accept: ${consequence(compared, comparison, runs)}`), style.columns - 2).map(
      (line) => `  ${line}`,
    ),
  );
  const variant =
    closest === null ? [] : [`a accept as a variant of ${printable(closest.name ?? closest.path).slice(0, 40)}`];
  lines.push(
    ...[
      ...variant,
      "n accept as a behaviour of its own",
      "r reject, keep failing",
      "v view a run    s skip    q quit",
    ].map((line) => `  ${line}`),
  );
  return `${lines.join("\n")}\n`;
}

function consequence(compared: RunComparison, comparison: AgentComparison, runs: readonly RunFacts[]): string {
  const alignment = compared.closest?.alignment ?? [];
  const used = new Set(runs.flatMap((run) => [...run.sample.tools.keys()]));
  const gone = [...new Set(alignment.filter((step) => step.side === "known").map((step) => step.segment))].filter(
    (tool) => !used.has(tool) && tool !== "reply",
  );
  const added = comparison.newTools.map((tool) => tool.tool).filter((tool) => used.has(tool));
  if (added.length > 0) return `runs that call ${list(added)} on this path pass this comparison.`;
  if (gone.length > 0) return `runs without ${list(gone)} on this path pass this comparison.`;
  return "runs on exactly this path pass this comparison.";
}

async function decide(
  change: Pending,
  ask: Prompt,
  store: BaselineStore,
  args: ReviewArgs,
  io: Io,
  style: TerminalStyle,
): Promise<"next" | "quit"> {
  const done = (text: string) => io.out(`  ${style.paint.good(style.symbols.passed)} ${text}\n\n`);
  for (;;) {
    const answer = (await ask.question("> "))?.trim().toLowerCase();
    if (answer === undefined || answer === "q") return "quit";
    if (answer === "" || answer === "s") {
      done("Skipped. Nothing was written.");
      return "next";
    }
    if (answer === "v") io.out(viewText(change));
    else if (answer === "r") {
      const decision = await reasonFor(ask, args, io, "rejected in review");
      await write(change, store, (baseline) => rememberRejection(baseline, change.compared.hash, decision));
      done(`Rejected and remembered for ${change.compared.hash}. Nothing else was written.`);
      return "next";
    } else if (answer === "n" || (answer === "a" && change.compared.closest !== null)) {
      const decision = await reasonFor(ask, args, io, "accepted in review");
      const closest = change.compared.closest?.hash;
      const { hash } = change.compared;
      await write(change, store, (baseline) =>
        answer === "a"
          ? acceptAsVariant(baseline, closest!, hash, change.runs, decision)
          : acceptAsOwn(baseline, change.runs, decision),
      );
      done(`Accepted ${hash}. Written to ${store.fileOf(change.agent)}; commit it.`);
      return "next";
    } else io.out("  a, n, r, v, s or q; Enter alone changes nothing.\n");
  }
}

async function write(change: Pending, store: BaselineStore, edit: (baseline: Baseline) => unknown): Promise<void> {
  await store.update(change.agent, (baseline) => {
    if (baseline === undefined) throw new SpoorError("baseline.missing", `The baseline of ${change.agent} is gone.`);
    edit(baseline);
    return baseline;
  });
}

async function reasonFor(ask: Prompt, args: ReviewArgs, io: Io, fallback: string): Promise<Decision> {
  const why = args.why ?? ((await ask.question("  Why? ")) ?? "").trim();
  return { by: args.by ?? userName(io), why: why === "" ? fallback : why, at: io.now().toISOString() };
}

function viewText({ runs }: Pending): string {
  const [run] = runs;
  if (run === undefined) return "";
  const steps = run.segments
    .slice(0, 60)
    .map((segment, index) => `  ${String(index + 1).padStart(4)}  ${printable(segment)}`);
  const rest = run.segments.length > 60 ? [`        ${run.segments.length - 60} more steps`] : [];
  return `${[`  ${printable(run.run)}`, ...steps, ...rest].join("\n")}\n`;
}
