/** Programs that read no variable and have to be told where the proxy is. What is added is shown; `--no-adapt` leaves it out. */
import { basename } from "node:path";

export interface AdaptedCommand {
  readonly command: readonly string[];
  /** The words that were added, for the summary. */
  readonly added: readonly string[];
}

export function adaptCommand(command: readonly string[], proxyUrls: Readonly<Record<string, string>>): AdaptedCommand {
  const at = indexOfCodex(command);
  const url = proxyUrls["OPENAI_BASE_URL"];
  if (at < 0 || url === undefined || setsBaseUrl(command.slice(at + 1))) return { command, added: [] };
  const added = ["-c", `openai_base_url=${JSON.stringify(url)}`];
  return { command: [...command.slice(0, at + 1), ...added, ...command.slice(at + 1)], added };
}

const LAUNCHERS: ReadonlySet<string> = new Set([
  "npx",
  "npm",
  "pnpm",
  "yarn",
  "bunx",
  "node",
  "env",
  "exec",
  "x",
  "dlx",
]);

/** `codex …`, `npx codex …`, `npx -y @openai/codex@latest …`, `node path/to/codex.js …`, `env A=b codex …`. */
function indexOfCodex(command: readonly string[]): number {
  for (const [index, word] of command.entries()) {
    const name = basename(word).replace(/\.(js|mjs|cjs|cmd|exe)$/i, "");
    if (name === "codex" || /^@openai\/codex(@.*)?$/.test(word) || /^codex@/.test(name)) return index;
    // Beyond launchers, their options and assignments stands the program itself, which is another one.
    if (!LAUNCHERS.has(name) && !word.startsWith("-") && !/^\w+=/.test(word)) return -1;
  }
  return -1;
}

function setsBaseUrl(words: readonly string[]): boolean {
  return words.some((word) => /openai_base_url\s*=/.test(word));
}
