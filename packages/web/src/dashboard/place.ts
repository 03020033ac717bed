/** Where the reader is: a page, what is open in it, and every filter. All of it stands in the address, so that a link or a reload brings it back. */
import { useEffect, useState } from "preact/hooks";

export interface Place {
  /** `/runs/4f…` */
  readonly path: string;
  readonly query: URLSearchParams;
}

function readPlace({ pathname, search }: { pathname: string; search: string } = location): Place {
  return { path: pathname === "" ? "/" : pathname, query: new URLSearchParams(search) };
}

/** Values that are empty are left out. */
export function hrefOf(path: string, query: Readonly<Record<string, string | number | undefined>> = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== "");
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return search === "" ? path : `${path}?${search}`;
}

/** `/runs/{id}` of an id that may hold anything. */
export function runHref(id: string, query: Readonly<Record<string, string | undefined>> = {}): string {
  return hrefOf(`/runs/${encodeURIComponent(id)}`, query);
}

const MOVED = "spoor-moved";

/** A step that the back button undoes. */
export function go(href: string): void {
  history.pushState(null, "", href);
  dispatchEvent(new Event(MOVED));
}

/** The same page with other filters: no step of its own. */
export function change(query: Readonly<Record<string, string | undefined>>): void {
  const { path, query: old } = readPlace();
  const next = Object.fromEntries(old);
  history.replaceState(null, "", hrefOf(path, { ...next, ...query }));
  dispatchEvent(new Event(MOVED));
}

/** Follows the address; links inside the dashboard are steps of it. */
export function usePlace(): Place {
  const [place, setPlace] = useState(readPlace);
  useEffect(() => {
    const read = () => setPlace(readPlace());
    const onClick = (event: MouseEvent) => {
      const link = (event.target as Element | null)?.closest?.("a");
      if (link === null || link === undefined || !isOurs(link, event)) return;
      event.preventDefault();
      go(link.href);
      scrollTo(0, 0);
    };
    addEventListener("popstate", read);
    addEventListener(MOVED, read);
    addEventListener("click", onClick);
    return () => {
      removeEventListener("popstate", read);
      removeEventListener(MOVED, read);
      removeEventListener("click", onClick);
    };
  }, []);
  return place;
}

function isOurs(link: HTMLAnchorElement, event: MouseEvent): boolean {
  if (event.defaultPrevented || event.button !== 0) return false;
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return false;
  if (link.origin !== location.origin || link.target !== "" || link.hasAttribute("download")) return false;
  // Beside the dashboard: reports and recordings of the API; and places inside the page.
  return !link.pathname.startsWith("/api/") && !link.getAttribute("href")!.startsWith("#");
}
