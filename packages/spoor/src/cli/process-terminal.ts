import type { Terminal } from "../review/screen.ts";

/** Standard input and output as a screen; undefined where one of them is no terminal. */
export function processTerminal(): Terminal | undefined {
  const { stdin, stdout } = process;
  if (!stdin.isTTY || !stdout.isTTY) return undefined;
  return {
    size: () => ({ columns: stdout.columns ?? 80, rows: stdout.rows ?? 24 }),
    write: (text) => void stdout.write(text),
    setRaw(raw) {
      stdin.setRawMode(raw);
      if (raw) stdin.resume();
      else stdin.pause();
    },
    onInput(listener) {
      stdin.on("data", listener);
      return () => void stdin.off("data", listener);
    },
    onEnd(listener) {
      stdin.on("end", listener);
      return () => void stdin.off("end", listener);
    },
    onResize(listener) {
      stdout.on("resize", listener);
      return () => void stdout.off("resize", listener);
    },
  };
}
