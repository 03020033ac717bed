/** What is used of the optional package, said here so that the build does not need it. */
declare module "fzstd" {
  export class Decompress {
    constructor(ondata: (data: Uint8Array, final?: boolean) => void);
    push(chunk: Uint8Array, final?: boolean): void;
  }
}
