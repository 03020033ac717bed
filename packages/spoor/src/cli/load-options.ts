import type { ReduceOptions } from "../load/threads/reduce-traces.ts";
import type { CommonValues } from "./command.ts";
import type { Io } from "./io.ts";
import { usageError } from "./option.ts";

/** How the common options ask for inputs to be read; a progress line on a terminal when there are many files. */
export function loadOptions(args: CommonValues, io: Io): ReduceOptions {
  const showProgress = io.stderrIsTerminal && !args.quiet && !io.env["CI"];
  let shown = 0;
  return {
    lenient: args.lenient,
    stdin: io.stdin,
    threads: threadsOf(io),
    ...(args.from === undefined ? {} : { from: args.from }),
    ...(showProgress
      ? {
          onFile(_file: string, index: number, total: number) {
            const now = io.now().getTime();
            if (total < 20 || (index < total - 1 && now - shown < 200)) return;
            shown = now;
            io.err(index === total - 1 ? "\r\u001b[K" : `\rreading ${index + 1} of ${total}`);
          },
        }
      : {}),
  };
}

/** `SPOOR_THREADS`, or as many as the machine has cores. */
function threadsOf({ env }: Io): number | "cores" {
  const wanted = env["SPOOR_THREADS"];
  if (!wanted) return "cores";
  if (/^[1-9]\d?$/.test(wanted)) return Number(wanted);
  throw usageError(
    `SPOOR_THREADS is "${wanted}"; it must be a whole number from 1 to 99.`,
    "Unset it, or set it to 1 to read everything in one thread.",
  );
}
