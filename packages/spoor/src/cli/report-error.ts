/** What was thrown → what is printed, and an exit code. User mistakes become readable errors; our own keep their stack. */
import { SpoorError } from "@spoor/core/internal/errors";
import { hideForeignText } from "../load/hide-foreign-text.ts";
import { toAscii } from "../write/terminal/ascii.ts";
import { renderError } from "../write/terminal/error.ts";
import { type ExitCode, exitCode, interruptedCode } from "./exit-code.ts";
import { type Io, styleOf } from "./io.ts";
import { shieldCommands } from "./shield-commands.ts";
import { systemRefusal } from "./system-refusal.ts";

/** No verdict, though nothing was asked wrongly. */
const NO_VERDICT: ReadonlySet<string> = new Set(["run.failed", "run.budget"]);

function exitCodeOf({ code }: SpoorError): ExitCode {
  if (code === "run.interrupted") return interruptedCode;
  return NO_VERDICT.has(code) ? exitCode.internal : exitCode.couldNotRun;
}

export function reportError(thrown: unknown, words: readonly string[], io: Io): ExitCode {
  const error = thrown instanceof SpoorError ? thrown : (systemRefusal(thrown, io.cwd) ?? thrown);
  const style = styleOf(
    io,
    { ascii: words.includes("--ascii") || undefined, color: words.includes("--no-color") ? false : undefined },
    "stderr",
  );
  if (error instanceof SpoorError) {
    const code = exitCodeOf(error);
    const text = renderError(hideForeignText(error, io), code, style);
    io.err(shieldCommands(style.ascii ? toAscii(text) : text, io));
    return code;
  }
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const text = `${style.symbols.failed} Spoor itself failed; this is a bug, and no verdict was reached.\n${detail}\nexit code ${exitCode.internal}\n`;
  io.err(shieldCommands(text, io));
  return exitCode.internal;
}
