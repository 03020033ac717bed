/** What parts of this benchmark measured and the capacity table is made of, by engine. */
import type { StoreEngine } from "@spoor/server/internal/store/engine/engine";

type ByEngine<T> = { [kind in StoreEngine["kind"]]?: T };

export interface ServerFigures {
  /** Processor time to take a recording. */
  readonly ingestMs: ByEngine<number>;
  readonly evaluationMs: ByEngine<number>;
  /** Of one run on the disk; the body is what retention drops. */
  readonly bytes: ByEngine<{ readonly body: number; readonly all: number }>;
}

export function createServerFigures(): ServerFigures {
  return { ingestMs: {}, evaluationMs: {}, bytes: {} };
}
