import { existsSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { Trace } from "@spoor/core";
import { SpoorError } from "@spoor/core/internal/errors";
import { sweepTemporaries, temporaryBeside } from "@spoor/record/internal/node/temporary-file";
import { configNames } from "../../config/load-config.ts";
import { shellWord } from "../../document/shell-word.ts";
import { type AgentRun, readScenarios } from "../../init/agent-run.ts";
import { lookAtRepository } from "../../init/look-at-repository.ts";
import { mineRules, starterRule } from "../../init/mine-rules.ts";
import type { MinedRule } from "../../init/mined-rule.ts";
import { type InitChoices, type PlannedFile, planFiles } from "../../init/plan-files.ts";
import {
  type Copy,
  proposeAgent,
  proposeCandidate,
  proposeHome,
  proposeKept,
  proposeNoun,
} from "../../init/propose.ts";
import { recordCommand } from "../../init/record-command.ts";
import { hookAgents } from "../../init/render-hook.ts";
import { renderFound, renderHookAdvice, renderPlan, renderRules, renderWritten } from "../../init/render-init.ts";
import { mcpAgents } from "../../init/render-mcp.ts";
import { isOwner } from "../../init/render-owners.ts";
import type { RepositoryFacts, TraceGroup } from "../../init/repository-facts.ts";
import { readWholeBytes, readWholeText } from "../../load/read-text.ts";
import { unwritableError, writeFileAtomically } from "../../load/write-file.ts";
import { destinationOf } from "../../push/destination.ts";
import type { TerminalStyle } from "../../write/terminal/terminal-style.ts";
import { producerOf, userName } from "../baseline/settings.ts";
import { defineCommand } from "../command.ts";
import { exitCode } from "../exit-code.ts";
import { type Io, styleOf } from "../io.ts";
import { option, usageError } from "../option.ts";
import { createPrompt, type Prompt } from "../prompt.ts";

export const initCommand = defineCommand({
  description:
    "Looks at the framework, the recorded runs and the CI system, asks a few questions, lists what it will write " +
    "and touches nothing that exists. Rules are proposed from what already holds in every recorded run.",
  positionals: ["[command...]"],
  options: {
    yes: option.flag("take the defaults and write; required without a terminal"),
    mode: option.choice(["warn", "block"], undefined, "what a changed behaviour does to a pull request"),
    scenario: option.texts(
      "what a user says to the agent, as damaged-item=TEXT or TEXT alone; may be given several times. With a command, spoor gate --run makes the runs",
      "NAME=TEXT",
    ),
    hook: option.texts(
      "also guard this coding agent's tool calls: claude, codex or copilot; may be given several times",
      "AGENT",
    ),
    mcp: option.texts(
      "also let this coding agent ask spoor mcp, and the service of SPOOR_SERVER if that is set: claude, codex, vscode or cursor; may be given several times",
      "AGENT",
    ),
    owner: option.texts(
      "who has to review changes of rules, baselines and configuration: @user, @org/team or an address, written into CODEOWNERS; may be given several times",
      "OWNER",
    ),
  },
  examples: [
    { run: "spoor init", does: "Look, ask, list, write." },
    { run: "spoor init --yes", does: "The same with every default; for scripts." },
    {
      run: 'spoor init --scenario "Where is order A-7702?" -- node agent.mjs',
      does: "The gate starts the agent itself, once per scenario.",
    },
    { run: "spoor init --hook claude", does: "The same, and settings with which Claude Code asks spoor hook." },
  ],
  async run(args, io) {
    if (!args.yes && !io.interactive) {
      throw usageError(
        "spoor init asks questions, and there is no terminal to ask on.",
        "spoor init --yes takes the defaults.",
      );
    }
    const hooks = chosenAgents("--hook", args.hook, hookAgents);
    const askers = chosenAgents("--mcp", args.mcp, mcpAgents);
    const service = askers.length === 0 || !io.env["SPOOR_SERVER"] ? undefined : destinationOf(io.env).server;
    const nobody = args.owner.find((name) => !isOwner(name));
    if (nobody !== undefined)
      throw usageError(`--owner must be @user, @org/team or an address; found ${JSON.stringify(nobody)}.`);
    refuseSecondConfig(io.cwd);
    const style = styleOf(io, { ascii: args.ascii || undefined, color: args.noColor ? false : undefined });
    const facts = await lookAtRepository(io.cwd);
    io.out(renderFound(facts, style));

    const prompt = args.yes ? undefined : createPrompt(io);
    try {
      const talk = { prompt, io, style };
      const run = await chooseRun(args, facts, talk);
      const { choices, candidate } = await choose(facts, args, run, talk);
      const plan = planFiles(
        { ...choices, hooks, askers, service, owners: { place: facts.codeOwners, names: args.owner } },
        { producer: producerOf(), by: userName(io), now: io.now().toISOString() },
      );
      // What a killed one left would stay for ever where everything else is there.
      for (const { path } of plan.files) sweepTemporaries(dirname(resolve(io.cwd, path)));
      const { files, kept } = withoutExisting(plan.files, io.cwd);
      io.out(renderPlan(files, kept, style) + renderHookAdvice(hooksToAdd(plan.files, kept, io.cwd), style));
      if (files.length === 0) {
        io.out("  Nothing to do: everything is there. Try it: npx spoor gate\n");
        return exitCode.ok;
      }
      if (!(await confirm(files.length, { prompt, io, style }))) {
        io.out("  Nothing was written.\n");
        return exitCode.ok;
      }
      for (const file of files) await write(file, io.cwd);
      const record = recordCommand(candidate.glob, facts);
      const hasRuns = choices.keep !== undefined;
      const makesRuns = run !== undefined;
      const agents = new Set(choices.keep?.traces.flatMap((trace) => trace.agent ?? [])).size;
      const unguarded = facts.codingAgents.filter((agent) => !hooks.includes(agent));
      const { dependsOnSpoor } = facts;
      const wrapsTools = facts.frameworks.some(({ framework }) => framework.tools === "told");
      io.out(
        renderWritten(
          { plan, candidate, hasRuns, makesRuns, record, wrapsTools, dependsOnSpoor, agents, unguarded },
          style,
        ),
      );
      return exitCode.ok;
    } finally {
      prompt?.close();
    }
  },
});

function chosenAgents<A extends string>(option: string, names: readonly string[], agents: readonly A[]): A[] {
  return names.map((name) => {
    const agent = agents.find((known) => known === name);
    if (agent === undefined) throw usageError(`${option} must be one of ${agents.join(", ")}; found "${name}".`);
    return agent;
  });
}

/** Settings that exist are someone's: what must be added to them is shown instead, unless it is there. */
function hooksToAdd(files: readonly PlannedFile[], kept: readonly string[], cwd: string): PlannedFile[] {
  return files.filter(
    ({ path, mark }) => mark !== undefined && kept.includes(path) && !readWholeText(join(cwd, path)).includes(mark),
  );
}

/** A second configuration beside a `spoor.config.ts` would be a trap: only one of them is ever read. */
function refuseSecondConfig(cwd: string): void {
  const other = configNames.find((name) => name !== "spoor.config.yaml" && existsSync(join(cwd, name)));
  if (other === undefined) return;
  throw new SpoorError("init.configured", `This repository has a configuration already: ${other}.`, {
    at: { file: other },
    consequence: "Nothing was written.",
    hint: "spoor doctor says whether it works.",
  });
}

/** How to speak with the person, if there is one. */
interface Talk {
  readonly prompt: Prompt | undefined;
  readonly io: Io;
  readonly style: TerminalStyle;
}

/** Three questions at most; without a prompt every one is answered with its default. */
async function choose(
  facts: RepositoryFacts,
  { mode, owner }: { readonly mode: "warn" | "block" | undefined; readonly owner: readonly string[] },
  run: AgentRun | undefined,
  talk: Talk,
): Promise<{
  choices: Omit<InitChoices, "hooks" | "askers" | "service" | "owners">;
  candidate: { glob: string; exists: boolean };
}> {
  const kept = await askKept(proposeKept(facts), talk);
  const traces: readonly Trace[] = kept?.traces ?? [];
  const noun = proposeNoun(traces);
  const chosenMode = mode ?? (await askMode(talk));
  const rules = kept === undefined ? [starterRule] : await askRules(traces, noun, talk);
  const candidate = proposeCandidate(kept, facts);
  const { ci, packageManager, dependsOnSpoor } = facts;
  const keys = [...new Set(facts.frameworks.flatMap(({ framework }) => framework.key ?? []))];
  return {
    candidate,
    choices: {
      agent: proposeAgent(traces, facts),
      noun,
      mode: chosenMode,
      ...(kept === undefined ? {} : { keep: proposeHome(kept) }),
      ...(run === undefined ? {} : { run }),
      candidate: candidate.glob,
      rules,
      ci: {
        ci,
        dependsOnSpoor,
        candidate: candidate.glob,
        record: recordCommand(candidate.glob, facts),
        run: run !== undefined,
        keys,
        owned: owner.length > 0,
        ...(packageManager === undefined ? {} : { packageManager }),
      },
    },
  };
}

/** How the runs are made, as it was given or answered; undefined where nobody says what users say. */
async function chooseRun(
  { command, scenario }: { readonly command: readonly string[]; readonly scenario: readonly string[] },
  facts: RepositoryFacts,
  talk: Talk,
): Promise<AgentRun | undefined> {
  const given =
    command.length === 0
      ? facts.start
      : command.map((word) => (word === "{PROMPT}" ? word : shellWord(word))).join(" ");
  if (scenario.length === 0 && command.length === 0) return askRun(facts, talk);
  if (given === undefined) throw usageError("How is the agent started?", `spoor init --scenario "…" -- node agent.mjs`);
  if (scenario.length === 0)
    throw usageError("What does a user say to it?", `spoor init --scenario "Where is order A-7702?" -- ${given}`);
  return { command: given, scenarios: readScenarios(scenario) ?? refuseTwins() };
}

function refuseTwins(): never {
  throw usageError("Two scenarios have the same name.", "Their runs could not be told apart.");
}

/** Where nothing is recorded yet, the two questions after which Spoor can make the runs itself. */
async function askRun(
  { start, recordings }: RepositoryFacts,
  { prompt, io, style }: Talk,
): Promise<AgentRun | undefined> {
  if (prompt === undefined || recordings.groups.length > 0) return undefined;
  const arrow = style.symbols.run.running;
  const shown = start === undefined ? `${arrow} ` : `${arrow} ${start}  Enter, or another command: `;
  const command = (await answerTo(`? How is the agent started?   ${shown}`, prompt)) || start;
  if (command === undefined) return undefined;
  io.out("? What does a user say to it? One thing a line; Enter ends.\n");
  const said: string[] = [];
  for (;;) {
    const line = await answerTo(`    ${said.length + 1}  `, prompt);
    if (line === "") break;
    said.push(line);
  }
  return said.length === 0 ? undefined : { command, scenarios: readScenarios(said) ?? refuseTwins() };
}

async function askKept(groups: readonly TraceGroup[], { prompt, io, style }: Talk): Promise<TraceGroup | undefined> {
  const [first] = groups;
  if (first === undefined) return undefined;
  const words = ({ glob, traces }: TraceGroup) => `${glob} (${traces.length})`;
  const question = `? Which runs show the behaviour to keep?   ${style.symbols.run.running} `;
  if (prompt === undefined || groups.length === 1) {
    io.out(`${question}${words(first)}\n`);
    return first;
  }
  const list = groups.map((group, index) => `    ${index + 1}  ${words(group)}\n`).join("");
  for (;;) {
    const answer = await answerTo(`${question}${words(first)}\n${list}  Enter, or a number: `, prompt);
    const chosen = answer === "" ? first : groups[Number(answer) - 1];
    if (chosen !== undefined) return chosen;
    io.out(`  A number from 1 to ${groups.length}.\n`);
  }
}

async function askMode({ prompt, io, style }: Talk): Promise<"warn" | "block"> {
  const question = `? When behaviour changes, a pull request is   ${style.symbols.run.running} warned (best at first)`;
  if (prompt === undefined) {
    io.out(`${question}\n`);
    return "warn";
  }
  for (;;) {
    const answer = (await answerTo(`${question} | blocked: `, prompt)).toLowerCase();
    if (answer === "" || answer.startsWith("w")) return "warn";
    if (answer.startsWith("b")) return "block";
    io.out("  w for warned, b for blocked; Enter takes warned.\n");
  }
}

async function askRules(traces: readonly Trace[], noun: string, { prompt, io, style }: Talk): Promise<MinedRule[]> {
  const rules = mineRules(traces);
  if (rules.length === 0) return [];
  const chosen = new Set(rules.filter((rule) => rule.suggested));
  const where = traces.length === 1 ? "the only run" : `all ${traces.length} runs`;
  const question = `? Start with rules that already hold in ${where}?\n`;
  const view = { noun, numbered: prompt !== undefined, columns: style.columns };
  io.out(question + renderRules(rules, chosen, view));
  while (prompt !== undefined) {
    const answer = await answerTo("  Enter keeps these; numbers switch: ", prompt);
    if (answer === "") break;
    for (const word of answer.split(/[\s,]+/)) {
      const rule = rules[Number(word) - 1];
      if (rule === undefined) io.out(`  There is no rule ${word}.\n`);
      else if (!chosen.delete(rule)) chosen.add(rule);
    }
    io.out(renderRules(rules, chosen, view));
  }
  return rules.filter((rule) => chosen.has(rule));
}

async function confirm(amount: number, { prompt, io, style }: Talk): Promise<boolean> {
  const question = `? Write ${amount === 1 ? "this file" : `these ${amount} files`}? ${style.symbols.run.running} yes`;
  if (prompt === undefined) {
    io.out(`${question}\n`);
    return true;
  }
  return /^(y(es)?)?$/i.test(await answerTo(`${question} `, prompt));
}

/** Ctrl-D is an answer too: stop, nothing written. */
async function answerTo(text: string, prompt: Prompt): Promise<string> {
  const answer = await prompt.question(text);
  if (answer !== undefined) return answer.trim();
  throw new SpoorError("init.stopped", "The answers ended before the questions.", {
    consequence: "Nothing was written.",
  });
}

function withoutExisting(files: readonly PlannedFile[], cwd: string): { files: PlannedFile[]; kept: string[] } {
  const kept = files.filter((file) => isDone(file, cwd));
  return { files: files.filter((file) => !kept.includes(file)), kept: kept.map((file) => file.path) };
}

/** A file that exists is someone's; one that is only added to is done when every line is there. */
function isDone(file: PlannedFile, cwd: string): boolean {
  const full = join(cwd, file.path);
  if (!existsSync(full)) return false;
  return file.append === undefined || missingLines(file, readWholeText(full)).length === 0;
}

/** By their first word: whose a path is, and how else it is spelt, is left to those who wrote it. */
function missingLines({ content }: PlannedFile, text: string): string[] {
  const keyOf = (line: string) => (line.trim().split(/\s+/)[0] ?? "").replace(/^\/|\/$/g, "");
  const known = new Set(text.split(/\r?\n/).map(keyOf));
  return content.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("#") && !known.has(keyOf(line)));
}

