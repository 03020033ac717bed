import type { Json, JsonObject } from "@spoor/core";

/** A file of golden cases: its head (everything but the cases) and its path, for messages only. */
export interface VectorFile {
  readonly path: string;
  readonly head: JsonObject;
}

/**
 * Runs the cases of one shape. An adapter is chosen by what a case looks like, never by the name of its file: files are
 * renamed, merged and added freely.
 */
export interface Adapter {
  readonly name: string;
  matches(testCase: JsonObject, file: VectorFile): boolean;
  run(testCase: JsonObject, file: VectorFile): Outcome | Promise<Outcome>;
}

export type Outcome =
  | { readonly status: "passed" }
  | { readonly status: "skipped"; readonly reason: string }
  | { readonly status: "failed"; readonly mismatches: readonly Mismatch[] };

export interface Mismatch {
  readonly path: string;
  readonly expected: Json | undefined;
  readonly actual: Json | undefined;
}
