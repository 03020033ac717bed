/** Which cases of the files were to be run, and why the others were not: silence about them would look like a pass. */
export interface EvalSelection {
  /** Cases of all files. */
  readonly of: number;
  readonly chosen: number;
  /** Cases that say `skip`; a text is their reason. */
  readonly skipped: readonly { readonly id: string; readonly why?: string }[];
  /** Cases that say `only`, and where: one that stays behind keeps all others from being run. */
  readonly only: readonly { readonly id: string; readonly file?: string; readonly line?: number }[];
  readonly filter?: string;
  readonly tags?: readonly string[];
  readonly sample?: { readonly size: number; readonly seed: number };
  readonly shard?: Shard;
}

/** The part of the cases that one of several machines runs, from 1. */
export interface Shard {
  readonly index: number;
  readonly of: number;
}