async function write(file: PlannedFile, cwd: string): Promise<void> {
  const full = join(cwd, file.path);
  if (!existsSync(full) && file.copies !== undefined) return writeCopies(full, file.copies, cwd);
  if (!existsSync(full)) return writeFileAtomically(full, file.content);
  // It came into being since the list was printed.
  if (file.append === undefined)
    throw new SpoorError("init.exists", `${file.path} exists now; it was not overwritten.`, {
      at: { file: file.path },
    });
  const text = readWholeText(full);
  const comments = file.content.split("\n").filter((line) => line.startsWith("#"));
  const added = [...comments, ...missingLines(file, text)].map((line) => `${line}\n`).join("");
  return writeFileAtomically(full, `${text}${text === "" || text.endsWith("\n") ? "" : "\n"}${added}`);
}

/** All of them or none: a folder with a part of the runs would be taken for what the agent does. */
async function writeCopies(folder: string, copies: readonly Copy[], cwd: string): Promise<void> {
  const draft = temporaryBeside(resolve(folder));
  try {
    for (const { from, to } of copies)
      await writeFileAtomically(join(draft, basename(to)), readWholeBytes(resolve(cwd, from)));
    renameSync(draft, resolve(folder));
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    throw error instanceof SpoorError ? error : unwritableError(folder, error);
  }
}
