/** Pages in a real Chromium: how soon they can be used, and how evenly a list of theirs scrolls. */
import { existsSync } from "node:fs";
import type { Browser } from "playwright-core";

/** What `work` measures; undefined where there is no Chromium. */
export async function inChromium<T>(work: (browser: Browser) => Promise<T>): Promise<T | undefined> {
  const executablePath = [process.env["CHROMIUM_PATH"], "/usr/bin/chromium"].find(
    (path) => path !== undefined && existsSync(path),
  );
  if (executablePath === undefined) return undefined;
  const { chromium } = await import("playwright-core");
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
  try {
    return await work(browser);
  } finally {
    await browser.close();
  }
}

const ROUNDS = 5;

/** Seconds until each of the pages can be used, opened by turns; the least of some, because a busy machine only ever adds. */
export async function openSeconds(browser: Browser, ...urls: readonly string[]): Promise<number[]> {
  const least = urls.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, url] of urls.entries()) {
      const page = await browser.newPage();
      const started = performance.now();
      await page.goto(url);
      await page.waitForSelector("[data-ready]");
      least[index] = Math.min(least[index]!, (performance.now() - started) / 1_000);
      await page.close();
    }
  }
  return least;
}

export interface Scrolled {
  readonly frames: number;
  /** Of them, those that took longer than 50 ms. */
  readonly slow: number;
  /** Most rows that existed at once. */
  readonly rows: number;
}

/** A list scrolled a fifth of its height a frame, faster than any hand, for ten seconds; from its top again when it has ended. */
export async function scrollList(browser: Browser, url: string, list: string): Promise<Scrolled> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  await page.goto(url);
  await page.waitForSelector(`${list} > *`, { state: "attached" });
  // In the page, which knows its own frames; the text keeps this file free of the browser's types.
  const scrolled = (await page.evaluate(`(async () => {
    const list = document.querySelector(${JSON.stringify(list)});
    list.scrollIntoView();
    let [frames, slow, rows, last] = [0, 0, 0, performance.now()];
    for (const end = last + 10_000; last < end; ) {
      await new Promise(requestAnimationFrame);
      const now = performance.now();
      frames++;
      if (now - last > 50) slow++;
      last = now;
      rows = Math.max(rows, list.querySelectorAll("[role=option]").length);
      const isAtEnd = list.scrollTop + list.clientHeight >= list.scrollHeight - 1;
      list.scrollTop = isAtEnd ? 0 : list.scrollTop + 0.2 * list.clientHeight;
    }
    return { frames, slow, rows };
  })()`)) as Scrolled;
  await page.close();
  return scrolled;
}
