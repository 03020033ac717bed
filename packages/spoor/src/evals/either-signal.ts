/**
 * A signal that fires with the first of two, for as long as somebody cares. What `AbortSignal.any` makes of a signal that lives as long as
 * the whole suite stays with that signal until the garbage is collected; thousands of runs make that most of the garbage there is.
 */
export interface EitherSignal {
  readonly signal: AbortSignal;
  /** Nobody listens any more. */
  close(): void;
}

export function eitherSignal(one: AbortSignal, other: AbortSignal): EitherSignal {
  const controller = new AbortController();
  const sources = [one, other];
  const fire = ({ target }: Event) => controller.abort((target as AbortSignal).reason);
  const fired = sources.find((source) => source.aborted);
  if (fired !== undefined) controller.abort(fired.reason);
  else for (const source of sources) source.addEventListener("abort", fire, { once: true });
  return {
    signal: controller.signal,
    close() {
      for (const source of sources) source.removeEventListener("abort", fire);
    },
  };
}
