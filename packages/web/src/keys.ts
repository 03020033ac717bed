/** Single keys act unless the reader is typing, a dialog is open, or a modifier is held. Returns the way to stop listening. */
export function listenToKeys(actions: Readonly<Record<string, () => void>>): () => void {
  function onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]") !== null) return;
    const target = event.target as HTMLElement | null;
    if (target !== null && /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) return;
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
