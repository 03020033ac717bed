/** Clients refuse to start without a key, also where nobody will look at it: one that opens nothing, for those that are not set. */

type Environment = Readonly<Record<string, string | undefined>>;

/** Each with the variables that do as well. */
const KEYS: readonly (readonly [name: string, ...others: string[]])[] = [
  ["OPENAI_API_KEY"],
  ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"],
  ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
  ["GOOGLE_GENERATIVE_AI_API_KEY"],
];

const PLACEHOLDER = "spoor-replay-opens-nothing";

export function placeholderKeys(env: Environment): Record<string, string> {
  const unset = KEYS.filter((names) => names.every((name) => !env[name]));
  return Object.fromEntries(unset.map(([name]) => [name, PLACEHOLDER]));
}
