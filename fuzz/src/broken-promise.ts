/** Something that came out wrong though nothing was thrown: text that is not what its format says, two answers to one question. */
export class BrokenPromise extends Error {
  override readonly name = "BrokenPromise";
}
