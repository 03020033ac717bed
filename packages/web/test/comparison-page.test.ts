/** The page of a gate over 2,000 runs in a real browser: it says how many there are, and every number leads to its runs. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { ComparisonView } from "@spoor/core/internal/gate/comparison-view";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runSpoor } from "../../spoor/test/e2e/run-spoor.ts";
import { tabTo } from "./keyboard.ts";
import { REPEATS, SCENARIOS, writeManyRuns } from "./many-runs.ts";
import { chromiumPath, inChromium, openChromium } from "./open-chromium.ts";
import { openPage, violationsOf } from "./open-page.ts";

/** As `writeManyRuns` makes them: paired, new, gone. */
const ALL = SCENARIOS * REPEATS + 3 + 2;

/** The same page with its traces repeated under other names; only the first have turns, as where a report has no room for all. */
function growPage(folder: string, amount: number): string {
  const html = readFileSync(join(folder, "report.html"), "utf8");
  const [all, before, data, after] = /(<script[^>]*id="comparison-data"[^>]*>)([\s\S]*?)(<\/script>)/.exec(html)!;
  const view = JSON.parse(data!) as ComparisonView;
  const traces = Array.from({ length: amount }, (_, at) => {
    const trace = view.traces[at % view.traces.length]!;
    if (at < view.traces.length) return trace;
    return { ...trace, key: `copy-${at}`, name: `copy-${at}`, task: `copy-${at}`, rows: [], elsewhere: true };
  });
  const grown = JSON.stringify({ ...view, traces }).replaceAll("<", "\\u003c");
  const file = join(folder, `grown-${amount}.html`);
  writeFileSync(
    file,
    html.replace(all, () => `${before}${grown}${after}`),
  );
  return pathToFileURL(file).href;
}

