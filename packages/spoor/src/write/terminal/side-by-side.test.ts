import type { CallView, TimelineRow } from "@spoor/core/internal/diff/timeline";
import { expect, it } from "vitest";
import { sideBySide } from "./side-by-side.ts";
import { createTerminalStyle } from "./terminal-style.ts";

const QUERY = "select customer, amount from orders where status = 'open' and total > ";
const REPLY = "I have looked at your three open orders and will now send back exactly ";
const RESULT = "customer 4711, Maria Lopez Example, segment gold, opened 2019, balance ";

function written(row: TimelineRow, how: { whole?: true }): string[] {
  const timeline = { rows: [row], omitted: { rows: 0, changed: 0 } };
  return sideBySide({ kind: "side_by_side", timeline, ...how }, 0, createTerminalStyle({ columns: 80 }));
}

const call = (total: number, balance: number): CallView => ({
  name: "run_sql",
  input: { sql: QUERY + total, limits: { rows: 10 } },
  output: RESULT + balance,
});

it("shows what long arguments and results differ in, not what they have in common", () => {
  const row: TimelineRow = {
    kind: "changed",
    baseline: { turnIndex: 0, calls: [call(100, 40)], text: "" },
    candidate: { turnIndex: 0, calls: [call(900, 89)], text: "" },
    calls: {
      arguments: [
        {
          tool: "run_sql",
          baselineCall: 0,
          candidateCall: 0,
          path: "sql",
          baseline: QUERY + 100,
          candidate: QUERY + 900,
        },
      ],
      argumentsOmitted: 0,
      dropped: [],
      added: [],
      reordered: false,
    },
  };
  const lines = written(row, { whole: true });
  expect(lines.find((line) => line.includes("* sql"))).toMatch(/"….*> 100" +\* sql +"….*> 900"$/);
  expect(lines.find((line) => line.includes("balance"))).toMatch(/"….*balance 40" +\* \S+ "….*balance 89"$/);
  expect(lines.find((line) => line.includes("limits.rows"))).toMatch(/10 +limits\.rows +10$/);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
});

it("shows what two long replies differ in", () => {
  const turn = (amount: number) => ({ turnIndex: 1, calls: [], text: `${REPLY}${amount} EUR.` });
  const lines = written({ kind: "reworded", baseline: turn(40), candidate: turn(89) }, {});
  expect(lines.at(-1)).toMatch(/"….*exactly 40 EUR\." +2 ~ "….*exactly 89 EUR\."$/);
});

it("tells calls of one tool apart when they change places, or when one of them is gone", () => {
  const looks = (...ids: number[]) => ids.map((id) => ({ name: "look", input: { id } }));
  const changes = { arguments: [], argumentsOmitted: 0, dropped: [], added: [], reordered: false };
  const row = (before: CallView[], now: CallView[]) => ({
    kind: "changed" as const,
    baseline: { turnIndex: 0, calls: before, text: "" },
    candidate: { turnIndex: 0, calls: now, text: "" },
  });
  const turned = written({ ...row(looks(1, 2, 3), looks(1, 3, 2)), calls: { ...changes, reordered: true } }, {});
  expect(turned.slice(1).map((line) => line.replace(/ +/g, " "))).toEqual([
    "1 * look 1 * look",
    " look look",
    " id 2 id 3",
    " look look",
    " id 3 id 2",
  ]);
  const fewer = written({ ...row(looks(1, 2), looks(1)), calls: { ...changes, dropped: ["look"] } }, {});
  expect(fewer.slice(1).map((line) => line.replace(/ +/g, " "))).toEqual(["1 * look 1 * look", " look", " id 2"]);
});
