/** `spoor accept`: what the gate found is meant. One act writes recordings, fingerprints and, when asked to, rules. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { SpoorError } from "@spoor/core/internal/errors";
import type { Acceptance, AcceptReport } from "@spoor/core/internal/gate/accept-report";
import type { ChangeCard } from "@spoor/core/internal/gate/change-card";
import type { GateReport } from "@spoor/core/internal/gate/gate-report";
import { stringifyJson } from "@spoor/core/internal/trace/json";
import { jsonOf } from "@spoor/core/internal/trace/json-of";
import { acceptCards } from "../../accept/accept-cards.ts";
import { type LoadedConfig, loadConfig } from "../../config/load-config.ts";
import { printable } from "../../document/printable.ts";
import { requireLens, runGate } from "../../gate/run-gate.ts";
import { writeFileAtomically } from "../../load/write-file.ts";
import { toolInfo } from "../../tool-info.ts";
import { decisionOf } from "../baseline/settings.ts";
import { type CommonValues, defineCommand } from "../command.ts";
import { emitReport } from "../emit-report.ts";
import { type Io, isCi } from "../io.ts";
import { loadOptions } from "../load-options.ts";
import { option, usageError } from "../option.ts";
import { createPrompt } from "../prompt.ts";
import { acceptKind } from "../reports/accept-kind.ts";

const DECISIONS = "spoor.decisions.jsonl";

export const acceptCommand = defineCommand({
  description:
    "Runs the gate and puts what changed on numbered cards, runs that changed alike on one. Without --all or --card it lists " +
    "them with what accepting would write. Accepting lets the baseline's recordings and fingerprints take on what the accepted " +
    "runs do; rules are touched only with --rules remove. Who, when and why is added to spoor.decisions.jsonl. In CI nothing is accepted.",
  positionals: [],
  options: {
    all: option.flag("accept every card"),
    card: option.texts("accept this card; may be given several times", "N"),
    reason: option.text("why it is meant (needed to accept)", "TEXT"),
    by: option.text("who decides (default: the git user)", "NAME"),
    rules: option.choice(
      ["keep", "remove"],
      undefined,
      "what happens to rules that block accepted runs: keep (default), or remove with their examples; a terminal is asked",
    ),
  },
  examples: [
    { run: "spoor accept", does: "What changed, on cards, and what accepting each would write." },
    { run: 'spoor accept --card 1 --reason "refunds up to 100 need no confirmation"', does: "One of them is meant." },
    { run: 'spoor accept --all --rules remove --reason "new refund flow, #123"', does: "All of it, and the rules go." },
  ],
  async run(args, io) {
    const loaded = await loadConfig(args.config, io.cwd);
    requireLens(loaded);
    const before = await gate(loaded, args, io);
    const chosen = choose(before.cards, args);
    if (chosen.length > 0) refuseToAccept(before, io);
    const accepted = chosen.length === 0 ? undefined : await accept(chosen, before, loaded, args, io);
    const report: AcceptReport = {
      schema: "spoor.accept/1",
      tool: toolInfo,
      inputs: before.inputs,
      coverage: before.coverage,
      gate: { failOn: "none", tripped: false, reasons: [] },
      agent: before.agent,
      noun: before.noun,
      cards: before.cards.map((card, index) => ({ ...card, number: index + 1, accepted: chosen.includes(card) })),
      ...(accepted === undefined ? {} : { accepted }),
    };
    const exitCode = acceptKind.exitCode(report);
    await emitReport(report, acceptKind.renderers(report, { exitCode, verbose: args.verbose }), args, io);
    return exitCode;
  },
});

function gate(loaded: LoadedConfig, args: CommonValues, io: Io): Promise<GateReport> {
  return runGate(loaded, { cwd: io.cwd, env: io.env, now: io.now(), load: loadOptions(args, io) });
}

function choose(
  cards: readonly ChangeCard[],
  { all, card: numbers }: { readonly all: boolean; readonly card: readonly string[] },
): readonly ChangeCard[] {
  if (all && numbers.length > 0) throw usageError("--all and --card exclude each other.");
  if (all) return cards;
  return [...new Set(numbers)].map((text) => {
    const card = /^[1-9][0-9]*$/.test(text) ? cards[Number(text) - 1] : undefined;
    if (card !== undefined) return card;
    throw usageError(`There is no card "${text}".`, `Leave --card out to list them: there are ${cards.length}.`);
  });
}

function refuseToAccept(report: GateReport, io: Io): void {
  if (isCi(io)) {
    throw new SpoorError("accept.in-ci", "Changes are not accepted in CI (the variable CI is set).", {
      consequence: "Nothing was written.",
      hint: "Accept on your machine and commit what is written.",
    });
  }
  if (report.status !== "not_evaluated") return;
  throw new SpoorError(
    "accept.not-evaluated",
    "The gate could not be evaluated, so nobody knows what would be accepted.",
    {
      consequence: "Nothing was written.",
      hint: "spoor gate says what is missing.",
    },
  );
}

async function accept(
  cards: readonly ChangeCard[],
  before: GateReport,
  loaded: LoadedConfig,
  args: CommonValues & {
    readonly reason?: string | undefined;
    readonly by?: string | undefined;
    readonly rules: "keep" | "remove" | undefined;
  },
  io: Io,
): Promise<Acceptance> {
  if (args.reason === undefined || args.reason.trim() === "") {
    throw usageError(
      "--reason is missing: whoever reads the decision later will want to know.",
      'For example --reason "new refund flow, #123"',
    );
  }
  const written = await acceptCards(cards, before, loaded, {
    cwd: io.cwd,
    load: loadOptions(args, io),
    decision: decisionOf({ by: args.by, why: args.reason }, io),
    removeRules: (args.rules ?? (await askRules(cards, io))) === "remove",
  });
  const after = await gate(loaded, args, io);
  const acceptance: Acceptance = { ...written, gate: after.status };
  await addDecision(join(loaded.folder, DECISIONS), acceptance);
  return acceptance;
}

/** Rules are a promise to others: a person is asked about each file once, a script says it. */
async function askRules(cards: readonly ChangeCard[], io: Io): Promise<"keep" | "remove"> {
  const rules = new Set(cards.flatMap((card) => card.rules.filter(({ blocks }) => blocks).map(({ id }) => id)));
  if (rules.size === 0 || !io.interactive) return "keep";
  const prompt = createPrompt(io);
  try {
    const which = `${rules.size === 1 ? "the rule" : "the rules"} ${[...rules].map(printable).join(", ")}`;
    const answer = await prompt.question(
      `Also take out ${which}, with the examples? They go on blocking otherwise. [y/N] `,
    );
    return /^y(es)?$/i.test(answer?.trim() ?? "") ? "remove" : "keep";
  } finally {
    prompt.close();
  }
}

/** One more line; the file is replaced whole, so that a full disk takes none of the earlier ones. */
async function addDecision(file: string, acceptance: Acceptance): Promise<void> {
  const before = existsSync(file) ? readFileSync(file, "utf8").replace(/(?<!\n)$/, "\n") : "";
  await writeFileAtomically(file, `${before}${stringifyJson(jsonOf(acceptance)!)}\n`);
}
