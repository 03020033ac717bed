/** A reader without a mouse: goes from stop to stop with Tab, and must see where he is. */
import type { Page } from "playwright-core";
import { expect } from "vitest";

const MOST_STOPS = 80;

/** Presses Tab until the focus is on an element that matches; every stop on the way must show that it has the focus. */
export async function tabTo(page: Page, selector: string): Promise<void> {
  for (let stop = 0; stop < MOST_STOPS; stop++) {
    await page.keyboard.press("Tab");
    const { isThere, isSeen, what } = await page.evaluate((wanted) => {
      const element = document.activeElement as HTMLElement;
      const shows = (one: Element) => {
        const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(one);
        return (outlineStyle !== "none" && outlineWidth !== "0px") || boxShadow !== "none";
      };
      const field = element.closest(":focus-within.search");
      return {
        isThere: element.matches(wanted),
        isSeen: element === document.body || shows(element) || (field !== null && shows(field)),
        what: element.outerHTML.slice(0, 120),
      };
    }, selector);
    expect([isSeen, what]).toEqual([true, what]);
    if (isThere) return;
  }
  throw new Error(`${selector} was not reached with ${MOST_STOPS} stops`);
}
