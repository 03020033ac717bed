/**
 * Runs the command that is recorded: the terminal is the command's own, signals reach it, and what it exits with is what the
 * shell learns.
 */
import { spawn } from "node:child_process";
import { constants } from "node:os";
import { cannotStart } from "../record-errors.ts";

export interface ChildOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A person sits before it: what is typed on the terminal reaches the child without us. */
  readonly onTerminal: boolean;
}

export interface ChildEnd {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

/** Sent to a process by others; the terminal sends the first two to everyone in front of it. */
const TERMINAL_SIGNALS = ["SIGINT", "SIGQUIT"] as const;
const PASSED_SIGNALS = [...TERMINAL_SIGNALS, "SIGTERM", "SIGHUP", "SIGUSR2"] as const;

export function runChild([program, ...args]: readonly string[], options: ChildOptions): Promise<ChildEnd> {
  const { cwd, env, onTerminal } = options;
  return new Promise((resolve, reject) => {
    const child = spawn(program!, args, { cwd, env: env as NodeJS.ProcessEnv, stdio: "inherit" });
    const passOn = (signal: NodeJS.Signals) => {
      // Ctrl-C is already on its way to the child; twice would end programs that ask first.
      if (!(onTerminal && (TERMINAL_SIGNALS as readonly string[]).includes(signal))) child.kill(signal);
    };
    for (const signal of PASSED_SIGNALS) process.on(signal, passOn);
    const done = () => {
      for (const signal of PASSED_SIGNALS) process.off(signal, passOn);
    };
    child.once("error", (error) => {
      // An error after the start, such as a signal that could not be sent, is no end.
      if (child.pid !== undefined) return;
      done();
      reject(cannotStart(program!, error));
    });
    child.once("exit", (exitCode, signal) => {
      done();
      resolve({ exitCode, signal });
    });
  });
}

/** What a shell says of it: the exit code, or 128 and the number of the signal. */
export function shellCode({ exitCode, signal }: ChildEnd): number {
  if (signal === null) return exitCode ?? 0;
  return 128 + (constants.signals[signal as NodeJS.Signals] ?? 0);
}
