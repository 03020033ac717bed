/** A case of several turns for an agent that can take only one is refused before anything is run. */
import { SpoorError } from "@spoor/core/internal/errors";
import type { EvalCase } from "../eval-suite.ts";
import type { Target } from "../load-targets.ts";

export function requireConversation(
  { id, conversation, at }: EvalCase,
  { name, providerName, provider }: Target,
): void {
  if (conversation === undefined || provider.converse !== undefined || provider.isRecorded) return;
  throw new SpoorError(
    "eval.no-conversation",
    `Case "${id}" is a conversation, and target ${name} (provider ${providerName}) takes one question at a time.`,
    { at, consequence: "Nothing was run.", hint: HINTS[providerName] ?? HINT },
  );
}

const HINT = "Run it with a model, codex, claude, copilot, function, http, mock or replay.";
const HINTS: Readonly<Record<string, string>> = {
  cli: "A command that reads {MESSAGES_FILE}, the conversation so far as JSON, can hold one; so can the providers codex, claude and copilot.",
  http: "A body of your own must send {{ messages }}, the conversation so far.",
};
