/**
 * Which commands may start. Files of a project say what Spoor starts and whom it sends keys to: judges that are programs, hooks,
 * targets, the agent itself, a configuration that is a module. At home they are one's own. In the job of a pull request they may be a
 * stranger's, and there only what its base has already may start, unless --allow-commands says that whoever wrote it is trusted.
 *
 * The rule holds for a command line, from its words to its end, whichever way leads to a file: doors ask `requireKnown`. A program
 * that imports Spoor, a test suite for example, runs no command line; what it starts is its own affair.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { existsSync, realpathSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import type { Json } from "@spoor/core";
import { canonicalJson } from "@spoor/core/internal/canonical/canonical-json";
import { SpoorError } from "@spoor/core/internal/errors";
import { readWholeText } from "../read-text.ts";
import { type BaseTree, isUntracked, openBaseTree } from "./base-tree.ts";
import type { PullRequest } from "./pull-request.ts";

/** Something that a file makes Spoor start or send to. */
export interface Start {
  /** What it is in the file: `code_judge "polite"`. */
  readonly what: string;
  /** All that decides what happens: the command, its folder, its variables. */
  readonly runs: Json;
}

interface Rule {
  readonly pullRequest: PullRequest;
  /** Asked once for every folder. */
  readonly trees: Map<string, ReturnType<typeof openBaseTree>>;
}

const rule = new AsyncLocalStorage<Rule>();

/** Runs a command line under the rule. */
export function underPullRequest<T>(pullRequest: PullRequest, run: () => T): T {
  return rule.run({ pullRequest, trees: new Map() }, run);
}

/** Whether the rule holds: what it needs is worth computing only then. */
export function isRestricted(): boolean {
  return rule.getStore() !== undefined;
}

/** `known` reads what the base's own files start; it may throw, and then they start nothing. */
export function requireKnown(
  file: string,
  starts: readonly Start[],
  known: (base: BaseTree) => readonly Start[],
): void {
  const held = rule.getStore();
  if (held === undefined || starts.length === 0) return;
  const { pullRequest } = held;
  const base = baseOf(resolve(file), held);
  if ("problem" in base) throw noBase(file, starts, base.problem, pullRequest);
  const allowed = new Set(tryAll(known, base).map(({ runs }) => canonicalJson(runs)));
  const strange = starts.filter(({ runs }) => !allowed.has(canonicalJson(runs)));
  if (strange.length > 0) throw notKnown(file, strange, pullRequest);
}

function baseOf(path: string, { pullRequest, trees }: Rule): ReturnType<typeof openBaseTree> {
  const folder = dirname(existsSync(path) ? realpathSync(path) : path);
  const tree = trees.get(folder) ?? openBaseTree(path, pullRequest);
  trees.set(folder, tree);
  return tree;
}

/** The same for a file that is a program itself: every byte decides what it does. */
export function requireUnchanged(file: string, what: string): void {
  if (!isRestricted()) return;
  const path = resolve(file);
  const now = readWholeText(path);
  requireKnown(file, [{ what, runs: now }], (base) => [{ what, runs: base.read(path) ?? null }]);
}

/** The same for a file that a job may have made itself: what git does not know did not come with the pull request. */
export function requireUnchangedIfTracked(file: string, what: string): void {
  if (isRestricted() && !isUntracked(resolve(file))) requireUnchanged(file, what);
}

function tryAll(known: (base: BaseTree) => readonly Start[], base: BaseTree): readonly Start[] {
  try {
    return known(base);
  } catch {
    return [];
  }
}

const CONSEQUENCE = "Nothing was run.";
const MOST_SHOWN = 5;

function notKnown(file: string, strange: readonly Start[], { target }: PullRequest): SpoorError {
  const base = target === undefined ? "its base" : `its base, ${target},`;
  const few = strange.slice(0, MOST_SHOWN).map(shown);
  const more = strange.length > MOST_SHOWN ? ` and ${strange.length - MOST_SHOWN} more` : "";
  return new SpoorError(
    "trust.new-command",
    `This pull request brings what ${base} does not have: in ${placeOf(file)}, ${few.join("; ")}${more}.`,
    {
      at: { file: placeOf(file) },
      consequence: CONSEQUENCE,
      hint: "Merge it first in a change of its own, or, where whoever wrote the pull request is trusted, add --allow-commands to the command of the job (allow-commands: true of the action). What counts: docs/trust.md",
    },
  );
}

function noBase(file: string, starts: readonly Start[], problem: string, { system }: PullRequest): SpoorError {
  return new SpoorError(
    "trust.no-base",
    `${placeOf(file)} starts something (${shown(starts[0]!)}), and whether the base of this pull request (${system}) does so too cannot be seen: ${problem}.`,
    {
      at: { file: placeOf(file) },
      consequence: CONSEQUENCE,
      hint: "Fetch the base before (actions/checkout with fetch-depth: 2; elsewhere git fetch origin BRANCH), name it in SPOOR_BASELINE_COMMIT, or, where whoever wrote the pull request is trusted, add --allow-commands.",
    },
  );
}

const MOST_CHARACTERS = 160;

/** The command as it is written where there is nothing else; of a program's text, what it is says enough. */
function shown({ what, runs }: Start): string {
  if (typeof runs === "string") return what;
  const { command, ...rest } = runs as { readonly [key: string]: Json };
  const plain = typeof command === "string" && isEmpty(rest) ? command : canonicalJson(runs);
  return `${what}: ${plain.length > MOST_CHARACTERS ? `${plain.slice(0, MOST_CHARACTERS)}…` : plain}`;
}

function isEmpty(rest: { readonly [key: string]: Json }): boolean {
  return Object.values(rest).every((value) => canonicalJson(value) === "{}");
}

/** As the working folder sees it. */
function placeOf(file: string): string {
  const way = relative(process.cwd(), resolve(file));
  return way.startsWith("..") ? file : way;
}
