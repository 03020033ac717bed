/** One command line in this process, and what came of it: a result or the code of a typed error. */
import { runInMemory } from "spoor/internal/cli/run-in-memory";
import { RESULT } from "./area.ts";
import { BrokenPromise } from "./broken-promise.ts";

export interface CommandCase {
  readonly words: readonly string[];
  readonly cwd: string;
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Run it again: the answer must be the same, byte for byte. */
  readonly twice?: boolean;
}

export const formats = ["terminal", "json", "markdown", "html", "plain", "junit", "sarif", "ctrf", "github"] as const;

export async function runCommand({ words, cwd, stdin, env, twice = false }: CommandCase): Promise<string> {
  // Paths of traces are those of the process, as they are for whoever types them.
  process.chdir(cwd);
  const options = { cwd, env: { HOME: cwd, XDG_STATE_HOME: cwd, ...env }, ...(stdin === undefined ? {} : { stdin }) };
  const run = await runInMemory(words, options);
  const line = `spoor ${words.join(" ")}`;
  if (run.err.includes("this is a bug")) throw new BrokenPromise(`${line}\n${run.err}`);
  if (![0, 1, 2, 3].includes(run.code)) throw new BrokenPromise(`${line} ended with ${run.code}`);
  checkOutput(line, words, run.out, run.code);
  if (twice) {
    const again = await runInMemory(words, options);
    if (again.out !== run.out || again.code !== run.code)
      throw new BrokenPromise(`${line} answers differently the second time`);
  }
  return run.code < 2 ? RESULT : codeOf(run.err, line);
}

const JSON_FORMATS = new Set(["json", "sarif", "ctrf"]);
const LEAKED = /\[object Object\]|\bundefined\b/;

function checkOutput(line: string, words: readonly string[], out: string, code: number): void {
  const format = words[words.indexOf("--format") + 1] ?? "terminal";
  if (words.includes("--format") && JSON_FORMATS.has(format) && out !== "") requireJson(line, out);
  if (code < 2 && LEAKED.test(out) && !words.includes("--full"))
    throw new BrokenPromise(`${line} prints ${LEAKED.exec(out)![0]}`);
}

function requireJson(line: string, out: string): void {
  try {
    JSON.parse(out);
  } catch (error) {
    throw new BrokenPromise(`${line} prints no JSON: ${(error as Error).message}`);
  }
}

/** The last line of an error names its code. A verdict that is no pass and no failure has none. */
function codeOf(err: string, line: string): string {
  const code = /(?:^| )([a-z0-9-]+\.[a-z0-9.-]+) +exit code [23]$/m.exec(err)?.[1];
  if (code === undefined && /\n {4}at /.test(err)) throw new BrokenPromise(`${line} shows a stack\n${err}`);
  return code ?? "not_evaluated";
}
