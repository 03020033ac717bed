import type { Trace } from "../trace/trace.ts";

/** The name people use for a trace: its entry inside a file, or the file's name without folder and ending. */
export function traceName({ id, source }: Trace): string {
  if (source.entry !== undefined) return source.entry;
  if (source.path === undefined) return id;
  if (source.path === "-") return "standard input";
  const file = source.path.split(/[\\/]/).at(-1)!;
  return file.replace(/(\.(agentlog|jsonl?|ndjson|gz|log|txt|pb))+$/i, "") || file;
}
