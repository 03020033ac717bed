/** How a case says that it is a conversation: turns that are written down, a user who is played, or both one after the other. */
import { evaluatorList } from "@spoor/core/internal/evaluators/evaluator-list";
import { later, list, oneOf, record } from "@spoor/core/internal/read/collections";
import { optional, preset, required } from "@spoor/core/internal/read/field";
import { type Fields, mapping, type ValuesOf } from "@spoor/core/internal/read/mapping";
import { choice, filledText, integer, json, text } from "@spoor/core/internal/read/scalars";
import { evaluators } from "../evaluators/evaluators.ts";

/** More would be a slip of the keyboard, or two models that thank each other for ever. */
const MAX_TURNS = 1000;
export const DEFAULT_MAX_TURNS = 20;
export const DEFAULT_STOP = "###STOP###";

const entries = later(evaluatorList(evaluators));

/** What is said in a turn, and what is expected of the answer to it. */
export const turnShape = oneOf(
  text,
  mapping(
    "a turn",
    {
      input: required(later(oneOf(text, list(json), record(json))), "what the user says: a text, or messages", {
        alias: ["user", "content", "message"],
      }),
      evaluators: optional(entries, "what the agent must do before the next turn"),
      assertions: optional(entries, "another word for evaluators"),
      assert: optional(entries, "another word for evaluators"),
      expectedOutput: optional(json, "a good answer, for people"),
    },
    { emptyIsAbsent: true },
  ),
);

export const simulatedUserFields = {
  persona: optional(filledText, "who the user is and how they talk"),
  goal: optional(filledText, "what the user wants, and what they know", {
    alias: ["instruction", "instructions", "scenario"],
  }),
  firstMessage: optional(filledText, "what they say first; without it, they find their own words"),
  stop: preset(filledText, DEFAULT_STOP, "what they say when the conversation is over"),
  target: optional(filledText, "the target that plays the user: a model, or anything that answers"),
  command: optional(
    oneOf(filledText, list(text, { min: 1 })),
    "or a command that reads the conversation as JSON and prints what the user says next",
  ),
} satisfies Fields;
export const simulatedUserShape = mapping("simulated_user", simulatedUserFields, {
  emptyIsAbsent: true,
});
export type WrittenUser = ValuesOf<typeof simulatedUserFields>;

export const conversationFields = {
  mode: optional(choice(["conversation"]), "says what turns say already"),
  turns: optional(later(list(turnShape, { min: 1 })), "what the user says, turn by turn", { alias: "conversation" }),
  simulatedUser: optional(later(simulatedUserShape), "a user who is played, after the turns if there are some"),
  maxTurns: optional(
    integer({ min: 1, max: MAX_TURNS }),
    "at most so many turns of the user; by default all that are written down, or 20 of one who is played",
  ),
} satisfies Fields;
