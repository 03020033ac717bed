import type { MatrixCase } from "./cases.mjs";

export declare function promptOf(name: string, kind: string, variant: string, one: MatrixCase): string;
