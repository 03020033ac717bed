/** The page's own state: its address and the search field in its head, which stand outside every component. */
import { useEffect, useRef, useState } from "preact/hooks";
import { type Address, readAddress, writeAddress } from "./address.ts";

export interface PageAddress extends Address {
  /** Rises with every jump, so that the same address can be gone to twice. */
  readonly jump: number;
  go(change: Partial<Address>): void;
}

/** Follows the address, also when the same link is used twice, which fires no hashchange; and keeps what is searched for in it. */
export function usePageAddress(): PageAddress {
  const [state, setState] = useState(() => ({ ...readAddress(location.hash), jump: 0 }));
  // Known at once: a second key may come before the page is drawn again.
  const now = useRef<Address>(state);
  const go = (change: Partial<Address>) => {
    now.current = { ...now.current, ...change };
    history.replaceState(history.state, "", writeAddress(now.current));
    const next = now.current;
    setState((old) => ({ ...next, jump: change.place === undefined ? old.jump : old.jump + 1 }));
  };
  // `go` reads everything through `now`, so listening once is enough.
  // biome-ignore lint/correctness/useExhaustiveDependencies: listening once is the point
  useEffect(() => {
    const read = () => {
      now.current = readAddress(location.hash);
      const next = now.current;
      const field = searchField();
      if (field !== null) field.value = next.query;
      setState((old) => ({ ...next, jump: old.jump + 1 }));
    };
    const onClick = (event: MouseEvent) => {
      const link = (event.target as Element | null)?.closest?.<HTMLAnchorElement>('a[href^="#"]');
      if (link !== null && link !== undefined && link.hash === location.hash) read();
    };
    addEventListener("hashchange", read);
    addEventListener("click", onClick);
    const stop = listenToSearch((query) => go({ query }));
    const field = searchField();
    if (field !== null) field.value = now.current.query;
    return () => {
      removeEventListener("hashchange", read);
      removeEventListener("click", onClick);
      stop();
    };
  }, []);
  return { ...state, go };
}

function searchField(): HTMLInputElement | null {
  return document.getElementById("search") as HTMLInputElement | null;
}

function listenToSearch(onQuery: (query: string) => void): () => void {
  const field = searchField();
  if (field === null) return () => undefined;
  const onInput = () => onQuery(field.value.trim());
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    field.value = "";
    onQuery("");
    field.blur();
  };
  field.addEventListener("input", onInput);
  field.addEventListener("keydown", onKey);
  return () => {
    field.removeEventListener("input", onInput);
    field.removeEventListener("keydown", onKey);
  };
}
