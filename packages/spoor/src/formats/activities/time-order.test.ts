import { buildTrace } from "@spoor/core";
import { UnknownCounter } from "@spoor/core/internal/providers/count-unknown";
import { expect, it } from "vitest";
import type { Activity, Did } from "./activity.ts";
import { recordsOfActivities } from "./records.ts";

/** `id`, what it did, start and end in nanoseconds, what it stands inside. */
type Row = readonly [id: string, did: Did, start?: bigint | undefined, end?: bigint | undefined, parentId?: string];

function pathOf(rows: readonly Row[]): string {
  const activities = rows.map(([id, did, start, end, parentId]): Activity => ({ id, did, start, end, parentId }));
  const records = recordsOfActivities(activities, {}, new UnknownCounter());
  return buildTrace(records ?? [])
    .steps.map(({ target }) => target)
    .join(" ");
}

function model(name: string, ...calls: string[]): Did {
  const parts = calls.map((call) => ({ type: "tool_use", id: `${call}-1`, name: call, input: {} }));
  return { kind: "model", request: { messages: [] }, reply: { parts }, responseModel: name };
}

const tool = (name: string, callId?: string): Did => ({ kind: "tool", name, callId });
const step = (name: string): Did => ({ kind: "step", name, category: "step" });
const agent: Did = { kind: "agent", name: "boss" };

it.each<{ name: string; rows: Row[]; path: string }>([
  {
    name: "a tool that starts in the nanosecond of the model call around it",
    rows: [
      ["c", model("m"), 10n, 90n],
      ["t", tool("search"), 10n, 20n, "c"],
    ],
    path: "m search",
  },
  {
    name: "the same with the child first in the file, and an agent around both",
    rows: [
      ["t", tool("search"), 10n, 20n, "c"],
      ["c", model("m"), 10n, 90n, "a"],
      ["a", agent, 10n, 99n],
    ],
    path: "m search",
  },
  {
    name: "one tool after the other in the millisecond that the clock tells, with durations that are finer",
    rows: [
      ["a", tool("lookup"), 5_000_000n, 5_900_000n],
      ["b", tool("refund"), 5_000_000n, 5_020_000n],
    ],
    path: "lookup refund",
  },
  {
    name: "two tools of such a clock that began together, of which one took longer",
    rows: [
      ["a", tool("slow"), 5_000_000n, 9_100_000n],
      ["b", tool("quick"), 5_000_000n, 6_020_000n],
    ],
    path: "quick slow",
  },
  {
    name: "two tools of a fine clock that began together",
    rows: [
      ["a", tool("slow"), 5_000_001n, 5_900_000n],
      ["b", tool("quick"), 5_000_001n, 5_020_000n],
    ],
    path: "quick slow",
  },
  {
    name: "a tool beside the model call that asks for it",
    rows: [
      ["t", tool("search", "search-1"), 10n, 20n, "a"],
      ["c", model("m", "search"), 10n, 90n, "a"],
      ["a", agent, 10n, 99n],
    ],
    path: "m search",
  },
  {
    name: "a step inside a tool inside a model call, all at once",
    rows: [
      ["s", step("lookup"), 10n, 11n, "t"],
      ["t", tool("search"), 10n, 20n, "c"],
      ["c", model("m"), 10n, 90n],
    ],
    path: "m search lookup",
  },
  {
    name: "a tool that took no time and the next model call",
    rows: [
      ["c", model("m"), 1n, 5n],
      ["d", model("n"), 10n, 20n],
      ["t", tool("search"), 10n, 10n],
    ],
    path: "m search n",
  },
  {
    name: "no clocks, children before their parents in the file",
    rows: [
      ["t", tool("search"), undefined, undefined, "c"],
      ["c", model("m")],
      ["u", tool("fetch"), undefined, undefined, "d"],
      ["d", model("n")],
    ],
    path: "m search n fetch",
  },
  {
    name: "one clock missing",
    rows: [
      ["t", tool("search"), 10n, 20n, "c"],
      ["c", model("m")],
    ],
    path: "m search",
  },
])("$name: $path", ({ rows, path }) => {
  expect(pathOf(rows)).toBe(path);
});
