/** Why a response ended, in the words of `.agentlog`; words nobody knows pass through. */
const WORDS: ReadonlyMap<string, string> = new Map([
  ["stop", "end_turn"],
  ["completed", "end_turn"],
  ["complete", "end_turn"],
  ["finish", "end_turn"],
  ["end_turn", "end_turn"],
  ["tool_calls", "tool_use"],
  ["tool_call", "tool_use"],
  ["function_call", "tool_use"],
  ["tool_use", "tool_use"],
  ["length", "max_tokens"],
  ["max_tokens", "max_tokens"],
  ["content_filter", "content_filter"],
  ["safety", "content_filter"],
  ["stop_sequence", "stop_sequence"],
  ["error", "error"],
]);

/**
 * Gemini and some telemetry say "stop" also when the answer is a tool call; a response that asks for a tool has not
 * ended the conversation, so that is `tool_use`. No reason stays no reason.
 */
export function stopReason(reason: string | undefined, asksForTool: boolean): string | undefined {
  if (reason === undefined || reason === "") return undefined;
  const word = WORDS.get(reason.toLowerCase().replaceAll("-", "_")) ?? reason;
  return word === "end_turn" && asksForTool ? "tool_use" : word;
}
