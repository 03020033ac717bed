/** The dashboard of the service: signs in where that is needed, follows the address, and hands every page what it needs. */
import "../report.css";
import "./dashboard.css";
import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { AskError, ask } from "./ask.ts";
import { Baselines } from "./baselines.tsx";
import { Behaviours } from "./behaviours.tsx";
import { Cohorts } from "./cohorts.tsx";
import { Compare } from "./compare.tsx";
import { useLive } from "./live.ts";
import { Overview } from "./overview.tsx";
import type { PageProps } from "./page-props.ts";
import { pageAt } from "./pages.ts";
import { type Place, usePlace } from "./place.ts";
import { Policies } from "./policies.tsx";
import { Run } from "./run.tsx";
import { Runs } from "./runs.tsx";
import { type Me, SignIn } from "./session.tsx";
import { Settings } from "./settings.tsx";
import { Shell } from "./shell.tsx";
import { keptTheme } from "./theme.ts";
import { Trouble } from "./trouble.tsx";

function App() {
  const place = usePlace();
  const [me, setMe] = useState<Me | AskError | undefined>(undefined);
  const isIn = me !== undefined && !(me instanceof AskError);
  const live = useLive(isIn);
  useEffect(() => {
    // Again after every break: a session may have ended meanwhile.
    if (!live.isHeard && isIn) void whoAmI().then((next) => (isSignedOut(next) ? setMe(next) : undefined));
  }, [live.isHeard, isIn]);
  useEffect(() => void whoAmI().then(setMe), []);
  const page = pageAt(place.path);
  useEffect(() => {
    document.title = [page?.title, isIn ? me.project : undefined, "Spoor"].filter(Boolean).join(" · ");
  }, [page, me, isIn]);
  // For whoever drives the page: from now on keys and addresses are listened to.
  useEffect(() => document.getElementById("app")?.setAttribute("data-ready", ""), []);
  return (
    <Shell
      me={isIn ? me : undefined}
      page={page}
      live={live}
      find={place.path === "/runs" ? (place.query.get("q") ?? "") : ""}
      onSignedOut={() => void whoAmI().then(setMe)}
    >
      {me === undefined ? (
        <p className="empty">Asking …</p>
      ) : !(me instanceof AskError) ? (
        <Page place={place} me={me} version={live.version} />
      ) : isSignedOut(me) ? (
        <SignIn onSignedIn={setMe} />
      ) : (
        <Refused trouble={me} onAgain={() => void whoAmI().then(setMe)} />
      )}
    </Shell>
  );
}

function Page(props: PageProps) {
  const { path } = props.place;
  if (path === "/") return <Overview {...props} />;
  if (path === "/runs") return <Runs {...props} />;
  if (path === "/compare") return <Compare {...props} />;
  if (path === "/behaviours") return <Behaviours {...props} />;
  if (path === "/cohorts") return <Cohorts {...props} />;
  if (path === "/policies") return <Policies {...props} />;
  if (path === "/baselines") return <Baselines {...props} />;
  if (path === "/settings") return <Settings {...props} />;
  const id = /^\/runs\/([^/]+)$/.exec(path)?.[1];
  if (id !== undefined) return <Run key={id} {...props} id={decoded(id)} />;
  return <NoPage place={props.place} />;
}

/** What is no encoding at all is the id of no run either. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function NoPage({ place }: { place: Place }) {
  return (
    <section className="lead alone">
      <h1>There is no page here</h1>
      <p className="lede">
        <code>{place.path}</code> is no address of the dashboard. <a href="/">The overview</a> is.
      </p>
    </section>
  );
}

/** Not a matter of signing in: the service is away, or this name of it is not answered. */
function Refused({ trouble, onAgain }: { trouble: AskError; onAgain: () => void }) {
  return (
    <section className="lead alone">
      <Trouble trouble={trouble} />
      <button type="button" className="btn" onClick={onAgain}>
        Ask again
      </button>
    </section>
  );
}

function whoAmI(): Promise<Me | AskError> {
  return ask<Me>("/me").catch((error: unknown) => {
    if (error instanceof AskError) return error;
    throw error;
  });
}

/** A token without the scope to look is no way in either: another one may be. */
function isSignedOut(me: Me | AskError): me is AskError {
  return me instanceof AskError && (me.status === 401 || me.code === "auth.scope");
}

keptTheme();
render(<App />, document.getElementById("app")!);
