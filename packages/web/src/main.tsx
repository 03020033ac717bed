/** The report's script: mounts what the page holds data of, and makes theme, search, address and keys work. */
import "./report.css";
import type { ComparisonView } from "@spoor/core/internal/gate/comparison-view";
import type { RunView } from "@spoor/core/internal/report/run-view";
import { render } from "preact";
import { useEffect } from "preact/hooks";
import { writeAddress } from "./address.ts";
import { Comparison } from "./comparison.tsx";
import { listenToKeys } from "./keys.ts";
import { Live } from "./live.tsx";
import { usePageAddress } from "./page-address.ts";
import type { ListedRun } from "./run-list.tsx";
import { Runs } from "./runs.tsx";
import { searchPage } from "./search-page.ts";
import { toggleTheme } from "./theme.ts";

const byId = (id: string) => document.getElementById(id);
const dataOf = (id: string): unknown => JSON.parse(byId(id)?.textContent || "null");

function ComparisonOnPage({ view }: { view: ComparisonView }) {
  const { place, query, only, jump, go } = usePageAddress();
  useReady("timeline");
  return (
    <Comparison
      view={view}
      query={query}
      place={place}
      jump={jump}
      onPlace={(next) => go({ place: next })}
      only={only}
      onOnly={(next) => go({ only: next })}
      listen={listenToKeys}
      hrefOf={(next, filter) => writeAddress({ place: next, query, only: filter, vs: "" })}
    />
  );
}

/** Each run's data is read when it is opened: a page may hold thousands. */
const readRun = (runs: readonly ListedRun[]) => (key: string) =>
  dataOf(`run-${runs.findIndex((run) => run.key === key)}`) as RunView;

function RunsOnPage({ runs, load }: { runs: readonly ListedRun[]; load: (key: string) => RunView }) {
  const address = usePageAddress();
  useReady("runs");
  return <Runs {...address} runs={runs} load={load} listen={listenToKeys} />;
}

/** For whoever drives the page: from now on keys and addresses are listened to. */
const isReady = (id: string) => byId(id)?.setAttribute("data-ready", "");

function useReady(id: string): void {
  useEffect(() => isReady(id), [id]);
}

const comparison = dataOf("comparison-data") as ComparisonView | null;
const runs = dataOf("runs-data") as readonly ListedRun[] | null;
const isLive = document.documentElement.dataset["live"] !== undefined;
const runsAreReady = () => isReady("runs");
const runsTree = isLive ? (
  <Live onReady={runsAreReady} />
) : runs === null ? undefined : (
  <RunsOnPage runs={runs} load={readRun(runs)} />
);
const mounts = [
  { mount: byId("timeline"), tree: comparison === null ? undefined : <ComparisonOnPage view={comparison} /> },
  { mount: byId("runs"), tree: runsTree },
];
for (const { mount, tree } of mounts) {
  if (mount === null || tree === undefined) continue;
  mount.replaceChildren();
  render(tree, mount);
}
const field = byId("search");
const page = byId("main");
if (comparison === null && runsTree === undefined) {
  if (field instanceof HTMLInputElement && page !== null) searchPage(field, page);
  isReady("main");
}

const showKeys = () => (byId("keys") as HTMLDialogElement | null)?.showModal();
byId("theme")?.addEventListener("click", toggleTheme);
byId("help")?.addEventListener("click", showKeys);
listenToKeys({ "?": showKeys, t: toggleTheme, "/": () => field?.focus() });
