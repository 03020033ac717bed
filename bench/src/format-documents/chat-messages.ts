/** The shape of chat completions, in which many stores keep what was asked and answered. */
import type { Run } from "./run.ts";

export function chatCall(run: Run, n: number) {
  return { id: `c${n}`, type: "function", function: { name: "shell", arguments: run.text(run.input(n)) } };
}

export function chatAnswer(run: Run, n: number) {
  return { role: "assistant", content: null, tool_calls: [chatCall(run, n)] };
}

/** What the request of a turn carries: all that was said since the conversation's first turn. */
export function chatHistory(run: Run, first: number, n: number): unknown[] {
  const history: unknown[] = [
    { role: "system", content: "Take one step after the other." },
    { role: "user", content: `Go on from ${first}` },
  ];
  for (let turn = first; turn < n; turn++) {
    history.push(chatAnswer(run, turn), { role: "tool", tool_call_id: `c${turn}`, content: run.result });
  }
  return history;
}
