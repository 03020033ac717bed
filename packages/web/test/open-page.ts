/** A page in the browser with everything it complains about and asks for; and what axe says of it at every width and in both themes. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Browser, Page } from "playwright-core";

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

export interface OpenPage {
  readonly page: Page;
  readonly problems: string[];
  readonly requests: string[];
}

export async function openPage(
  browser: Browser,
  url: string,
  options: Parameters<Browser["newPage"]>[0] = {},
): Promise<OpenPage> {
  const page = await browser.newPage({ reducedMotion: "reduce", ...options });
  page.setDefaultTimeout(120_000);
  const problems: string[] = [];
  const requests: string[] = [];
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") problems.push(message.text());
  });
  page.on("dialog", (dialog) => {
    problems.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => requests.push(request.url()));
  await page.goto(url);
  if (options.javaScriptEnabled !== false) await page.waitForSelector("[data-ready]");
  return { page, problems, requests };
}

export const WIDTHS = [320, 390, 820, 1280, 1920];

/** Violations and sideways scrolling, as lines; the page must have been opened with `bypassCSP`. */
export async function violationsOf(page: Page): Promise<string[]> {
  await page.evaluate(axeSource);
  const found: string[] = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      const violations = await page.evaluate(async () => {
        const { axe } = globalThis as unknown as {
          axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
        };
        return (await axe.run()).violations.map(({ id, nodes }) => `${id}: ${nodes[0]!.html.slice(0, 160)}`);
      });
      found.push(...violations.map((violation) => `${width} ${colorScheme} ${violation}`));
    }
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    if (wide !== width) found.push(`${width}: the page is ${wide} wide`);
  }
  return found;
}

/** Texts of drawings inside `selector` that leave their drawing or stand on each other, as lines. */
export async function misplacedTexts(page: Page, selector: string): Promise<string[]> {
  return await page.evaluate((within) => {
    const found: string[] = [];
    for (const svg of document.querySelectorAll(`${within} svg`)) {
      const frame = svg.getBoundingClientRect();
      const box = svg.parentElement!;
      if (box.scrollWidth > box.clientWidth) found.push(`scrolls: ${box.scrollWidth} in ${box.clientWidth}`);
      const texts = [...svg.querySelectorAll("text")].map((text) => ({
        words: text.textContent,
        place: text.getBoundingClientRect(),
      }));
      for (const [index, { words, place }] of texts.entries()) {
        const isInside =
          place.left >= frame.left - 1 &&
          place.right <= frame.right + 1 &&
          place.top >= frame.top - 1 &&
          place.bottom <= frame.bottom + 1;
        if (!isInside) found.push(`leaves the drawing: ${words}`);
        for (const other of texts.slice(index + 1)) {
          const wide = Math.min(place.right, other.place.right) - Math.max(place.left, other.place.left);
          const high = Math.min(place.bottom, other.place.bottom) - Math.max(place.top, other.place.top);
          // Boxes of lines are higher than their letters.
          if (wide > 1 && high > 5) found.push(`on each other: ${words} and ${other.words}`);
        }
      }
    }
    return found;
  }, selector);
}
