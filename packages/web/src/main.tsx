/** The report's script: mounts the timeline over the data in the page, and makes theme, search and keys work. */
import "./report.css";
import type { ComparisonView } from "@spoor/core/internal/gate/comparison-view";
import { render } from "preact";
import { Comparison } from "./comparison.tsx";
import { listenToKeys } from "./keys.ts";
import { searchPage } from "./search-page.ts";
import { toggleTheme } from "./theme.ts";

const byId = (id: string) => document.getElementById(id);

const data = byId("comparison-data")?.textContent;
const mount = byId("timeline");
if (data && mount) {
  const view = JSON.parse(data) as ComparisonView;
  mount.replaceChildren();
  render(<Comparison view={view} />, mount);
} else {
  const field = byId("search");
  const page = byId("main");
  if (field instanceof HTMLInputElement && page !== null) {
    searchPage(field, page);
    listenToKeys({ "/": () => field.focus() });
  }
}

byId("theme")?.addEventListener("click", toggleTheme);
byId("help")?.addEventListener("click", () => (byId("keys") as HTMLDialogElement | null)?.showModal());
listenToKeys({ "?": () => (byId("keys") as HTMLDialogElement | null)?.showModal(), t: toggleTheme });
