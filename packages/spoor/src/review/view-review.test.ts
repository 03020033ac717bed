import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { recordsOf, type TurnSpec } from "../../../core/test/build.ts";
import { temporaryFolder } from "../../test/e2e/run-spoor.ts";
import { loadConfig } from "../config/load-config.ts";
import { writeAgentlog } from "../formats/agentlog.ts";
import { runGateWithTraces } from "../gate/run-gate.ts";
import { columnsOf } from "../write/terminal/layout.ts";
import { createTerminalStyle } from "../write/terminal/terminal-style.ts";
import { parseKeys } from "./keys.ts";
import { openReview, type ReviewMaterial } from "./review-cards.ts";
import { pressKey, type ReviewItem, startReview } from "./review-state.ts";
import { viewReview } from "./view-review.ts";

const example = fileURLToPath(new URL("../../../../examples/refund", import.meta.url));

async function materialIn(folder: string): Promise<ReviewMaterial> {
  const loaded = await loadConfig(join(folder, "spoor.config.yaml"), folder);
  const here = process.cwd();
  process.chdir(folder);
  try {
    const run = await runGateWithTraces(loaded, { cwd: folder, env: {}, now: new Date(0), load: {} });
    const material = openReview(run, loaded, folder);
    for (const [at, card] of material.cards.entries()) for (const one of card.runs.keys()) material.runOf(at, one);
    return material;
  } finally {
    process.chdir(here);
  }
}

function refunds(): Promise<ReviewMaterial> {
  const folder = temporaryFolder();
  cpSync(example, folder, { recursive: true });
  return materialIn(folder);
}

/** Two runs that differ as told, as one project. */
function project(before: TurnSpec[], now: TurnSpec[]): Promise<ReviewMaterial> {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "spoor.config.yaml"), "traces: now\ndiff: { baseline: before, failOn: minor }\n");
  for (const [side, turns] of Object.entries({ before, now })) {
    mkdirSync(join(folder, side));
    writeFileSync(join(folder, side, "run.agentlog"), writeAgentlog(recordsOf(turns)));
  }
  return materialIn(folder);
}

interface Look {
  readonly columns?: number;
  readonly rows?: number;
  readonly ascii?: boolean;
  readonly color?: boolean;
}

function screen(material: ReviewMaterial, keys: string, { columns = 80, rows = 40, ...look }: Look = {}): string[] {
  const items = material.cards.map(
    (card): ReviewItem => ({
      runs: card.runs.length,
      words: card.rules.map(({ id }) => id).join(" "),
      rules: card.rules.filter(({ blocks }) => blocks).map(({ id }) => id),
      onlyRules: card.onlyRules,
      own: true,
      refused: [],
    }),
  );
  const style = createTerminalStyle({ columns, ...look });
  let state = startReview(items);
  for (const key of parseKeys(keys)) state = pressKey(state, key, viewReview(state, material, style, rows));
  return [...viewReview(state, material, style, rows).lines];
}
const text = (lines: readonly string[]) =>
  `\n${lines
    .map((line) => line.trimEnd())
    .join("\n")
    .trimEnd()}\n`;

