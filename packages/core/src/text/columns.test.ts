import { expect, it } from "vitest";
import { columnsOf, foldName } from "./columns.ts";

it.each([
  ["reply", 14, ["reply"]],
  [
    "mcp__github__create_pull_request_review_comment",
    16,
    ["mcp__github__", "create_pull_", "request_review_", "comment"],
  ],
  ["createPullRequestReviewComment", 12, ["createPull", "Request", "Review", "Comment"]],
  ["server.tools/list-all.items", 12, ["server.", "tools/list-", "all.items"]],
  ["a name of several words", 10, ["a name of", "several", "words"]],
  ["abcdefghijklmnopqrstuvwxyz", 10, ["abcdefghij", "klmnopqrst", "uvwxyz"]],
  ["退款退款退款退款", 10, ["退款退款退", "款退款"]],
  ["", 10, [""]],
])("%s on lines of %i columns", (name, columns, lines) => {
  expect(foldName(name, columns)).toEqual(lines);
});

it("no line is wider than asked for, and a text without end is no page without end", () => {
  const lines = foldName("refund_é́".repeat(100_000), 9);
  expect(lines).toHaveLength(40);
  expect(lines.at(-1)).toBe("…");
  expect(Math.max(...lines.map(columnsOf))).toBeLessThanOrEqual(9);
});
