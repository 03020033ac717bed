/** A list of a hundred thousand runs: what exists on the page stays few, whatever is scrolled to. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { copyRun } from "../../server/test/copy-run.ts";
import { recording } from "../../server/test/service.ts";
import { type DashboardService, startDashboard } from "./dashboard-service.ts";
import { chromiumPath, inChromium, openChromium } from "./open-chromium.ts";
import { openPage } from "./open-page.ts";

const MANY = 100_000;

describe.skipIf(chromiumPath === undefined)(inChromium("many runs"), { timeout: 600_000 }, () => {
  let browser: Browser;
  let service: DashboardService;
  const folder = mkdtempSync(join(tmpdir(), "spoor-many-"));
  beforeAll(async () => {
    browser = await openChromium();
    const file = join(folder, "spoor.db");
    service = await startDashboard({ url: file });
    await service.push(recording("the first"), "agent=busy&release=v1&scenario=ticket-1");
    copyRun(file, MANY - 1);
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await service?.end();
    rmSync(folder, { recursive: true, force: true });
  });

  it("has at most 60 rows on the page, loads more as it is scrolled, and comes back to a row far down", async () => {
    const { page, problems } = await openPage(browser, `${service.url}/runs`, {
      viewport: { width: 1280, height: 900 },
    });
    await page.getByRole("heading", { name: "More than 10,000 runs" }).waitFor();
    const list = page.locator(".dash-list");
    const rows = async () => page.locator(".dash-list [role=option]").count();
    const loaded = async () =>
      Number(await page.locator(".dash-list [role=option]").first().getAttribute("aria-setsize"));
    expect(await rows()).toBeLessThanOrEqual(60);
    for (let known = await loaded(); known < 3_000; ) {
      await list.evaluate((element) => element.scrollTo(0, element.scrollHeight));
      await expect.poll(loaded, { timeout: 60_000 }).toBeGreaterThan(known);
      known = await loaded();
      expect(await rows()).toBeLessThanOrEqual(60);
    }
    await list.evaluate((element) => element.scrollTo(0, 0));
    await list.focus();
    for (let times = 0; times < 3; times++) await page.keyboard.press("PageDown");
    const at = new URL(page.url()).searchParams.get("at");
    expect(at).toMatch(/^[0-9a-f]{32}$/);
    await page.reload();
    await page.locator('.dash-list [aria-selected="true"]').waitFor();
    expect(new URL(page.url()).searchParams.get("at")).toBe(at);
    const selected = await page.locator('.dash-list [aria-selected="true"]').getAttribute("aria-posinset");
    expect(Number(selected)).toBeGreaterThan(10);
    expect(problems).toEqual([]);
    await page.close();
  });
});
