import { describe, expect, it } from "vitest";
import { parseKeys } from "./keys.ts";
import { pressKey, type ReviewItem, type ReviewState, startReview } from "./review-state.ts";

const EXTENT = { rows: 10, most: 30 };
const item = (words: string, more: Partial<ReviewItem> = {}): ReviewItem => ({
  runs: 3,
  words,
  rules: [],
  onlyRules: false,
  own: true,
  refused: [],
  ...more,
});
const ITEMS = [item("refund without confirmation"), item("other arguments"), item("a new run")];

function pressed(keys: string, state: ReviewState = startReview(ITEMS)): ReviewState {
  return parseKeys(keys).reduce((now, key) => pressKey(now, key, EXTENT), state);
}
const decisions = (state: ReviewState) => state.decisions.map((one) => one ?? "-").join(" ");

describe("deciding", () => {
  it.each([
    ["a", "accept - -", 1],
    ["n", "accept_own - -", 1],
    ["r", "reject - -", 1],
    ["s", "skip - -", 1],
    ["jjr", "- - reject", 0],
    ["aar", "accept accept reject", 2],
    ["aaru", "accept accept -", 2],
    ["auuu", "- - -", 0],
    ["ajkkr", "reject - -", 1],
    ["\ra", "accept - -", 1],
    ["\u001b[B\u001b[Ba", "- - accept", 0],
  ])("%j gives %s", (keys, expected, at) => {
    const state = pressed(keys);
    expect([decisions(state), state.at, state.screen]).toEqual([expected, at, "cards"]);
  });

  it("is refused where the card cannot be decided so, and says so until the next key", () => {
    const state = pressed("ja", startReview([item("x"), item("shared", { refused: ["accept"] })]));
    expect([decisions(state), state.notice]).toEqual(["- -", { code: "refused", decision: "accept" }]);
    expect(pressed("k", state).notice).toBeUndefined();
    expect(pressed("n", startReview([item("x", { own: false })])).notice).toEqual({ code: "no_own_path" });
  });
});

describe("writing", () => {
  it("needs a decision, then a reason, once", () => {
    expect(pressed("w").notice).toEqual({ code: "nothing_decided" });
    expect(pressed("sw").notice).toEqual({ code: "nothing_decided" });
    const asked = pressed("aw");
    expect([asked.screen, asked.done]).toEqual(["reason", undefined]);
    expect(pressed("\r", asked).notice).toEqual({ code: "needs_reason" });
    expect(pressed("meant\u007fT\r", asked)).toMatchObject({ done: "write", reason: "meanT" });
    expect(pressed("aw", startReview(ITEMS, { reason: "given" })).done).toBe("write");
  });

  it.each([
    ["y", "remove", "write"],
    ["n", "keep", "write"],
    ["\r", "keep", "write"],
    ["\u001b", undefined, undefined],
  ])("asks about rules that go on blocking: %j", (key, rules, done) => {
    const items = [item("x", { rules: ["confirm-first"] })];
    const asked = pressed("aw", startReview(items, { reason: "given" }));
    expect(asked.screen).toBe("rules");
    expect(pressed(key, asked)).toMatchObject({ rules, ...(done === undefined ? { screen: "cards" } : { done }) });
    expect(pressed("aw", startReview(items, { reason: "given", rules: "remove" })).done).toBe("write");
    expect(pressed("rw", startReview(items, { reason: "given" })).done).toBe("write");
  });

  it("does not accept a card of nothing but rules and keep the rules", () => {
    const items = [item("y"), item("x", { rules: ["r"], onlyRules: true })];
    const state = pressed("aawn", startReview(items, { reason: "given" }));
    expect(state).toMatchObject({ at: 1, screen: "cards", notice: { code: "only_rules", card: 2 }, rules: undefined });
    expect(pressed("wy", state).done).toBe("write");
  });
});

describe("leaving", () => {
  it.each([
    ["q", "quit", "cards"],
    ["aq", undefined, "quit"],
    ["aq\u001b", undefined, "cards"],
    ["aqx", undefined, "quit"],
    ["aqd", "quit", "quit"],
    ["aqw", undefined, "reason"],
    ["sq", "quit", "cards"],
    ["a\u0003", "interrupted", "cards"],
    ["aw\u0003", "interrupted", "reason"],
    ["\rq", undefined, "cards"],
  ])("%j", (keys, done, screen) => {
    const state = pressed(keys);
    expect([state.done, state.screen]).toEqual([done, screen]);
  });
});

describe("looking", () => {
  it("opens a run, goes round the runs of its card, scrolls and comes back", () => {
    expect(pressed("\r")).toMatchObject({ screen: "run", run: 0 });
    expect(pressed("\rl").run).toBe(1);
    expect(pressed("\rh").run).toBe(2);
    expect(pressed("\rjj").scroll).toBe(2);
    expect(pressed("\r\u001b[6~\u001b[6~\u001b[6~\u001b[6~").scroll).toBe(EXTENT.most);
    expect(pressed("\r\u001b[6~\u001b[5~").scroll).toBe(0);
    expect(pressed("\rjj\u001b")).toMatchObject({ screen: "cards", scroll: 0 });
  });

  it("folds, helps and filters", () => {
    expect(pressed("\t").folded).toBe(true);
    expect(pressed("  ").folded).toBe(false);
    expect(pressed("?").screen).toBe("help");
    expect(pressed("?a")).toMatchObject({ screen: "cards", decisions: [undefined, undefined, undefined] });
    expect(pressed("/ARG\r")).toMatchObject({ filter: "ARG", at: 1 });
    expect(pressed("/arg\rj").at).toBe(1);
    expect(pressed("/zzz\r")).toMatchObject({ filter: "", notice: { code: "no_match", filter: "zzz" } });
    expect(pressed("/arg\r\u001b").filter).toBe("");
    expect(pressed("/\u0015q\u001b").screen).toBe("cards");
    expect(pressed("/\u0015q\u001b").done).toBeUndefined();
  });
});
