/** A command line without a process around it: what it prints is returned. For tests and conformance, which run hundreds. */
import { Readable } from "node:stream";
import type { ExitCode } from "./exit-code.ts";
import { runCommandLine } from "./run-command-line.ts";

export interface InMemoryOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  /** A terminal of this width; absent: none. */
  readonly columns?: number;
}

export interface InMemoryRun {
  readonly code: ExitCode;
  readonly out: string;
  readonly err: string;
}

/** The clock stands still. */
export async function runInMemory(words: readonly string[], options: InMemoryOptions = {}): Promise<InMemoryRun> {
  const { cwd = process.cwd(), env = {}, stdin = "", columns } = options;
  let out = "";
  let err = "";
  const code = await runCommandLine(words, {
    cwd,
    program: "spoor",
    env,
    stdin: Readable.from(stdin === "" ? [] : [Buffer.from(stdin)]),
    interactive: false,
    stdoutIsTerminal: columns !== undefined,
    stderrIsTerminal: false,
    columns: columns ?? 80,
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    now: () => new Date(0),
  });
  return { code, out, err };
}
