import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createLocalBell } from "./engine/bell.ts";
import { type WorkWhenRung, workWhenRung } from "./work-when-rung.ts";

let work: WorkWhenRung | undefined;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(async () => {
  await work?.stop();
  work = undefined;
  vi.useRealTimers();
});

/** Rounds that wait until the test lets them end, with what they are said to have done. */
function start() {
  const bell = createLocalBell();
  const ends: ((done: number) => void)[] = [];
  const fails: ((error: unknown) => void)[] = [];
  const errors: unknown[] = [];
  work = workWhenRung({
    bell,
    topic: "events",
    onError: (error) => errors.push(error),
    round: () =>
      new Promise((resolve, reject) => {
        ends.push(resolve);
        fails.push(reject);
      }),
  });
  /** Everything that can happen without the clock has happened. */
  const settle = () => vi.advanceTimersByTimeAsync(0);
  return { bell, ends, fails, errors, settle, work };
}

it("a ring while a round is at work is remembered: the next round begins at once", async () => {
  const { bell, ends, settle } = start();
  bell.ring("events");
  await settle();
  ends[0]!(0);
  await settle();
  expect(ends).toHaveLength(2);
  ends[1]!(0);
  await settle();
  expect(ends).toHaveLength(2);
  bell.ring("events");
  await settle();
  expect(ends).toHaveLength(3);
  ends[2]!(0);
});

it("goes on while there is something to do, hears its own topic alone, and looks again when no bell came", async () => {
  const { bell, ends, settle } = start();
  ends[0]!(3);
  await settle();
  expect(ends).toHaveLength(2);
  ends[1]!(0);
  bell.ring("inbox");
  await settle();
  expect(ends).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(ends).toHaveLength(3);
  ends[2]!(0);
});

it("tells of a round that failed and tries again later, not at once", async () => {
  const { fails, ends, errors, settle } = start();
  fails[0]!(new Error("the store is away"));
  await settle();
  expect(errors).toEqual([new Error("the store is away")]);
  expect(ends).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(ends).toHaveLength(2);
  ends[1]!(0);
});

it("is idle when a round that began after the question found nothing", async () => {
  const { ends, settle, work } = start();
  const heard = vi.fn();
  void work.idle().then(heard);
  // It may have looked before that came which the question is about.
  ends[0]!(0);
  await settle();
  expect(heard).not.toHaveBeenCalled();
  ends[1]!(5);
  await settle();
  expect(heard).not.toHaveBeenCalled();
  ends[2]!(0);
  await settle();
  expect(heard).toHaveBeenCalledOnce();
});

it("stops after the round at hand, and leaves nobody waiting", async () => {
  const { bell, ends, settle, work } = start();
  const idle = work.idle();
  const stopped = work.stop();
  ends[0]!(7);
  await stopped;
  await idle;
  await work.idle();
  bell.ring("events");
  await settle();
  expect(ends).toHaveLength(1);
});
