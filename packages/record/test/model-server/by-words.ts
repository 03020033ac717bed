/**
 * A model that is told by words of the user's text what to do, so that one server serves every case:
 *
 *   (none)    one call of a tool, then the final words   · TEXT     the final words at once
 *   PARALLEL  two calls in one answer                    · ROUNDS3  so many answers with calls before the final words
 *   SUBAGENT  starts two sub-agents, by the tool there is for it
 *
 * and by `troubleOf` how the answer is spoiled:
 *
 *   FLAKY429, FLAKY500  the first try of every request fails · FAIL500  every try · FAIL400  as not retried by clients
 *   CUT    the connection is destroyed half-way · HANG  half of the answer, then silence until the client leaves
 *   ERROR  the stream ends with an error event  · GZIP  a compressed body · SLOW  a pause between events
 */
import type { Asked, Model, ScriptCall } from "./said.ts";
import { shells } from "./script.ts";

export const byWords: Model = (asked) => {
  const calls = callsOf(asked);
  return {
    calls,
    ...(calls.length > 0 ? {} : { text: FINAL_WORDS }),
    // Every answer of a conversation has numbers of its own, so that none can be taken for another.
    usage: { fresh: 20 + 3 * asked.historyLength, cached: 4, output: 7 + 2 * calls.length },
  };
};

/** Not plain ASCII: a cut may fall inside a character. */
export const FINAL_WORDS = "The weather is fine — ☀ done.";

export interface Trouble {
  readonly status?: 400 | 429 | 500;
  /** Only the first try of the request. */
  readonly once?: true;
  readonly breaks?: "cut" | "hang" | "error";
  readonly gzip?: true;
  readonly slow?: true;
}

export function troubleOf({ userTexts }: Asked): Trouble {
  const has = (word: string) => userTexts.some((text) => new RegExp(`\\b${word}\\b`).test(text));
  const status = ([400, 429, 500] as const).find((code) => has(`FAIL${code}`) || has(`FLAKY${code}`));
  const breaks = (["cut", "hang", "error"] as const).find((word) => has(word.toUpperCase()));
  return {
    ...(status === undefined ? {} : { status }),
    ...(status !== undefined && has(`FLAKY${status}`) ? { once: true } : {}),
    ...(breaks === undefined ? {} : { breaks }),
    ...(has("GZIP") ? { gzip: true } : {}),
    ...(has("SLOW") ? { slow: true } : {}),
  };
}

function callsOf({ userTexts, tools, callsSoFar }: Asked): readonly ScriptCall[] {
  const has = (word: string) => userTexts.some((text) => text.includes(word));
  const each = has("PARALLEL") || has("SUBAGENT") ? 2 : 1;
  const rounds = Number(userTexts.join(" ").match(/ROUNDS(\d)/)?.[1] ?? 1);
  if (has("TEXT") || tools.length === 0 || callsSoFar >= each * rounds) return [];
  const starter = has("SUBAGENT") ? tools.find((name) => starters[name] !== undefined) : undefined;
  if (starter !== undefined) return [1, 2].map((part) => ({ name: starter, ...starters[starter]!(part) }));
  const name = PREFERRED.find((one) => tools.includes(one)) ?? tools[0]!;
  return CITIES.slice(0, each).map((city, index) => ({
    name,
    input: shells[name]?.(`echo ${city}`) ?? { city, days: callsSoFar + index + 1 },
  }));
}

const CITIES = ["Oslo", "Roma 🌍"];
const PREFERRED = ["get_weather", ...Object.keys(shells)];

/** The tools by which agents start sub-agents. */
const starters: Readonly<Record<string, (part: number) => Omit<ScriptCall, "name">>> = {
  Agent: (part) => ({ input: { description: `part ${part}`, prompt: task(part), subagent_type: "general-purpose" } }),
  Task: (part) => ({ input: { description: `part ${part}`, prompt: task(part), subagent_type: "general-purpose" } }),
  spawn_agent: (part) => ({ input: { message: task(part) }, namespace: "multi_agent_v1" }),
};

function task(part: number): string {
  return `Look after part ${part} of the work`;
}
