/** Everything a model was given and wrote; what it was given from a cache is counted apart from the rest. */
export function totalTokens(usage: {
  readonly input: number;
  readonly output: number;
  readonly cached?: number | undefined;
}): number {
  return usage.input + usage.output + (usage.cached ?? 0);
}
