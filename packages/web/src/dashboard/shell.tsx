/** The head that every page has: where one is, the ways to the others, search, theme, help. */
import { printable } from "@spoor/core/internal/text/printable";
import { useEffect, useRef } from "preact/hooks";
import { listenToKeys } from "../keys.ts";
import { listenToPageKeys } from "./keys.ts";
import type { Live } from "./live.ts";
import { type PageDefinition, pages } from "./pages.ts";
import { go, hrefOf } from "./place.ts";
import { type Me, signOut } from "./session.tsx";
import { switchTheme } from "./theme.ts";

interface Props {
  me: Me | undefined;
  page: PageDefinition | undefined;
  live: Live;
  find: string;
  onSignedOut: () => void;
  children: preact.ComponentChildren;
}

export function Shell({ me, page, live, find, onSignedOut, children }: Props) {
  const field = useRef<HTMLInputElement>(null);
  const help = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (field.current !== null) field.current.value = find;
  }, [find]);
  useEffect(() => {
    const stopPages = listenToPageKeys(new Map(pages.map(({ key, path }) => [key, () => go(path)])));
    const stopKeys = listenToKeys({
      "?": () => help.current?.showModal(),
      t: switchTheme,
      "/": () => field.current?.focus(),
    });
    return () => {
      stopPages();
      stopKeys();
    };
  }, []);
  const search = (event: Event) => {
    event.preventDefault();
    const wanted = field.current?.value.trim() ?? "";
    if (wanted === "") return;
    field.current?.blur();
    go(hrefOf("/runs", { q: wanted }));
  };
  return (
    <>
      <a className="skip" href="#main">
        Skip to the page
      </a>
      <header className="top dash-top">
        <a className="brand" href="/">
          <Trail />
          spoor
        </a>
        {me === undefined ? (
          <span className="grow" />
        ) : (
          <>
            <span className="project">{printable(me.project ?? "")}</span>
            <nav className="pages" aria-label="Pages">
              {pages.map(({ path, title }) => (
                <a key={path} href={path} aria-current={path === page?.path ? "page" : undefined}>
                  {title}
                </a>
              ))}
            </nav>
            <search>
              <form className="search" onSubmit={search}>
                <label htmlFor="search" className="vh">
                  Search runs: names, rules, arguments, texts
                </label>
                <input
                  ref={field}
                  id="search"
                  type="search"
                  placeholder="Search, as refund.amount"
                  autoComplete="off"
                />
                <kbd title="The key / comes here">/</kbd>
              </form>
            </search>
          </>
        )}
        <button className="icon" type="button" aria-label="Switch between light and dark" onClick={switchTheme}>
          <svg width="17" height="17" viewBox="0 0 17 17" aria-hidden="true">
            <circle cx="8.5" cy="8.5" r="6.2" fill="none" stroke="currentColor" stroke-width="1.5" />
            <path d="M8.5 2.3a6.2 6.2 0 0 1 0 12.4z" fill="currentColor" />
          </svg>
        </button>
        <button
          className="icon"
          type="button"
          aria-label="Keyboard shortcuts"
          onClick={() => help.current?.showModal()}
        >
          ?
        </button>
      </header>
      <main id="main" tabIndex={-1}>
        {children}
        <footer>
          {me === undefined ? null : (
            <span className="live" role="status">
              <i className={live.isHeard ? "on" : ""} aria-hidden="true" />
              {live.isHeard ? "live" : "not connected, asking again"}
            </span>
          )}
          {me?.needsToken ? (
            <button type="button" className="more" onClick={() => void signOut().then(onSignedOut)}>
              Sign out
            </button>
          ) : null}
          <span className="keys-hint" aria-hidden="true">
            <span>
              <kbd>g</kbd> and a letter: pages
            </span>
            <span>
              <kbd>?</kbd> all keys
            </span>
          </span>
        </footer>
      </main>
      <Help dialog={help} />
    </>
  );
}

const KEYS: readonly (readonly [readonly string[], string])[] = [
  [["j", "k"], "next and previous row"],
  [["Enter"], "open the row"],
  [["x"], "choose a run, two to compare them"],
  [["u"], "up to the list"],
  [["/"], "search"],
  [["t"], "light or dark"],
  [["Esc"], "leave the search, close this"],
];

function Help({ dialog }: { dialog: preact.RefObject<HTMLDialogElement | null> }) {
  return (
    <dialog ref={dialog} aria-labelledby="keys-title">
      <h2 id="keys-title">Keys</h2>
      <dl>
        {pages.map(({ key, title }) => (
          <Key key={key} keys={["g", key]} does={title.toLowerCase()} />
        ))}
        {KEYS.map(([keys, does]) => (
          <Key key={does} keys={keys} does={does} />
        ))}
      </dl>
      <form method="dialog">
        <button type="submit">Close</button>
      </form>
    </dialog>
  );
}

function Key({ keys, does }: { keys: readonly string[]; does: string }) {
  return (
    <>
      <dt>
        {keys.map((key) => (
          <kbd key={key}>{key}</kbd>
        ))}
      </dt>
      <dd>{does}</dd>
    </>
  );
}

function Trail() {
  return (
    <svg width="22" height="22" viewBox="0 0 22 22" fill="currentColor" aria-hidden="true">
      <ellipse cx="6" cy="17.2" rx="2.6" ry="3.2" transform="rotate(-14 6 17.2)" />
      <ellipse cx="9.6" cy="9.6" rx="2.2" ry="2.8" transform="rotate(-8 9.6 9.6)" opacity=".75" />
      <ellipse cx="16.4" cy="13" rx="2.2" ry="2.8" transform="rotate(14 16.4 13)" opacity=".75" />
      <ellipse cx="17.4" cy="4.4" rx="1.7" ry="2.2" transform="rotate(10 17.4 4.4)" opacity=".5" />
    </svg>
  );
}
