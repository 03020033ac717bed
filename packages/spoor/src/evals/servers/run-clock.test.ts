import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createRunClock } from "./run-clock.ts";

function clock(timeoutMs: number, stop?: AbortSignal) {
  const made = createRunClock(timeoutMs, stop);
  onTestFinished(() => made.close());
  return made;
}

describe("the clock of a run", () => {
  it("fires with the first of its two reasons and says which it was", () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const stop = new AbortController();
    const [late, early] = [clock(1000, stop.signal), clock(10, stop.signal)];
    vi.advanceTimersByTime(10);
    expect([early.signal.aborted, early.isUp, late.signal.aborted, late.isUp]).toEqual([true, true, false, false]);
    expect(early.signal.reason).toMatchObject({ name: "AbortError" });
    stop.abort("stopped");
    expect([late.signal.reason, late.isUp]).toEqual(["stopped", false]);
    expect(early.signal.reason).toMatchObject({ name: "AbortError" });
  });

  it("has fired when everything was stopped before", () => {
    const made = clock(1000, AbortSignal.abort("before"));
    expect([made.signal.reason, made.isUp]).toEqual(["before", false]);
  });

  it("tells whoever runs it once, also afterwards", () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const stop = new AbortController();
    const made = clock(10, stop.signal);
    let told = 0;
    made.onEnd(() => told++);
    stop.abort("stopped");
    vi.advanceTimersByTime(10);
    expect([told, made.signal.reason]).toEqual([1, "stopped"]);
    made.onEnd(() => told++);
    expect(told).toBe(2);
  });

  it("leaves nothing behind on a signal that outlives it", () => {
    const stop = new AbortController();
    const made = clock(1000, stop.signal);
    made.close();
    stop.abort();
    expect(made.signal.aborted).toBe(false);
  });

  it("stands still while somebody waits, and everybody who waits has to go on", () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const made = clock(100);
    vi.advanceTimersByTime(60);
    const [goOn, other] = [made.pause(), made.pause()];
    vi.advanceTimersByTime(500);
    goOn();
    goOn();
    vi.advanceTimersByTime(500);
    expect(made.isUp).toBe(false);
    other();
    expect(made.correction()).toBe(-1000);
    vi.advanceTimersByTime(39);
    expect(made.isUp).toBe(false);
    vi.advanceTimersByTime(1);
    expect(made.isUp).toBe(true);
  });
});
