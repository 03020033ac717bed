/** `g` and a letter go to a page. Heard before every other key, so that the letter is nobody else's. */
export function listenToPageKeys(pages: ReadonlyMap<string, () => void>): () => void {
  let isAsked = false;
  function onKey(event: KeyboardEvent): void {
    const wasAsked = isAsked;
    isAsked = false;
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]") !== null) return;
    const target = event.target as HTMLElement | null;
    if (target !== null && /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) return;
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
