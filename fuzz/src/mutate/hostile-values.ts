/** What stands where something else is expected: wrong types, edges of numbers and times, names that objects have of their own. */
import type { Json } from "@spoor/core";

export const hostileValues: readonly Json[] = [
  ...[null, true, false, 0, -1, -0, 0.5, 1e308, -1e308, 5e-324, 2 ** 53, 2n ** 63n, -(2n ** 64n), 10n ** 400n],
  ...[
    "",
    " ",
    "x",
    "12",
    "-3",
    "1e999",
    "[]",
    "{}",
    "null",
    "NaN",
    "Infinity",
    "attachment://x",
    "../../../x",
    "\\",
    "/",
  ],
  ...[[], {}, [null], [[]], [{}], [1, "2"], { type: "text" }, { type: "tool_use" }, { role: "assistant" }],
  ...[
    { content: null },
    { constructor: 1, toString: 2 },
    "2026-02-30T99:99:99Z",
    "1969-12-31T23:59:59Z",
    -1e9,
    -0.5,
    "-271821-04-20T00:00:00Z",
    "\u0000\u202e",
  ],
  // Each of these was once taken for something else: half a character, a marker of our own, a pattern, a command.
  ...[
    "\ud800",
    "\udc00x",
    "a\u2028b",
    "\ue000spoor-bigint:007",
    "(a+)+$",
    "*a*a*a*b",
    ["$", "{HOME}"].join(""),
    "{{ x }}",
    "::error::x",
  ],
  { toString: 1, valueOf: 2, constructor: 3 },
  JSON.parse('{"__proto__": {"polluted": true}, "hasOwnProperty": 1}') as Json,
];

/** An object that has no text: whatever makes a text or a number of it throws. */
export const unspeakable: Json = { toString: 1, valueOf: 2, constructor: 3 };
