import { describe, expect, it } from "vitest";
import { createTerminalStyle } from "../write/terminal/terminal-style.ts";
import { type ProgressState, renderProgress } from "./progress-lines.ts";

const style = createTerminalStyle();

describe("the live view", () => {
  const state: ProgressState = {
    head: ["support.eval.yaml", "target support-agent", "5 runs each", "4 workers"],
    words: { passed: "passed", failed: "failed" },
    elapsedMs: 21_000,
    resumed: 0,
    costUsd: 0.17,
    cases: [
      { name: "order-status", marks: Array(5).fill("passed") },
      {
        name: "damaged-item",
        marks: ["failed", "failed", "failed", "failed", "running"],
        activity: { text: "turn 2, issue_refund", forMs: 1300 },
      },
      {
        name: "charged-twice",
        marks: ["passed", "failed", "passed", "running", "waiting"],
        activity: { text: "turn 1, waiting for the model", forMs: 400 },
      },
      {
        name: "gift-card",
        marks: ["running", "waiting", "waiting", "waiting", "waiting"],
        activity: { text: "starting", forMs: 100 },
      },
      { name: "polite-decline", marks: Array(5).fill("waiting") },
    ],
  };

  it("has one line per case and one mark per run", () => {
    expect(renderProgress(state, style)).toMatchInlineSnapshot(`
      "support.eval.yaml   target support-agent   5 runs each   4 workers

        order-status    ✓✓✓✓✓  5 of 5
        damaged-item    ✗✗✗✗›  0 of 4   turn 2, issue_refund, 1.3 s
        charged-twice   ✓✗✓›·  2 of 3   turn 1, waiting for the model, 0.4 s
        gift-card       ›····           starting, 0.1 s
        polite-decline  ·····

        12 of 25 runs   7 passed, 5 failed   21.0 s, about 22.8 s left   $0.17
      "
    `);
  });

  it("says what recorded runs took", () => {
    const words = { passed: "recorded", failed: "did not happen" };
    const narrow = renderProgress({ ...state, words, tokens: 33_500 }, style).split("\n");
    expect(narrow.slice(-3, -1)).toEqual([
      "  12 of 25 runs   7 recorded, 5 did not happen   21.0 s, about 22.8 s left",
      "  33.5k tok   $0.17",
    ]);
    expect(renderProgress({ ...state, words, tokens: 812 }, createTerminalStyle({ columns: 100 }))).toContain(
      "22.8 s left   812 tok   $0.17",
    );
  });

  it("has ASCII marks", () => {
    expect(renderProgress(state, createTerminalStyle({ ascii: true }))).toContain("charged-twice   +x+>.  2 of 3");
  });

  it("folds cases away when the terminal is low, running and failed ones last", () => {
    const text = renderProgress(state, style, 8);
    expect(text.split("\n").length).toBeLessThanOrEqual(9);
    expect(text).toContain("charged-twice");
    expect(text).not.toContain("order-status");
    expect(text).toContain("… 3 more");
  });
});
