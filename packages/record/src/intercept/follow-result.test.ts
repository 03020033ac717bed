import { describe, expect, it } from "vitest";
import { followResult } from "./follow-result.ts";

function followed(run: () => unknown) {
  const endings: unknown[] = [];
  const returned = followResult(
    { run },
    {
      returned: (output) => endings.push({ output }),
      threw: (error) => endings.push({ error }),
    },
  );
  return { returned, endings };
}

describe("a generator ends at its end", () => {
  it("with the last value it gave, and the caller gets them all", async () => {
    const { returned, endings } = followed(async function* () {
      yield "loading";
      yield { secret: 1 };
    });
    const got: unknown[] = [];
    for await (const value of returned as AsyncIterable<unknown>) {
      expect(endings).toEqual([]);
      got.push(value);
    }
    expect(got).toEqual(["loading", { secret: 1 }]);
    expect(endings).toEqual([{ output: { secret: 1 } }]);
  });

  it("with what it returns, when it returns something", () => {
    const { returned, endings } = followed(function* () {
      yield 1;
      return 2;
    });
    expect([...(returned as Iterable<unknown>)]).toEqual([1]);
    expect(endings).toEqual([{ output: 2 }]);
  });

  it("when its caller leaves it, and once", async () => {
    const { returned, endings } = followed(async function* () {
      yield 1;
      yield 2;
    });
    for await (const _value of returned as AsyncIterable<unknown>) break;
    await (returned as AsyncGenerator).return(undefined);
    expect(endings).toEqual([{ output: 1 }]);
  });

  it("with what it throws", async () => {
    const { returned, endings } = followed(async function* () {
      yield 1;
      throw new Error("no");
    });
    await expect(
      (async () => {
        for await (const _value of returned as AsyncIterable<unknown>);
      })(),
    ).rejects.toThrow("no");
    expect(endings).toEqual([{ error: new Error("no") }]);
  });

  it("also when a promise brings it, or an object that is iterated", async () => {
    async function* values() {
      yield 1;
      yield 2;
    }
    const promised = followed(async () => values());
    for await (const _value of (await promised.returned) as AsyncIterable<unknown>);
    const iterable = followed(() => ({ [Symbol.asyncIterator]: values }));
    for await (const _value of iterable.returned as AsyncIterable<unknown>);
    expect([promised.endings, iterable.endings]).toEqual([[{ output: 2 }], [{ output: 2 }]]);
  });
});

it("values, lists and maps end at once; promises when they are settled", async () => {
  expect(followed(() => [1, 2]).endings).toEqual([{ output: [1, 2] }]);
  expect(followed(() => new Map()).endings).toEqual([{ output: new Map() }]);
  const { returned, endings } = followed(async () => 7);
  expect(endings).toEqual([]);
  expect(await returned).toBe(7);
  expect(endings).toEqual([{ output: 7 }]);
  const failing = followed(async () => Promise.reject(new Error("no")));
  await expect(failing.returned).rejects.toThrow("no");
  expect(failing.endings).toEqual([{ error: new Error("no") }]);
});
