/** Light or dark: the system decides until the reader does. */
export function toggleTheme(): void {
  const root = document.documentElement;
  const dark = root.dataset["theme"]
    ? root.dataset["theme"] === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset["theme"] = dark ? "light" : "dark";
}
