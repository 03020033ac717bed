/** What approve, reject and rollback share: whose baseline a decision is about, and how its outcome is said. */
import { SpoorError } from "@spoor/core/internal/errors";
import type { Baseline } from "@spoor/core/internal/fingerprint/baseline";
import type { RunFacts } from "@spoor/core/internal/fingerprint/run-facts";
import { type Io, styleOf } from "../io.ts";
import { usageError } from "../option.ts";
import { compareWithStore } from "./compare.ts";
import { type RunArgs, type StoreArgs, storeOf } from "./settings.ts";

export interface DecisionTarget {
  readonly agent: string;
  readonly runs: readonly RunFacts[];
  readonly closest: string | undefined;
}

/** The agent, and the runs that show the hash where traces were given. */
export function decisionTarget(
  args: RunArgs,
  io: Io,
  hash: string,
  traces: readonly string[],
): Promise<DecisionTarget> {
  return traces.length === 0 ? withoutTraces(args) : withTraces(args, io, hash, traces);
}

async function withTraces(args: RunArgs, io: Io, hash: string, traces: readonly string[]): Promise<DecisionTarget> {
  const { comparisons, loaded } = await compareWithStore(args, traces, io);
  const runs = loaded.runs.filter((run) => run.fingerprint.hash === hash);
  const [first] = runs;
  if (first === undefined) {
    throw new SpoorError("baseline.hash-not-found", `No run in ${traces.join(" ")} has the fingerprint ${hash}.`, {
      consequence: "Nothing was written.",
      hint: `List them: spoor fingerprint ${traces.join(" ")}`,
    });
  }
  const compared = comparisons.flatMap((one) => one.runs).find((run) => run.hash === hash);
  return {
    agent: first.agent,
    runs: runs.filter((run) => run.agent === first.agent),
    closest: compared?.closest?.hash,
  };
}

async function withoutTraces(args: StoreArgs): Promise<DecisionTarget> {
  return { agent: args.agent ?? (await onlyAgent(args)), runs: [], closest: undefined };
}

export async function onlyAgent(args: StoreArgs): Promise<string> {
  const agents = await storeOf(args).agents();
  if (agents.length === 1) return agents[0]!;
  throw usageError(
    agents.length === 0 ? "There is no baseline." : `There are ${agents.length} baselines: ${agents.join(", ")}.`,
    agents.length === 0 ? "Make one first: spoor baseline build TRACES" : "Say which one: --agent NAME",
  );
}

/** Sixteen hex digits, or a mistake on the command line. */
export function requireHash(hash: string, command: string): void {
  if (/^[0-9a-f]{16}$/.test(hash)) return;
  throw usageError(
    `spoor baseline ${command} needs a fingerprint of 16 hex digits, found "${hash}".`,
    "spoor baseline compare prints them in --format json.",
  );
}

export function requireBaseline(baseline: Baseline | undefined, agent: string): Baseline {
  if (baseline !== undefined) return baseline;
  throw new SpoorError("baseline.missing", `${agent} has no baseline.`, {
    consequence: "Nothing was written.",
    hint: "Make one first: spoor baseline build TRACES",
  });
}

export function say(io: Io, args: StoreArgs, text: string): void {
  const style = styleOf(io, { ascii: args.ascii || undefined, color: args.noColor ? false : undefined });
  io.out(`${style.paint.good(style.symbols.passed)} ${text}\n`);
}
