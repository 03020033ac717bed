/** The conversation of a case, read: what the user says, who says the rest, and when it ends at the latest. */
import type { Json } from "@spoor/core";
import type { EvaluatorConfig } from "@spoor/core/internal/evaluators/evaluation";
import { evaluatorList } from "@spoor/core/internal/evaluators/evaluator-list";
import type { Located } from "@spoor/core/internal/read/located";
import { evaluators } from "../evaluators/evaluators.ts";
import { type FileFinder, parseInput } from "../parse-input.ts";
import { DEFAULT_MAX_TURNS, simulatedUserShape, turnShape } from "./conversation-fields.ts";
import type { ConversationPlan, SimulatedUser } from "./conversation-plan.ts";

export interface ReadConversation {
  readonly plan: ConversationPlan;
  /** What single turns are expected to do. */
  readonly lists: readonly { readonly written: Json; readonly configs: readonly EvaluatorConfig[] }[];
}

interface WrittenConversation {
  readonly id: string;
  readonly turns?: Located;
  readonly simulatedUser?: Located;
  readonly maxTurns?: number;
  /** The input of the case is the first thing the user says. */
  readonly opensWithUser: boolean;
}

/** Undefined when the case is a single question. `fill` puts variables in. */
export function readConversation(
  at: Located,
  { id, turns, simulatedUser, maxTurns, opensWithUser }: WrittenConversation,
  fill: (value: Json) => Json,
  findFile: FileFinder,
): ReadConversation | undefined {
  if (turns === undefined && simulatedUser === undefined) {
    if (maxTurns !== undefined)
      at.note("max_turns has no effect: the case has neither turns nor a simulated_user.", "max_turns");
    return undefined;
  }
  if (turns !== undefined && !Array.isArray(turns.value)) turns.wrong("a list of turns");
  else if (turns !== undefined && turns.items().length === 0) turns.misshapen("there is no turn in the list.");
  const read = (turns?.items() ?? []).map((turn, index) =>
    readTurn(turn, index + (opensWithUser ? 2 : 1), fill, findFile),
  );
  const user = simulatedUser === undefined ? undefined : readUser(simulatedUser.with(fill(simulatedUser.value)), id);
  return {
    plan: {
      turns: read.map(({ messages }) => messages),
      ...(user === undefined ? {} : { user }),
      maxTurns: maxTurns ?? (user === undefined ? read.length + (opensWithUser ? 1 : 0) : DEFAULT_MAX_TURNS),
    },
    lists: read.flatMap(({ lists }) => lists),
  };
}

function readTurn(at: Located, number: number, fill: (value: Json) => Json, findFile: FileFinder) {
  const read = turnShape.read(at);
  if (read === undefined) return { messages: [], lists: [] };
  const said = typeof read === "string" ? at : read.input;
  const messages = parseInput(said.with(fill(said.value)), findFile);
  const place = typeof read === "string" ? undefined : (read.evaluators ?? read.assertions ?? read.assert);
  if (place === undefined) return { messages, lists: [] };
  const configs = (entryShape.read(place) ?? []).map(
    (config): EvaluatorConfig => ({ ...config, name: `turn ${number}: ${config.name}`, turn: config.turn ?? number }),
  );
  return { messages, lists: [{ written: place.value, configs }] };
}

const entryShape = evaluatorList(evaluators);

function readUser(at: Located, id: string): SimulatedUser | undefined {
  const read = simulatedUserShape.read(at);
  if (read === undefined) return undefined;
  const { target, command, goal, persona } = read;
  if (goal === undefined && persona === undefined && command === undefined)
    return at.problem(`simulated_user of case "${id}" needs a goal or a persona: without one there is nobody to play.`);
  if (target !== undefined && command !== undefined)
    return at.problem(`simulated_user of case "${id}" has a target and a command: one of them plays the user.`);
  if (target !== undefined) return { ...read, by: { target } };
  if (command !== undefined) return { ...read, by: { command } };
  return at.problem(
    `simulated_user of case "${id}" needs a target (a model of the targets file) or a command that plays the user; "defaults" of the file may name one for all cases.`,
  );
}
