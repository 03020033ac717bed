import type { LoadOptions } from "../load/read-trace-file.ts";
import type { CommonValues } from "./command.ts";
import type { Io } from "./io.ts";

/** How the common options ask for inputs to be read; a progress line on a terminal when there are many files. */
export function loadOptions(args: CommonValues, io: Io): LoadOptions {
  const showProgress = io.stderrIsTerminal && !args.quiet && !io.env["CI"];
  let shown = 0;
  return {
    lenient: args.lenient,
    stdin: io.stdin,
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
