/** Limits on what is held, on how fast it comes, and on how much is unpacked at once. */
import { describe, expect, it } from "vitest";
import { waitOf } from "./busy.ts";
import { createHeldBodies } from "./held-bodies.ts";
import { createRate } from "./rate.ts";
import { createTurns } from "./turns.ts";

const busy = expect.objectContaining({ code: "ingest.busy" });

describe("bodies that are held", () => {
  it("are so many at most, and a place is free again when one is done", () => {
    const held = createHeldBodies({ requests: 2, heldBytes: 100 });
    const first = held.enter();
    held.enter();
    expect(() => held.enter()).toThrow(busy);
    first.leave();
    expect(() => held.enter()).not.toThrow();
    expect(held.requests).toBe(2);
  });

  it("are so large at most together, but one alone always fits", () => {
    const held = createHeldBodies({ requests: 10, heldBytes: 100 });
    const first = held.enter();
    first.add(60);
    const second = held.enter();
    second.add(30);
    expect(() => second.add(20)).toThrow(busy);
    first.leave();
    second.add(500);
    expect(held.bytes).toBe(530);
    expect(() => held.enter()).toThrow(busy);
    second.leave();
    expect(held.bytes).toBe(0);
  });
});

describe("a rate", () => {
  it("lets a burst through, then as many as come in the time, and says how long to wait", () => {
    let now = 1_000_000;
    const rate = createRate({ perSecond: 4, burst: 3 }, () => now);
    for (let index = 0; index < 3; index++) rate.take("a");
    let refusal: unknown;
    try {
      rate.take("a");
    } catch (error) {
      refusal = error;
    }
    expect(refusal).toEqual(busy);
    // One in a quarter of a second.
    expect(waitOf(refusal as never)).toBe(0.25);
    now += 250;
    rate.take("a");
    expect(() => rate.take("a")).toThrow(busy);
    rate.take("b");
    now += 60_000;
    for (let index = 0; index < 3; index++) rate.take("a");
    expect(() => rate.take("a")).toThrow(busy);
  });

  it("is not refilled by a clock that was set back", () => {
    let now = 1_000_000;
    const rate = createRate({ perSecond: 1, burst: 1 }, () => now);
    rate.take("a");
    now -= 500_000;
    expect(() => rate.take("a")).toThrow(busy);
  });
});

it("turns are taken in order, so many at once, also after one failed", async () => {
  const turns = createTurns(2);
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const work = (index: number, fails = false) =>
    turns(
      () =>
        new Promise<void>((resolve, reject) => {
          begun.push(index);
          ends[index] = () => (fails ? reject(new Error("no")) : resolve());
        }),
    ).catch(() => undefined);
  const all = [work(0, true), work(1), work(2), work(3)];
  expect(begun).toEqual([0, 1]);
  ends[0]!();
  await all[0];
  await Promise.resolve();
  expect(begun).toEqual([0, 1, 2]);
  ends[1]!();
  await all[1];
  await Promise.resolve();
  expect(begun).toEqual([0, 1, 2, 3]);
  ends[2]!();
  ends[3]!();
  await Promise.all(all);
});
