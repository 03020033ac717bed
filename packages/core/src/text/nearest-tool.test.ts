import { expect, it } from "vitest";
import { nearestTool } from "./nearest-tool.ts";

it.each([
  { tool: "webSearch", known: ["search", "web.webSearch"], expected: "web.webSearch" },
  { tool: "webSearch", known: ["mcp__web__web_search"], expected: "mcp__web__web_search" },
  { tool: "web/webSearch", known: ["Read", "webSearch"], expected: "webSearch" },
  { tool: "read_file", known: ["fs_read_file"], expected: "fs_read_file" },
  { tool: "lookup_ordr", known: ["refund", "lookup_order"], expected: "lookup_order" },
  { tool: "search", known: ["web.searching", "reply"], expected: undefined },
  { tool: "search", known: [], expected: undefined },
])("$tool among $known is $expected", ({ tool, known, expected }) => {
  expect(nearestTool(tool, known)).toBe(expected);
});
