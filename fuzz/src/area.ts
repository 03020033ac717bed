/** A part of the tool that is fed damaged files: what it is fed, and how one of them is put through it. */
import type { Seed } from "./mutate/mutate.ts";

export interface Area {
  readonly name: string;
  /** What is damaged, and what has to stand it. */
  readonly about: string;
  /** How many of a thousand inputs are this area's. */
  readonly share: number;
  /** `scratch` is an empty folder of its own. */
  open(scratch: string): Promise<OpenArea>;
}

export interface OpenArea {
  readonly seeds: readonly Seed[];
  /**
   * Puts one file through. `choice` is any whole number: which command, which format. Gives "result", or the code of a typed
   * error; whatever else is thrown is a defect.
   */
  drive(input: FuzzInput): Promise<string>;
}

export interface FuzzInput {
  /** The seed's name. */
  readonly seed: string;
  readonly bytes: Buffer;
  readonly choice: number;
}

export const RESULT = "result";
