import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createMasks } from "./masks.ts";

const masks = createMasks({ folders: [{ kind: "work", path: "/srv/app/" }], mask: ["n-[0-9]+"] });

it.each([
  ["id 6f1c2d3e-0000-4aaa-8bbb-123456789abc.", "id [uuid]."],
  ["on 2026-11-15 at noon", "on [time] at noon"],
  ["2026-11-15T04:00:00.123Z!", "[time]!"],
  ["2026-11-15 04:00:00+01:00", "[time]"],
  ["at 23:59:59 sharp", "at [time] sharp"],
  ["since 1794715200 s, 1794715200123 ms", "since [epoch] s, [epoch] ms"],
  ["/tmp/agent-x8GzQ1/in", "[temp]/in"],
  ["/var/folders/ab/cd1/T/agent-x8GzQ1/in", "[temp]/in"],
  ["/home/ann/notes and /Users/ann", "[home]/notes and [home]"],
  ["C:\\Users\\ann\\notes", "[home]\\notes"],
  ["/srv/app/src and /srv/app-2", "[work]/src and /srv/app-2"],
  ["n-17", "[masked]"],
  // What only looks like it stays.
  [
    "version 2026-13-01, 12:34, order_1794715200, 17947152001",
    "version 2026-13-01, 12:34, order_1794715200, 17947152001",
  ],
  ["/tmp/reports/a.txt", "/tmp/reports/a.txt"],
  ["phone 555-1234", "phone 555-1234"],
])("%s", (text, masked) => {
  expect(masks.text(text)).toBe(masked);
});

describe("values", () => {
  it("are the very same where nothing is masked", () => {
    const value = { a: [1, "x", { b: null }] };
    expect(masks.json(value)).toBe(value);
  });

  it("have times as numbers too", () => {
    expect(masks.json({ s: 1_794_715_200, ms: 1_794_715_200_123, n: 1_794_715, big: 9e15 })).toEqual({
      s: "[epoch]",
      ms: "[epoch]",
      n: 1_794_715,
      big: 9e15,
    });
  });
});

it("masks what is masked no further", () => {
  const piece = fc.constantFrom(
    ...[
      "2026-11-15",
      "T04:00:00Z",
      "1794715200",
      "/tmp/agent-x8GzQ1",
      "/home/ann",
      "6f1c2d3e-0000-4aaa-8bbb-123456789abc",
    ],
    ...["/srv/app", "n-17", " ", "-", "1", "a", "/", "[", "]", ":"],
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const once = masks.text(pieces.join(""));
      expect(masks.text(once)).toBe(once);
    }),
    { numRuns: 500 },
  );
});
