/** What threads are told and what they answer. */
import type { LoadOptions } from "../read-trace-file.ts";
import type { CarriedError } from "./carried-error.ts";

/** How a thread begins. */
export interface ThreadStart {
  /** Name of the reduction. */
  readonly reduction: string;
  readonly settings: unknown;
  readonly load: Pick<LoadOptions, "lenient" | "from">;
}

export interface Batch {
  readonly batch: number;
  readonly files: readonly string[];
}

export interface BatchReply {
  readonly batch: number;
  /** The keys of the traces, told apart within each file only. */
  readonly keys: readonly string[];
  /** What is left of each trace, or of all of them as one. */
  readonly results: readonly unknown[];
  /** Why a file could not be read or reduced; there are no results then. */
  readonly failure?: CarriedError;
}