describe("the screen", () => {
  it("shows a card with its rule, its paths, arguments and results, and what decisions write", async () => {
    expect(text(screen(await refunds(), "", { rows: 60 }))).toMatchInlineSnapshot(`
      "
      support_agent: 1 change; nothing is written yet

      > ✗ 1  issue_refund runs without confirm_refund_amount before it       2 tickets
          Runs         ticket-1042 and ticket-1044
          Breaks       ✗ confirm-before-refund (policies/refunds.yaml:4): issue_refund
                       runs without confirm_refund_amount before it, in 2 runs
                       ! large-refund (policies/refunds.yaml:10): issue_refund is
                       called with refund.amount > 75, in 1 run
          New path     lookup_order > issue_refund > reply, closest to refund
          If accepted  changes baseline/ticket-1042.agentlog,
                       baseline/ticket-1044.agentlog, baselines/support_agent.json;
                       adds spoor.decisions.jsonl
                       confirm-before-refund goes on blocking, unless it is taken out
                       when you are asked (changes policies/refunds.yaml)
          If rejected  changes baselines/support_agent.json; adds
                       evals/regressions.yaml, spoor.decisions.jsonl

          baseline  lookup_order > confirm_refund_amount > issue_refund
          now       lookup_order > --------------------- > issue_refund

          ticket-1042, the first of 2
          baseline                               candidate
          1 ~ lookup_order                       1 ~ lookup_order
          2 - confirm_refund_amount                  (no such turn)
                order_id  "A-7731"
                amount    40
                currency  "EUR"
                → confirmed  true
                → amount     40
                → currency   "EUR"
          3 * issue_refund                       2 * issue_refund
                order_id         "A-7731"              order_id         "A-7731"
              * refund.amount    40                  * refund.amount    89
                refund.currency  "EUR"                 refund.currency  "EUR"
              * reason           "damaged item"      * reason           "customer ups…
                → refund_id  "R-7731"                  → refund_id  "R-7731"
              * → amount     40                      * → amount     89
                → currency   "EUR"                     → currency   "EUR"
          4 ~ "Thank you for confirming. I ha…"  3 ~ "I am so sorry about this. I ha…"




















      j k card  Enter runs  a accept  r reject  s skip  u undo  w write  q quit
      "
    `);
  });

  it("stacks both sides where there is no room for two, in ASCII", async () => {
    expect(text(screen(await refunds(), "", { columns: 60, rows: 44, ascii: true }))).toMatchInlineSnapshot(`
      "
      support_agent: 1 change; nothing is written yet

      > X 1  issue_refund runs without confirm_refun...  2 tickets
          Runs         ticket-1042 and ticket-1044
          Breaks       X confirm-before-refund
                       (policies/refunds.yaml:4): issue_refund
                       runs without confirm_refund_amount before
                       it, in 2 runs
                       ! large-refund (policies/refunds.yaml:10):
                       issue_refund is called with refund.amount >
                       75, in 1 run
          New path     lookup_order > issue_refund > reply,
                       closest to refund
          If accepted  changes baseline/ticket-1042.agentlog,
                       baseline/ticket-1044.agentlog,
                       baselines/support_agent.json; adds
                       spoor.decisions.jsonl
                       confirm-before-refund goes on blocking,
                       unless it is taken out when you are asked
                       (changes policies/refunds.yaml)
          If rejected  changes baselines/support_agent.json; adds
                       evals/regressions.yaml,
                       spoor.decisions.jsonl

          baseline  lookup_order > confirm_refund_amount >
          now       lookup_order > --------------------- >
                    issue_refund
                    issue_refund

          ticket-1042, the first of 2
          1 ~ lookup_order
          baseline
            2 - confirm_refund_amount
                  order_id  "A-7731"
                  amount    40
                  currency  "EUR"
                  -> confirmed  true
                  -> amount     40
                  -> currency   "EUR"
          baseline
            3 * issue_refund
        ... 18 more lines, PgDn

      j k card  Enter runs  a accept  r reject  s skip  u undo
      "
    `);
  });

  it("asks about rules and reasons, shows help, a run and a folded card", async () => {
    const material = await refunds();
    const last = (keys: string) => screen(material, keys, { rows: 24 }).slice(-2).join("\n").trimEnd();
    expect(last("aw")).toBe("y/N  Also take out the rule confirm-before-refund, with the examples?");
    expect(last("awyfür 日本")).toBe("Why? für 日本_");
    expect(last("aq")).toBe("1 decision not written. w write, d discard, Esc go back");
    expect(last("w")).toContain("Nothing is decided: a accepts, r rejects.");
    expect(text(screen(material, "a\t", { rows: 12 }))).toMatchInlineSnapshot(`
      "
      support_agent: 1 change, 1 accepted; nothing is written yet

      > ✗ 1  issue_refund runs without confirm_refund_amount bef…  2 tickets  accepted








      j k card  Enter runs  a accept  r reject  s skip  u undo  w write  q quit
      "
    `);
    expect(text(screen(material, "?", { rows: 26 }))).toMatchInlineSnapshot(`
      "
      support_agent: 1 change; nothing is written yet

      Nothing is written before w, and then all of it or nothing.

        j k        the next card, the one before (also the arrows)
        PgDn PgUp  scroll
        Tab        fold or unfold the card (also space)
        Enter      open a run of the card; h and l show the others, Esc goes back
        a          accept: the baseline takes on what these runs do
        n          accept, with its path as a behaviour of its own, not as a variant
        r          reject: a case is left that fails until the agent does as before
        s          skip: decide nothing about it
        u          undo the last decision
        /          show only cards that hold a word; Esc shows all again
        w          write everything that was decided, in one act
        q          quit; asks when something is decided and not written

        * changed, + only now, - only before, = the same, ~ the same calls in other
        words.

        Any key goes back.
      "
    `);
    expect(text(screen(material, "\rl", { rows: 16 }))).toContain("2 of 2");
  });

  it.each([60, 80, 120, 200])("is never wider than %i columns nor higher than it is", async (columns) => {
    const wide = "日本語".repeat(40);
    const turns = (amount: number): TurnSpec[] => [
      {
        user: "x",
        calls: [{ name: `zahle_${wide}`, input: { amount, [wide]: wide, list: [1, 2] }, output: { wide, amount } }],
      },
      { text: wide },
    ];
    const material = await project(turns(1), [...turns(2), { calls: [{ name: "more", output: `[{"a":"${wide}"}]` }] }]);
    for (const keys of ["", "\r", "?", "/", "a", "aw"]) {
      for (const rows of [1, 4, 8, 24, 60]) {
        for (const look of [{}, { ascii: true }, { color: true }]) {
          const lines = screen(material, keys, { columns, rows, ...look });
          expect(lines.length).toBeLessThanOrEqual(rows);
          for (const line of lines) expect(columnsOf(line)).toBeLessThanOrEqual(columns);
          if ("ascii" in look) for (const line of lines) expect(line).toMatch(/^[\u0000-\u007e]*$/);
        }
      }
    }
  });

  it("lets no escape sequence of a trace through, whatever it stands in", async () => {
    const evil = "\u001b]0;owned\u0007\u001b[2J\u009b31m\u202e\r\nnext";
    const turns = (amount: number): TurnSpec[] => [
      { user: evil, calls: [{ name: `t${evil}`, input: { [evil]: evil, amount }, output: { [evil]: evil, amount } }] },
      { text: `${evil}${amount}`, stop: evil },
    ];
    const material = await project(turns(1), turns(2));
    for (const keys of ["", "\r", `/${evil.replace(/[\r\n\u001b]/g, "")}`]) {
      for (const line of screen(material, keys)) expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
    }
  });

  it("marks a result that changed where the call is the same", async () => {
    const turns = (stock: number): TurnSpec[] => [
      { user: "x", calls: [{ name: "stock", input: { sku: "A" }, output: `{"left":${stock},"sku":"A"}` }] },
      { calls: [stock > 0 ? "sell" : "refuse"] },
    ];
    const lines = screen(await project(turns(3), turns(0)), "");
    expect(lines.join("\n")).toMatch(/\* → left {2}3 +\* → left {2}0/);
    expect(lines.join("\n")).toMatch(/ {2}→ sku {3}"A"/);
  });
});