describe.skipIf(chromiumPath === undefined)(inChromium("the page of 2,000 runs"), () => {
  const folder = mkdtempSync(join(tmpdir(), "spoor-many-"));
  const url = pathToFileURL(join(folder, "report.html")).href;
  let browser: Browser;
  beforeAll(async () => {
    writeManyRuns(folder);
    const run = await runSpoor(["gate", "-o", "report.html"], { cwd: folder });
    expect(run.code, run.stderr).toBe(1);
    browser = await openChromium();
  }, 600_000);
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const listed = (page: Page) => page.textContent(".listed");
  const address = (page: Page) => decodeURIComponent(new URL(page.url()).hash);

  it("puts runs that changed alike on cards, and each number leads to its runs", async () => {
    const { page, problems } = await openPage(browser, url);
    expect(await listed(page)).toBe(`${ALL.toLocaleString("en")} of ${ALL.toLocaleString("en")} tickets listed`);
    await expect
      .poll(() => page.locator(".change .say:first-of-type a, .change .card-title + .say a").allTextContents())
      .toEqual(["200 tickets", "250 tickets", "3 tickets"]);
    for (const [index, amount] of ["200", "250", "3"].entries()) {
      await page.locator(".change .card-title + .say a").nth(index).click();
      await expect.poll(() => listed(page)).toBe(`${amount} of 2,005 tickets listed`);
      expect(address(page)).toBe(`#traces&only=card:${index + 1}`);
    }
    // The headline counts 200, and so does what it leads to.
    await page.click("text=List the 200 tickets");
    await expect.poll(() => listed(page)).toBe("200 of 2,005 tickets listed");
    expect(await page.locator(".trow").count()).toBeLessThanOrEqual(60);
    // A reload keeps it; a token that is taken away lists all again.
    await page.reload();
    await expect.poll(() => listed(page)).toBe("200 of 2,005 tickets listed");
    await page.click(".token");
    await expect.poll(() => listed(page)).toBe("2,005 of 2,005 tickets listed");
    expect(problems).toEqual([]);
    await page.close();
  });

  it("filters by outcome, tool and kind, and keeps what is chosen in the address", async () => {
    const { page } = await openPage(browser, url);
    const choice = (name: string) => page.locator(".choices").getByLabel(name, { exact: true });
    await choice("Tool").selectOption("confirm");
    // Skipped by 200; asked for another amount by 250.
    await expect.poll(() => listed(page)).toBe("450 of 2,005 tickets listed");
    await choice("Outcome").selectOption("changed");
    await expect.poll(() => listed(page)).toBe("250 of 2,005 tickets listed");
    expect(address(page)).toContain("only=tool:confirm,outcome:changed");
    await choice("Kind of change").selectOption("calls");
    await expect.poll(() => listed(page)).toBe("0 of 2,005 tickets listed");
    await page.click("text=Take all away");
    await choice("Outcome").selectOption("gone");
    await expect.poll(() => listed(page)).toBe("2 of 2,005 tickets listed");
    await expect.poll(() => page.textContent(".stage")).toContain("Only the baseline has such a run");
    await page.click("text=Most damage first");
    await expect.poll(() => address(page)).toContain("outcome:gone,sort:order");
    await page.close();
  });

  it("reaches every trace by keys, the most damaged first", async () => {
    const { page } = await openPage(browser, url);
    await expect.poll(() => page.locator(".trow .name").first().textContent()).toBe("task-000-1");
    await page.focus(".trace-rows");
    await page.keyboard.press("End");
    await expect.poll(() => address(page)).toBe("#baseline/old-2.agentlog");
    await page.fill("#search", "refund.amount");
    await expect.poll(() => listed(page)).toMatch(/^450 of/);
    await page.close();
  });

  it("shows scenarios and runs as a matrix of which only the rows in sight exist", async () => {
    const { page, problems } = await openPage(browser, url);
    expect(await page.textContent(".matrix h3")).toBe("405 scenarios, 2,005 runs");
    expect(await page.locator(".mrow").count()).toBeLessThanOrEqual(60);
    // Two of the first five block, the others stayed as they were.
    await expect
      .poll(() => page.locator(".mrow").first().locator(".mcell").allTextContents())
      .toEqual([
        "✗task-000-1, run 1: blocks",
        "✗task-000-2, run 2: blocks",
        "=task-000-3, run 3: same behaviour",
        "=task-000-4, run 4: same behaviour",
        "=task-000-5, run 5: same behaviour",
      ]);
    await page.locator('.matrix a[tabindex="0"]').focus();
    for (const key of ["ArrowRight", "ArrowRight", "ArrowDown"]) await page.keyboard.press(key);
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    await expect.poll(focused).toContain("task-001-2, run 2: blocks");
    await page.keyboard.press("Enter");
    await expect.poll(() => address(page)).toBe("#candidate/task-001-2.agentlog&only=task:task-001");
    await page.locator('.matrix a[tabindex="0"]').focus();
    await page.keyboard.press("End");
    await expect.poll(focused).toContain("old-2, run 1: only in the baseline");
    expect(await page.locator(".mrow").count()).toBeLessThanOrEqual(60);
    expect(problems).toEqual([]);
    await page.close();
  });

  it("shows which tool follows which and how amounts moved, in pictures and in rows that lead to their runs", async () => {
    const { page } = await openPage(browser, url);
    await page.click("#flow summary");
    const step = (words: string) => page.locator("#flow tbody tr", { hasText: words });
    // 200 of 2,000 pairs go from the look-up straight to the refund.
    expect(await step("lookup → refund").locator("td").allTextContents()).toEqual(["0 of 2,000", "200 of 2,000"]);
    expect(await step("lookup → confirm").locator("td").allTextContents()).toEqual([
      "2,000 of 2,000",
      "1,800 of 2,000",
    ]);
    await step("lookup → refund").locator("a").click();
    await expect.poll(() => listed(page)).toBe("200 of 2,005 tickets listed");
    expect(await page.textContent(".token")).toContain("lookup → refund");
    expect(await page.textContent("#values")).toContain("refund.amount of refund: median 13 → ");
    await page.locator("#values a").first().click();
    await expect.poll(() => listed(page)).toBe("250 of 2,005 tickets listed");
    await page.close();
  });

  it("is filtered and opened with keys alone, and every stop of the focus is seen", async () => {
    const { page, problems } = await openPage(browser, url);
    await tabTo(page, "select[aria-label=Outcome]");
    // A letter chooses in a closed list, as for every reader.
    await page.keyboard.press("b");
    await expect.poll(() => listed(page)).toBe("200 of 2,005 tickets listed");
    await tabTo(page, "select[aria-label=Rule]");
    await tabTo(page, ".token");
    await page.keyboard.press("Enter");
    await expect.poll(() => listed(page)).toBe("2,005 of 2,005 tickets listed");
    await page.reload();
    await page.waitForSelector("[data-ready]");
    await tabTo(page, ".matrix a");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await expect.poll(() => address(page)).toBe("#candidate/task-000-1.agentlog&only=task:task-000");
    expect(problems).toEqual([]);
    await page.close();
  });

  it("lists a hundred thousand traces with few of them on the page, and reaches the last by keys and by name", async () => {
    const { page, problems } = await openPage(browser, growPage(folder, 100_000));
    expect(await listed(page)).toBe("100,000 of 100,000 tickets listed");
    const rows = () => page.locator(".trow").count();
    expect(await rows()).toBeLessThanOrEqual(60);
    const nodes = await page.locator("*").count();
    await page.focus(".trace-rows");
    await page.keyboard.press("End");
    await expect.poll(() => page.locator('.trow[aria-selected="true"]').getAttribute("aria-posinset")).toBe("100000");
    expect(await rows()).toBeLessThanOrEqual(60);
    await page.locator(".trace-rows").evaluate((element) => element.scrollTo(0, element.scrollHeight / 2));
    await expect
      .poll(async () => Number(await page.locator(".trow").first().getAttribute("aria-posinset")))
      .toBeGreaterThan(49_000);
    expect(await rows()).toBeLessThanOrEqual(60);
    // What is done for a step is bounded: no more of the page exists than at first, but for the turns of another trace.
    expect(await page.locator("*").count()).toBeLessThan(nodes + 500);
    await page.fill("#search", "copy-99999");
    await expect.poll(() => listed(page)).toBe("1 of 100,000 tickets listed");
    expect(problems).toEqual([]);
    await page.close();
  });

  it("axe finds nothing at five widths in both themes", async () => {
    const { page } = await openPage(browser, `${url}#traces&only=rule:ask-first`, { bypassCSP: true });
    expect(await violationsOf(page)).toEqual([]);
    await page.close();
  });
});
