/** Whether a key is meant for the page: nobody types, no dialog is open, no modifier is held. */
export function isForPage(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]") !== null) return false;
  const target = event.target as HTMLElement | null;
  return target === null || !/^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}

/** Keys of one part of the page, such as a list that has the focus; the page does not hear them. */
export function ownKeys(actions: ReadonlyMap<string, () => void>): (event: KeyboardEvent) => void {
  return (event) => {
    const act = event.ctrlKey || event.metaKey || event.altKey ? undefined : actions.get(event.key);
    if (act === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };
}

/** Single keys act unless the reader is typing, a dialog is open, or a modifier is held. Returns the way to stop listening. */
export function listenToKeys(actions: Readonly<Record<string, () => void>>): () => void {
  function onKey(event: KeyboardEvent): void {
    if (!isForPage(event)) return;
    const target = event.target as HTMLElement | null;
    // Enter on a link or a button is theirs.
    if (event.key === "Enter" && target?.closest?.("a, button, summary") != null) return;
    const act = actions[event.key];
    if (act === undefined) return;
    event.preventDefault();
    act();
  }
  addEventListener("keydown", onKey);
  return () => removeEventListener("keydown", onKey);
}
