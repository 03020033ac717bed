/** An area that does everything that no part of Spoor may do, where a text says so. Only the test of the watch asks for it. */
import { type Area, RESULT } from "./area.ts";
import { readSeed } from "./mutate/mutate.ts";

const held: unknown[] = [];

/** All of one length: seeds are picked by their size. */
const deeds: Readonly<Record<string, () => unknown>> = {
  HANGS() {
    for (;;) held.length = 0;
  },
  HOARD() {
    for (;;) held.push(Buffer.alloc(32 * 1024 ** 2, 1));
  },
  HEAPS() {
    for (;;) held.push(Array.from({ length: 100_000 }, (_, index) => ({ index })));
  },
  WAITS: () => new Promise((resolve) => setInterval(() => held.length > 0 && resolve(0), 1_000)),
  THROW() {
    throw new TypeError("planted");
  },
};

const planted: Area = {
  name: "planted",
  about: "what no part may do",
  share: 1_000,
  open: async () => ({
    seeds: Object.keys(deeds).map((deed) => readSeed(`${deed}.json`, Buffer.from(JSON.stringify([1, deed])))),
    async drive({ bytes }) {
      const text = bytes.toString("utf8");
      for (const [deed, run] of Object.entries(deeds)) if (text.includes(deed)) await run();
      return RESULT;
    },
  }),
};

export const areas: readonly Area[] = [planted];
export const areaOf = () => planted;
