/** `spoor show -o run.html` in a real browser: one run with its axis, lanes, rows and details, and a list of several. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TraceRecord } from "../../core/src/trace/record.ts";
import { recordsOf, type TurnSpec } from "../../core/test/build.ts";
import { runInMemory } from "../../spoor/src/cli/run-in-memory.ts";
import { writeAgentlog } from "../../spoor/src/formats/agentlog.ts";
import { chromiumPath, inChromium, openChromium } from "./open-chromium.ts";
import { openPage, violationsOf } from "./open-page.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const subAgent = join(root, "packages/spoor/test/fixtures/claude-code/sub-agent.jsonl");
const refund = join(root, "examples/refund");
const folder = mkdtempSync(join(tmpdir(), "spoor-run-page-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let pages = 0;

/** The address of the page that `spoor show` writes of these paths. */
async function pageOf(paths: readonly string[], ...options: string[]): Promise<string> {
  const file = join(folder, `${pages++}.html`);
  const run = await runInMemory(["show", ...paths, "-o", file, ...options], { cwd: root });
  expect(run.code, run.err).toBe(0);
  return pathToFileURL(file).href;
}

function writeTrace(name: string, records: readonly TraceRecord[]): string {
  const file = join(folder, name);
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, writeAgentlog(records));
  return file;
}

it("the script stays small", () => {
  const bytes = gzipSync(readFileSync(join(root, "packages/spoor/dist/web/report.js"))).length;
  console.info(`report script: ${bytes} bytes gzip`);
  expect(bytes).toBeLessThan(60_000);
});

