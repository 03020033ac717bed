/** How the agent is started and what its users say: with both, Spoor makes the runs itself (`spoor gate --run`). Pure. */
import { yamlScalar } from "./yaml-scalar.ts";

export interface AgentRun {
  /** As it is typed in a shell. */
  readonly command: string;
  /** Name → what the user says. */
  readonly scenarios: ReadonlyMap<string, string>;
}

/** Where the runs of today's agent are kept; committed. */
export const RECORDED_FOLDER = "recordings";

/** `damaged-item=The lamp is broken.`, or the sentence alone, which then names itself; undefined when a name stands there twice. */
export function readScenarios(words: readonly string[]): ReadonlyMap<string, string> | undefined {
  const scenarios = new Map<string, string>();
  for (const word of words) {
    const [, given, said] = /^([\w.-]+)=(.*)$/s.exec(word) ?? [];
    if (given !== undefined && scenarios.has(given)) return undefined;
    scenarios.set(given ?? freeName(word, scenarios), (said ?? word).trim());
  }
  return scenarios;
}

const MOST_WORDS = 4;

/** `where-is-order-a` of "Where is order A-7702?". */
function freeName(said: string, taken: ReadonlyMap<string, string>): string {
  const words = said.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const name = words.slice(0, MOST_WORDS).join("-") || "scenario";
  let free = name;
  for (let number = 2; taken.has(free); number++) free = `${name}-${number}`;
  return free;
}

/** The lines of `run:` in the configuration. */
export function renderRun({ command, scenarios }: AgentRun): string[] {
  return [
    "run:                          # `spoor gate --run` starts it once per scenario, which it reads from standard input",
    `  command: ${yamlScalar(command)}`,
    "  scenarios:",
    ...[...scenarios].map(([name, said]) => `    ${yamlScalar(name)}: ${yamlScalar(said)}`),
  ];
}
