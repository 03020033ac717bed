import { isForPage } from "../keys.ts";

/** `g` and a letter go to a page. Heard before every other key, so that the letter is nobody else's. */
export function listenToPageKeys(pages: ReadonlyMap<string, () => void>): () => void {
  let isAsked = false;
  function onKey(event: KeyboardEvent): void {
    const wasAsked = isAsked;
    isAsked = false;
    if (!isForPage(event)) return;
    if (event.key === "g" && !wasAsked) {
      isAsked = true;
      return;
    }
    const open = wasAsked ? pages.get(event.key) : undefined;
    if (open === undefined) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    open();
  }
  addEventListener("keydown", onKey, true);
  return () => removeEventListener("keydown", onKey, true);
}
