export interface MatrixProgram {
  readonly name: string;
  readonly packages: readonly string[];
  readonly variants: readonly string[];
  readonly kinds: readonly ("esm" | "cjs")[];
  /** Its tools are seen as they run, where a recorder is in the process. */
  readonly ran?: boolean;
}

export declare const programs: readonly MatrixProgram[];
