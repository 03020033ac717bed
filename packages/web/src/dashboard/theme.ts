/** Light or dark, as the reader last chose on this machine; until then the system decides. */
import { toggleTheme } from "../theme.ts";

const KEY = "spoor-theme";

export function switchTheme(): void {
  toggleTheme();
  try {
    localStorage.setItem(KEY, document.documentElement.dataset["theme"]!);
  } catch {
    // A browser that keeps nothing shows it until the page is closed.
  }
}

export function keptTheme(): void {
  try {
    const kept = localStorage.getItem(KEY);
    if (kept === "light" || kept === "dark") document.documentElement.dataset["theme"] = kept;
  } catch {
    // As above.
  }
}
