/**
 * The time a run may take. Waiting for one's turn at a server is nobody's doing: it neither uses up the time nor counts as duration,
 * and an answer from the cache counts with the time it took when it was made.
 */
export interface RunClock {
  /** Fires when the time is up, or when everything is stopped, for that reason. */
  readonly signal: AbortSignal;
  /** Whether the time is up. */
  readonly isUp: boolean;
  /** Called once the signal fires, or at once if it has; for whoever runs the clock, who needs no signal for it. */
  onEnd(listener: () => void): void;
  /** Stops the clock; the answer lets it go on. */
  pause(): () => void;
  /** Time that passed elsewhere. */
  add(ms: number): void;
  /** What must be added to a duration on the wall. */
  correction(): number;
  close(): void;
}

/** `stop` ends it as well. */
export function createRunClock(timeoutMs: number, stop?: AbortSignal): RunClock {
  return new MachineClock(timeoutMs, stop);
}

/**
 * One controller and one listener for both reasons to end. What `AbortSignal.any` makes of a signal that lives as long as the whole suite
 * stays with that signal until the garbage is collected; thousands of runs make that most of the garbage there is.
 */
class MachineClock implements RunClock {
  isUp = false;
  /** Makes its signal when somebody asks: most canned answers never do, and it costs as much as reading them. */
  private readonly controller = new AbortController();
  private listener: (() => void) | undefined;
  private hasEnded = false;
  private readonly stop: AbortSignal | undefined;
  private left: number;
  private since = performance.now();
  private pauses = 0;
  private added = 0;
  private timer: NodeJS.Timeout;

  constructor(timeoutMs: number, stop: AbortSignal | undefined) {
    this.left = timeoutMs;
    this.stop = stop;
    if (stop?.aborted) this.onStop();
    else stop?.addEventListener("abort", this.onStop);
    this.timer = this.start();
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  pause(): () => void {
    if (this.pauses++ === 0) {
      clearTimeout(this.timer);
      this.left -= performance.now() - this.since;
      this.since = performance.now();
    }
    let paused = true;
    return () => {
      if (!paused) return;
      paused = false;
      if (--this.pauses > 0) return;
      this.added -= performance.now() - this.since;
      this.since = performance.now();
      this.timer = this.start();
    };
  }

  add(ms: number): void {
    this.added += ms;
  }

  correction(): number {
    return this.added;
  }

  close(): void {
    clearTimeout(this.timer);
    this.stop?.removeEventListener("abort", this.onStop);
  }

  onEnd(listener: () => void): void {
    if (this.hasEnded) listener();
    else this.listener = listener;
  }

  private readonly onStop = () => this.end(this.stop!.reason);

  private start(): NodeJS.Timeout {
    return setTimeout(
      () => {
        this.isUp = true;
        this.end();
      },
      Math.max(0, this.left),
    );
  }

  private end(reason?: unknown): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    this.controller.abort(reason);
    this.listener?.();
  }
}
