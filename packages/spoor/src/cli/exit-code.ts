/** What the shell learns. When several hold, 2 beats 3 beats 1: without a verdict there is nothing to trip. */
export const exitCode = {
  ok: 0,
  gateTripped: 1,
  couldNotRun: 2,
  internal: 3,
} as const;
export type ExitCode = (typeof exitCode)[keyof typeof exitCode] | ChildExitCode;

/** The exit code of a program that a command stands in for: its caller wants that one, whatever it is. */
export type ChildExitCode = number & { readonly isOfChild: true };

/** What a shell expects after Ctrl-C. */
export const interruptedCode = childExitCode(130);

export function childExitCode(code: number): ChildExitCode {
  return code as ChildExitCode;
}
