export interface MatrixCase {
  readonly name: string;
  readonly words: string;
  readonly stream: boolean;
  readonly abort?: boolean;
}

export declare const cases: readonly MatrixCase[];
