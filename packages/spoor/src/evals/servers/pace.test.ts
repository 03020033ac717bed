import { describe, expect, it } from "vitest";
import { createPace, type Passage, type Timing } from "./pace.ts";

/** A clock that only moves when it is told to. */
function fakeTime() {
  let now = 0;
  const timers = new Set<{ readonly at: number; readonly callback: () => void }>();
  const timing: Timing = {
    now: () => now,
    after(ms, callback) {
      const timer = { at: now + ms, callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },
  };
  const settle = async () => {
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
  };
  return {
    timing,
    settle,
    async to(time: number) {
      await settle();
      for (;;) {
        const [next] = [...timers].filter(({ at }) => at <= time).sort((left, right) => left.at - right.at);
        if (next === undefined) break;
        timers.delete(next);
        now = next.at;
        next.callback();
        await settle();
      }
      now = time;
    },
  };
}

const never = new AbortController().signal;

/** Requests that are let in, by the time they were. */
function visitors(count: number, tokens = 0) {
  const time = fakeTime();
  const pace = createPace(time.timing);
  const entered: { readonly at: number; readonly passage: Passage; readonly number: number }[] = [];
  const enter = (number: number) => {
    const ticket = pace.ticket(tokens);
    void pace.enter(ticket, never).then((passage) => entered.push({ at: time.timing.now(), passage, number }));
  };
  return { time, pace, entered, start: () => Array.from({ length: count }, (_, index) => enter(index)) };
}

describe("limits", () => {
  it("spreads requests evenly over the minute", async () => {
    const { time, pace, entered, start } = visitors(5);
    pace.limit({ rpm: 30 });
    start();
    await time.to(60_000);
    expect(entered.map(({ at }) => at)).toEqual([0, 2000, 4000, 6000, 8000]);
  });

  it("keeps to the strictest limit that anybody named", async () => {
    const { time, pace, entered, start } = visitors(3);
    pace.limit({ rpm: 60 });
    pace.limit({ rpm: 20 });
    pace.limit({ rpm: 600 });
    start();
    await time.to(60_000);
    expect(entered.map(({ at }) => at)).toEqual([0, 3000, 6000]);
  });

  it("lets no more tokens in than fit into a minute, and counts what was really used", async () => {
    const { time, pace, entered, start } = visitors(4, 400);
    pace.limit({ tpm: 1000 });
    start();
    await time.to(0);
    expect(entered).toHaveLength(2);
    // The first used 100 instead of 400: 100 + 400 + 400 fit.
    entered[0]!.passage.answered(100);
    await time.to(1000);
    expect(entered).toHaveLength(3);
    entered[1]!.passage.answered(400);
    entered[2]!.passage.answered(400);
    await time.to(59_999);
    expect(entered).toHaveLength(3);
    await time.to(60_000);
    expect(entered).toHaveLength(4);
  });

  it("lets a request in that is larger than the limit, alone", async () => {
    const { time, pace, entered, start } = visitors(2, 5000);
    pace.limit({ tpm: 1000 });
    start();
    await time.to(59_999);
    expect(entered).toHaveLength(1);
    await time.to(60_000);
    expect(entered).toHaveLength(2);
  });
});

describe("refusals", () => {
  it("lets nobody in before the time that the server named, however long that is", async () => {
    const { time, entered, start, pace } = visitors(1);
    start();
    await time.settle();
    entered[0]!.passage.refused(75_000, 1000);
    void pace
      .enter(pace.ticket(0), never)
      .then((passage) => entered.push({ at: time.timing.now(), passage, number: 1 }));
    await time.to(74_999);
    expect(entered).toHaveLength(1);
    await time.to(75_000);
    expect(entered).toHaveLength(2);
  });

  it("halves what goes at once, once for a burst, and adds one for every round of answers", async () => {
    const { time, entered, start, pace } = visitors(8);
    start();
    await time.settle();
    expect(pace.atOnce).toBe(Number.POSITIVE_INFINITY);
    for (const { passage } of entered) passage.refused(100, 1000);
    expect(pace.atOnce).toBe(4);
    expect(pace.refusals).toBe(1);
    const again = visitors(0);
    expect(again.pace.atOnce).toBe(Number.POSITIVE_INFINITY);
    const inside: Passage[] = [];
    for (let number = 0; number < 8; number++) void pace.enter(pace.ticket(0), never).then((one) => inside.push(one));
    await time.to(100);
    expect(inside).toHaveLength(4);
    for (const passage of inside.splice(0, 4)) passage.answered(undefined);
    await time.settle();
    // 4 + 1/4 + 1/4.25 + … is nearly 5 after four answers; the fifth makes it so.
    expect(pace.atOnce).toBeGreaterThan(4.9);
    expect(pace.atOnce).toBeLessThan(5);
    expect(pace.refusals).toBe(0);
  });

  it("waits longer each time where the server names no time", async () => {
    const { time, pace } = visitors(0);
    const pauses: number[] = [];
    let last = 0;
    const knock = async (): Promise<void> => {
      const passage = await pace.enter(pace.ticket(0), never);
      pauses.push(time.timing.now() - last);
      last = time.timing.now();
      passage.refused(undefined, 1000);
      if (pauses.length < 9) return knock();
    };
    void knock();
    await time.to(1_000_000);
    expect(pauses).toEqual([0, 1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
  });

  it("lets those in first who came first, also when they were refused", async () => {
    const { time, pace } = visitors(0);
    const order: string[] = [];
    const first = pace.ticket(0);
    const passage = await pace.enter(first, never);
    passage.refused(10, 10);
    void pace.enter(pace.ticket(0), never).then(() => order.push("second"));
    void pace.enter(first, never).then((one) => {
      order.push("first");
      one.answered(undefined);
    });
    await time.to(20);
    expect(order).toEqual(["first", "second"]);
  });
});

it("lets go of who does not want to wait any longer", async () => {
  const { time, pace } = visitors(0);
  pace.limit({ rpm: 1 });
  await pace.enter(pace.ticket(0), never);
  const stop = new AbortController();
  const waiting = pace.enter(pace.ticket(0), stop.signal);
  stop.abort(new Error("enough"));
  await expect(waiting).rejects.toThrow("enough");
  await expect(pace.enter(pace.ticket(0), AbortSignal.abort(new Error("too late")))).rejects.toThrow("too late");
  let isIn = false;
  void pace.enter(pace.ticket(0), never).then(() => {
    isIn = true;
  });
  await time.to(60_000);
  expect(isIn).toBe(true);
});
