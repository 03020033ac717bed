/** A model that follows a list of turns, for agents with a shell. The turn is how many calls the history already holds. */
import type { Asked, Model, ScriptCall } from "./said.ts";

/** What the model does in its n-th turn: commands for the agent's shell, calls of any tool, or the final words. */
export type ScriptTurn =
  | { readonly commands: readonly string[] }
  | { readonly calls: readonly ScriptCall[] }
  | { readonly text: string };

/** `others`: the scripts of sub-agents, by a word of the task they are given. */
export function scripted(
  script: readonly ScriptTurn[],
  others: Readonly<Record<string, readonly ScriptTurn[]>> = {},
): Model {
  return (asked) => {
    const own = Object.entries(others).find(([word]) => asked.userTexts.some((text) => text.includes(word)));
    const turn = turnOf(own?.[1] ?? script, asked);
    const usage = { fresh: 90, cached: 10, output: 20 };
    return "text" in turn ? { calls: [], text: turn.text, usage } : { calls: callsOf(turn, asked), usage };
  };
}

function turnOf(script: readonly ScriptTurn[], asked: Asked): ScriptTurn {
  // Small side questions, such as a title for the session, come without the shell.
  if (!asked.tools.some((tool) => shells[tool] !== undefined)) return { text: "Title" };
  let calls = 0;
  for (const turn of script) {
    if (calls >= asked.callsSoFar) return turn;
    calls += callsOf(turn, asked).length;
  }
  return script.at(-1)!;
}

/** How each agent's shell is called. */
export const shells: Readonly<Record<string, (command: string) => object>> = {
  Bash: (command) => ({ command, description: "Run it" }),
  bash: (command) => ({ command, description: "Run it" }),
  exec_command: (cmd) => ({ cmd }),
  shell: (command) => ({ command: ["bash", "-lc", command] }),
};

function callsOf(turn: ScriptTurn, { tools }: Asked): readonly ScriptCall[] {
  if ("calls" in turn) return turn.calls;
  if ("text" in turn) return [];
  const name = tools.find((tool) => shells[tool] !== undefined)!;
  return turn.commands.map((command) => ({ name, input: shells[name]!(command) }));
}
