/** What a reader makes of some content: records, and what it did not understand. */
import type { TraceRecord } from "./record.ts";
import type { TraceAssembler } from "./trace-assembler.ts";

/** One trace, before `buildTrace`. */
export interface ImportedTrace {
  readonly records: readonly TraceRecord[];
  /** Its name inside a file that holds several. */
  readonly entry?: string;
  /** What was not understood: type → how many. */
  readonly unknown?: Readonly<Record<string, number>>;
  /** Members that could not be used, each with its place; `unknown` counts them too. */
  readonly problems?: readonly string[];
  readonly notes?: readonly string[];
  /** Where the reader handed each record on as it came: it has taken all of `records`, unless those were exchanged since. */
  readonly assembler?: TraceAssembler;
}
