import { expect, it } from "vitest";
import { createLater } from "./later.ts";

it("work waits until the writes of this turn are done, keeps its order, and one failure stops no other", async () => {
  const done: string[] = [];
  const later = createLater((error) => done.push(String(error)));
  later.do(() => {
    done.push("first");
    later.do(() => done.push("brought by the first"));
  });
  later.do(() => {
    throw new Error("no");
  });
  later.do(() => done.push("last"));
  process.nextTick(() => done.push("written"));
  done.push("handed on");
  await new Promise<void>((resolve) => setImmediate(resolve));
  expect(done).toEqual(["handed on", "written", "first", "Error: no", "last", "brought by the first"]);
});

it("what waits is done at once before the end", () => {
  const done: number[] = [];
  const later = createLater(() => undefined);
  later.do(() => done.push(1));
  later.flush();
  expect(done).toEqual([1]);
});
