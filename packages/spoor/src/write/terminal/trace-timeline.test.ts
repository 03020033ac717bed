import type { TraceRecord } from "@spoor/core";
import { buildRunView } from "@spoor/core/internal/report/run-view";
import { buildTrace } from "@spoor/core/internal/trace/build-trace";
import { expect, it } from "vitest";
import { createTerminalStyle } from "./terminal-style.ts";
import { renderTimeline } from "./trace-timeline.ts";

const style = createTerminalStyle({ columns: 80, color: false, program: "spoor", ascii: true });
/** More than a function can be called with. */
const MANY = 150_000;

it("shows a turn with more calls than a function has arguments", () => {
  const content = Array.from({ length: MANY }, (_, index) => ({ type: "tool_use", id: `${index}`, name: "save" }));
  const shown = renderTimeline(
    buildRunView(buildTrace([{ kind: "chat_response", payload: { content } }])),
    { title: "Log" },
    style,
  );
  expect(shown.split("\n").filter((line) => line.includes("save"))).toHaveLength(MANY);
});

it("shows as many calls before the first turn", () => {
  const records: TraceRecord[] = Array.from({ length: MANY }, (_, index) => ({
    kind: "tool_call",
    payload: { tool_name: "save", tool_call_id: `${index}`, arguments: {} },
  }));
  const shown = renderTimeline(buildRunView(buildTrace(records)), { title: "Log" }, style);
  expect(shown.split("\n").filter((line) => line.includes("save"))).toHaveLength(MANY);
});

it.each([
  [{ file_path: "/home/ann/projects/shop/src/cart/total.ts", content: "x" }, 'file_path ".../cart/total.ts"'],
  [{ file_path: "C:\\Users\\ann\\projects\\shop\\src\\total.ts", content: "x" }, 'file_path "...\\src\\total.ts"'],
  [{ path: "/src/total.ts", content: "x".repeat(80) }, 'path "/src/total.ts", content'],
  [{ note: "/ or not, a sentence is cut at its end as ever" }, '"/ or not, a sentence is cut'],
])("keeps the end of a path that leads the arguments: %j", (input, expected) => {
  const content = [{ type: "tool_use", id: "1", name: "Write", input }];
  const records: TraceRecord[] = [{ kind: "chat_response", payload: { content } }];
  const shown = renderTimeline(buildRunView(buildTrace(records)), { title: "Log" }, style);
  expect(shown.split("\n").find((line) => line.includes("Write"))).toContain(expected);
});
