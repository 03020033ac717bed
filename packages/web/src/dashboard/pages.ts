/** The pages, in the order of the head. The server answers the same addresses (`routes/pages.ts`). */
export interface PageDefinition {
  readonly path: string;
  readonly title: string;
  /** After `g`. */
  readonly key: string;
}

export const pages: readonly PageDefinition[] = [
  { path: "/", title: "Overview", key: "o" },
  { path: "/runs", title: "Runs", key: "r" },
  { path: "/behaviours", title: "Behaviours", key: "b" },
  { path: "/cohorts", title: "Cohorts", key: "c" },
  { path: "/policies", title: "Policies", key: "p" },
  { path: "/baselines", title: "Baselines", key: "l" },
  { path: "/settings", title: "Settings", key: "s" },
];

/** The page that an address belongs to: `/runs/4f…` and a comparison are of `/runs`. */
export function pageAt(path: string): PageDefinition | undefined {
  if (path === "/compare") return pages.find((page) => page.path === "/runs");
  return pages.find((page) => page.path === path || (page.path !== "/" && path.startsWith(`${page.path}/`)));
}
