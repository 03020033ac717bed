/**
 * The world as a command sees it: where to print, how wide and colourful, what the environment says. Commands write only
 * through this, so that tests can run them in memory.
 */
import type { Readable } from "node:stream";
import type { Terminal } from "../review/screen.ts";
import { createTerminalStyle, type TerminalStyle } from "../write/terminal/terminal-style.ts";

export interface Io {
  readonly cwd: string;
  /** How the tool was started, for commands to paste: `npx spoor`. */
  readonly program: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: Readable;
  /** True when a person sits in front of it: questions may be asked. */
  readonly interactive: boolean;
  readonly stdoutIsTerminal: boolean;
  readonly stderrIsTerminal: boolean;
  readonly columns: number;
  /** For what takes the whole screen; absent where there is none. */
  readonly terminal?: Terminal;
  /** Results. */
  out(text: string): void;
  /** Beside what is printed, the report itself: in whatever form it has a writer for. */
  onReport?(report: unknown, print: (format: string) => Promise<string>): Promise<void>;
  /** Everything else: progress, notices, errors. */
  err(text: string): void;
  now(): Date;
}

/** Whether nobody is there to answer for what is written. */
export function isCi({ env }: Pick<Io, "env">): boolean {
  const word = env["CI"];
  return Boolean(word) && word !== "false" && word !== "0";
}

export interface StyleChoice {
  readonly color?: boolean | undefined;
  readonly ascii?: boolean | undefined;
}

/** Colour and symbols for standard output, by the options, the environment and the terminal, in this order. */
export function styleOf(io: Io, choice: StyleChoice = {}, stream: "stdout" | "stderr" = "stdout"): TerminalStyle {
  const isTerminal = stream === "stdout" ? io.stdoutIsTerminal : io.stderrIsTerminal;
  const { env } = io;
  const dumb = env["TERM"] === "dumb";
  const colourAllowed = isTerminal && !env["NO_COLOR"] && !dumb && !(env["CI"] && !env["FORCE_COLOR"]);
  return createTerminalStyle({
    columns: isTerminal ? Math.max(40, io.columns) : 80,
    color: choice.color ?? (env["FORCE_COLOR"] && !env["NO_COLOR"] ? true : colourAllowed),
    program: io.program,
    ascii: choice.ascii ?? (dumb || !isUtf8Locale(env)),
  });
}

function isUtf8Locale(env: Io["env"]): boolean {
  const locale = env["LC_ALL"] || env["LC_CTYPE"] || env["LANG"] || "";
  // Without any locale (containers, CI) UTF-8 is the sane guess; an explicit other charset is respected.
  if (locale === "" || /utf-?8/i.test(locale)) return true;
  return !/^(C|POSIX)$|\.|iso|latin/i.test(locale);
}