describe.skipIf(chromiumPath === undefined)(inChromium("the page of a run"), () => {
  let browser: Browser;
  let one: string;
  beforeAll(async () => {
    browser = await openChromium();
    one = await pageOf([subAgent]);
  });
  afterAll(() => browser?.close());

  const detail = (page: Page) => page.textContent(".run-detail");
  const address = (page: Page) => new URL(page.url()).hash;

  it("shows lanes, rows on a time axis, and where the time went; loads nothing", async () => {
    const { page, problems, requests } = await openPage(browser, one);
    expect(await page.textContent("h1")).toBe("Claude Code session sub-agent");
    expect(await page.locator(".lane-name a").allTextContents()).toEqual(["main agent", "Explore"]);
    // 7 turns and 5 calls.
    expect(await page.locator(".rrow").count()).toBe(12);
    expect(await page.locator(".rrow.in-lane").count()).toBe(3);
    expect(await page.locator(".rrow.bad-row .bar-span.failed").count()).toBe(1);
    // Model: 3.0 + 0.9 + 0.75 + 1.9 + 0.6 + 0.5 + 2.0 s, as the fixture has them; none of them overlap.
    expect(await page.textContent(".axis-words")).toContain("22.0 s in all: model 9.7 s");
    expect(requests).toHaveLength(1);
    expect(problems).toEqual([]);
    await page.close();
  });

  it("axe finds nothing at five widths in both themes, on a run and on a list", async () => {
    const list = await pageOf([join(refund, "baseline"), join(refund, "candidate")]);
    for (const [url, key] of [
      [`${one}#call-4`, "j"],
      [list, "j"],
      [list, "Enter"],
    ] as const) {
      const { page } = await openPage(browser, url, { bypassCSP: true });
      await page.keyboard.press(key);
      expect(await violationsOf(page)).toEqual([]);
      await page.close();
    }
  });

  it("is read with keys alone", async () => {
    const { page, problems } = await openPage(browser, one);
    const press = async (key: string, read: () => unknown, expected: unknown) => {
      await page.keyboard.press(key);
      await expect.poll(read).toEqual(expected);
    };
    const at = () => address(page);
    await press("j", at, "#call-1");
    await press("j", at, "#turn-2");
    await press("k", at, "#call-1");
    // The next failure: `npm test` of turn 4, the fourth call.
    await press("e", at, "#call-4");
    expect(await detail(page)).toContain("Exit code 1");
    await press("Enter", () => page.evaluate(() => document.activeElement?.className), "run-detail card");
    await press("Escape", () => page.evaluate(() => document.activeElement?.getAttribute("role")), "listbox");
    await press("End", at, "#turn-7");
    await press("ArrowUp", at, "#call-5");
    await press("?", () => page.isVisible("dialog#keys"), true);
    await press("Escape", () => page.isVisible("dialog#keys"), false);
    await page.keyboard.press("/");
    await page.keyboard.type("npm test");
    await expect.poll(() => page.textContent(".count")).toBe("1 of 12 rows matches");
    expect(await page.locator(".rrow mark").allTextContents()).toEqual(["npm test"]);
    await press("Escape", () => page.textContent(".count"), "12 of 12 rows shown");
    expect(problems).toEqual([]);
    await page.close();
  });

  it.each([
    ["#turn-5", "Turn 5", "The test fails."],
    ["#5", "Turn 5", "The test fails."],
    ["#call-4", "Call 4 of turn 4", "npm test"],
    ["#call-toolu_b", "Call 4 of turn 4", "npm test"],
  ])("%s opens its place, also after a reload", async (hash, title, says) => {
    const { page } = await openPage(browser, `${one}${hash}`);
    for (const again of [false, true]) {
      if (again) await page.reload();
      await expect.poll(() => page.textContent(".run-detail h3")).toContain(title);
      expect(await detail(page)).toContain(says);
    }
    await page.close();
  });

  it("an address keeps what is looked for and which rows are shown", async () => {
    const { page } = await openPage(browser, `${one}#call-4&q=npm&only=failed`);
    await expect.poll(() => page.textContent(".count")).toBe("1 of 12 rows matches");
    expect(await page.inputValue("#search")).toBe("npm");
    expect(await page.textContent('.seg [aria-pressed="true"]')).toBe("Failed 1");
    await page.close();
  });

  it("arguments, results, what went in and the record are all there, and rules at their turn", async () => {
    const url = await pageOf(
      [join(refund, "candidate/ticket-1042.agentlog")],
      "--policy",
      join(refund, "policies/refunds.yaml"),
    );
    const { page } = await openPage(browser, `${url}#turn-2`);
    await expect.poll(() => detail(page)).toContain("confirm-before-refund");
    for (const text of ["issue_refund", "amount89", "refund_id", "System prompt", "Tools offered"])
      expect(await detail(page)).toContain(text);
    await page.click("text=The response as it was recorded");
    await expect.poll(() => detail(page)).toContain("stop_reason");
    // The path as Spoor prints it everywhere.
    await page.fill("#search", "refund.amount");
    // The call, and the turn where a rule speaks of it.
    await expect.poll(() => page.textContent(".count")).toBe("2 of 5 rows match");
    expect(await page.locator(".run-detail mark").first().textContent()).toBe("amount");
    await page.close();
  });

  it("what changed between two turns of one agent is said in place", async () => {
    const asked = (system: string, tools: string[]): TraceRecord[] => [
      {
        kind: "chat_request",
        payload: {
          model: "m",
          messages: [{ role: "system", content: system }],
          tools: tools.map((name) => ({ name, input_schema: { type: "object" } })),
        },
      },
      { kind: "chat_response", payload: { model: "m", content: [{ type: "text", text: "ok" }] } },
    ];
    const file = writeTrace("changes.agentlog", [
      ...asked("Be kind.\nBe brief.", ["look"]),
      ...asked("Be kind.\nBe quick.", ["look", "delete_all"]),
    ]);
    const { page } = await openPage(browser, `${await pageOf([file])}#turn-2`);
    await expect.poll(() => page.locator(".run-detail .patch del").allTextContents()).toEqual(["-Be brief."]);
    expect(await page.locator(".run-detail .patch ins").allTextContents()).toEqual(["+Be quick."]);
    expect(await detail(page)).toContain("new: delete_all");
    expect(await page.textContent(".axis-words")).toContain("no clock times");
    await page.close();
  });

  it("5,000 turns are reached with at most 60 rows in the page", async () => {
    const turns: TurnSpec[] = Array.from({ length: 5_000 }, (_, index) => ({
      text: `answer ${index + 1}`,
      calls: [{ name: "look", input: { page: index + 1 }, output: `seen ${index + 1}` }],
    }));
    const { page, problems } = await openPage(
      browser,
      `${await pageOf([writeTrace("long.agentlog", flat(turns))])}#turn-4321`,
    );
    const rows = () => page.locator(".rrow").count();
    await expect.poll(() => detail(page)).toContain("answer 4321");
    expect(await page.textContent('.rrow[aria-selected="true"] .n')).toBe("4321");
    expect(await rows()).toBeLessThanOrEqual(60);
    await page.focus(".run-rows");
    await page.keyboard.press("End");
    await expect.poll(() => address(page)).toBe("#call-5000");
    expect(await rows()).toBeLessThanOrEqual(60);
    for (const share of [0, 0.25, 0.5, 0.99]) {
      await page.evaluate((part) => {
        const list = document.querySelector(".run-rows")!;
        list.scrollTop = list.scrollHeight * part;
      }, share);
      // What is in sight is drawn, wherever one is.
      await expect
        .poll(() =>
          page.evaluate(() => {
            const { top, left } = document.querySelector(".run-rows")!.getBoundingClientRect();
            return document.elementFromPoint(left + 60, top + 40)?.closest(".rrow") !== null;
          }),
        )
        .toBe(true);
      expect(await rows()).toBeLessThanOrEqual(60);
    }
    await page.fill("#search", "seen 4999");
    await expect.poll(() => page.textContent(".count")).toBe("1 of 10,000 rows matches");
    expect(problems).toEqual([]);
    await page.close();
  });

  it("several traces are a list that reaches every one", async () => {
    const files = Array.from({ length: 300 }, (_, index) =>
      writeTrace(
        `many/run-${String(index + 1).padStart(3, "0")}.agentlog`,
        recordsOf([{ user: `task ${index + 1}`, text: "done" }]),
      ),
    );
    const url = await pageOf([join(files[0]!, "..")]);
    const { page, problems } = await openPage(browser, url);
    expect(await page.textContent(".count")).toBe("300 of 300 traces shown");
    expect(await page.locator(".lrow").count()).toBeLessThanOrEqual(60);
    await page.focus(".run-list");
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    await expect.poll(() => detail(page)).toContain("task 300");
    await page.keyboard.press("[");
    await expect.poll(() => detail(page)).toContain("task 299");
    await page.reload();
    await expect.poll(() => detail(page)).toContain("task 299");
    await page.click("text=All 300 traces");
    await page.fill("#search", "task 150");
    await expect.poll(() => page.textContent(".count")).toBe("1 of 300 traces shown");
    await page.keyboard.press("Escape");
    expect(problems).toEqual([]);
    await page.close();
  });

  it("a text of many megabytes is cut in words, with the way to the rest", async () => {
    const file = writeTrace(
      "big.agentlog",
      recordsOf([{ calls: [{ name: "t".repeat(500), output: "o".repeat(5_000_000) }] }]),
    );
    const { page, problems } = await openPage(browser, `${await pageOf([file])}#call-1`, {
      viewport: { width: 390, height: 800 },
    });
    expect(await page.textContent(".labels")).toContain("4,950,000 characters of very long texts");
    await page.click("text=Show 47,");
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    expect(problems).toEqual([]);
    await page.close();
  });

  it("reads without script but for the timeline", async () => {
    const { page } = await openPage(browser, one, { javaScriptEnabled: false });
    for (const text of ["7 turns, 5 tool calls, 1 failed", "API Error: overloaded", "spoor show prints it too"])
      expect(await page.textContent("body")).toContain(text);
    await page.close();
  });
});

/** Turns without their history, which would be the square of them. */
function flat(turns: readonly TurnSpec[]): TraceRecord[] {
  return turns.flatMap((turn, index) =>
    recordsOf([
      { ...turn, calls: turn.calls!.map((call) => ({ ...(call as object), id: `c${index}` }) as never) },
    ]).filter(({ kind }) => index === 0 || kind !== "metadata"),
  );
}
