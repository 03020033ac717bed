/** What `spoor accept` and `spoor review` share: the cards, who may decide about them, the act, and what is said afterwards. */

import { resolve } from "node:path";
import { SpoorError } from "@spoor/core/internal/errors";
import type { AcceptReport, DecidedCards } from "@spoor/core/internal/gate/accept-report";
import type { GateReport } from "@spoor/core/internal/gate/gate-report";
import { decideCards, finishDecisions } from "../accept/decide-cards.ts";
import type { DecidedCard } from "../accept/decision.ts";
import { type LoadedConfig, loadConfig } from "../config/load-config.ts";
import { type GateRun, requireLens, runGate, runGateWithTraces } from "../gate/run-gate.ts";
import { toolInfo } from "../tool-info.ts";
import { userName } from "./baseline/settings.ts";
import type { ArgsOf, CommonValues } from "./command.ts";
import { emitReport } from "./emit-report.ts";
import type { ExitCode } from "./exit-code.ts";
import { type Io, isCi } from "./io.ts";
import { loadOptions } from "./load-options.ts";
import { option } from "./option.ts";
import { acceptKind } from "./reports/accept-kind.ts";

export const decideOptions = {
  reason: option.text("why it is decided so (needed to decide)", "TEXT"),
  by: option.text("who decides (default: the git user)", "NAME"),
  rules: option.choice(
    ["keep", "remove"],
    undefined,
    "what happens to rules that block accepted runs: keep (default), or remove with their examples; a terminal is asked",
  ),
  evals: option.path("the eval file that cases of rejected runs go to (default evals/regressions.yaml)"),
} as const;
export type DecideArgs = ArgsOf<readonly [], typeof decideOptions>;

/** A project with what its gate says. */
export interface OpenedCards {
  readonly loaded: LoadedConfig;
  readonly run: GateRun;
  /** What the gate says once something is decided. */
  again(): Promise<GateReport>;
}

/** The project's gate, over other runs than the configuration's where some are named. */
export async function openCards(args: CommonValues, io: Io, traces: readonly string[] = []): Promise<OpenedCards> {
  const found = await loadConfig(args.config, io.cwd);
  const loaded = traces.length === 0 ? found : withTraces(found, traces, io);
  requireLens(loaded);
  if (!isCi(io) && (await finishDecisions(loaded)))
    io.err("An earlier decision was interrupted while it was written; it is finished now.\n");
  return {
    loaded,
    run: await runGateWithTraces(loaded, gateOptions(args, io)),
    again: () => runGate(loaded, gateOptions(args, io)),
  };
}

/** Named on the command line they are meant as the working folder sees them. */
function withTraces(loaded: LoadedConfig, traces: readonly string[], io: Io): LoadedConfig {
  return { ...loaded, config: { ...loaded.config, traces: traces.map((path) => resolve(io.cwd, path)) } };
}

function gateOptions(args: CommonValues, io: Io) {
  return { cwd: io.cwd, env: io.env, now: io.now(), load: loadOptions(args, io) };
}

/** Nobody decides in CI, and nobody about what was not evaluated. */
export function refuseToDecide({ status }: GateReport, io: Io): void {
  if (isCi(io)) {
    throw new SpoorError("accept.in-ci", "Changes are not accepted in CI (the variable CI is set).", {
      consequence: "Nothing was written.",
      hint: "Decide on your machine and commit what is written.",
    });
  }
  if (status !== "not_evaluated") return;
  throw new SpoorError(
    "accept.not-evaluated",
    "The gate could not be evaluated, so nobody knows what would be accepted.",
    {
      consequence: "Nothing was written.",
      hint: "spoor gate says what is missing.",
    },
  );
}

export interface SaidDecision {
  readonly why: string;
  readonly removeRules: boolean;
}

/** Writes what was decided, runs the gate again and reports. */
export async function decideAndReport(
  decided: readonly DecidedCard[],
  { loaded, run, again }: OpenedCards,
  { why, removeRules }: SaidDecision,
  args: DecideArgs,
  io: Io,
): Promise<ExitCode> {
  const act = await decideCards(decided, run, loaded, {
    cwd: io.cwd,
    env: io.env,
    decision: { by: args.by ?? userName(io), why, at: io.now().toISOString() },
    removeRules,
    ...(args.evals === undefined ? {} : { evalFile: args.evals }),
  });
  const after = await again();
  return reportCards(run.report, decided, { ...act, gate: after.status }, args, io);
}

export async function reportCards(
  gate: GateReport,
  decided: readonly DecidedCard[],
  act: DecidedCards | undefined,
  args: CommonValues,
  io: Io,
): Promise<ExitCode> {
  const report: AcceptReport = {
    schema: "spoor.accept/1",
    tool: toolInfo,
    inputs: gate.inputs,
    coverage: gate.coverage,
    gate: { failOn: "none", tripped: false, reasons: [] },
    agent: gate.agent,
    noun: gate.noun,
    cards: gate.cards.map((card, index) => {
      const decision = decided.find((one) => one.card === card)?.decision;
      return { ...card, number: index + 1, ...(decision === undefined ? {} : { decision }) };
    }),
    ...(act === undefined ? {} : { decided: act }),
  };
  const exitCode = acceptKind.exitCode(report);
  await emitReport(report, acceptKind.renderers(report, { exitCode, verbose: args.verbose }), args, io);
  return exitCode;
}
