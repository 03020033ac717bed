import { expect, it } from "vitest";
import { retryAfterMs } from "./retry-after.ts";

const NOW = Date.parse("2026-11-16T08:00:00Z");

it.each([
  [{ "retry-after": "2" }, 2000],
  [{ "retry-after": "75" }, 75_000],
  [{ "retry-after": "0" }, 0],
  [{ "retry-after": "1.5" }, 1500],
  [{ "retry-after": "Mon, 16 Nov 2026 08:01:15 GMT" }, 75_000],
  [{ "retry-after": "Monday, 16-Nov-26 08:00:05 GMT" }, 5000],
  [{ "retry-after": "Mon, 16 Nov 2026 07:00:00 GMT" }, 0],
  [{ "retry-after-ms": "250", "retry-after": "1" }, 250],
  [{ "retry-after-ms": "soon", "retry-after": "3" }, 3000],
  [{ "retry-after": "-5" }, undefined],
  [{ "retry-after": "" }, undefined],
  [{ "retry-after": "later" }, undefined],
  [{}, undefined],
])("reads %j", (headers, ms) => {
  expect(retryAfterMs(new Headers(headers), NOW)).toBe(ms);
});
