/** The pages in a real browser: how soon they can be used, and whether long lists scroll as evenly as the barest. */
import { mkdirSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { serve } from "@spoor/server";
import type { Browser } from "playwright-core";
import type { Benchmark, BenchmarkRow } from "./benchmark.ts";
import { dataFolder } from "./child-figures.ts";
import { writeBareList, writeBarePage } from "./pages/bare-page.ts";
import { inChromium, openSeconds, type Scrolled, scrollList } from "./pages/browser.ts";
import { ROWS, runSpoor, TRACES, writeManyTraces } from "./pages/many-traces.ts";
import { benchFile } from "./server/bench-engine.ts";
import { filled } from "./server/newest-page.ts";
import { syntheticAgentlog } from "./synthetic.ts";

const folder = `${dataFolder}pages/`;
const TURNS = 5_000;
/** Of the frames, beyond those of the barest list in the same run. */
const MOST_SLOW = 0.01;
const MOST_ROWS = 60;

export const pagesBenchmark: Benchmark = {
  name: "pages",
  promise:
    "the page of a gate over 2,000 traces opens within 1 s; lists of 100,000 rows and a run of 5,000 turns scroll for 10 s with at most 1 % of the frames over 50 ms beyond those of the barest list of as many rows, and at most 60 rows at once",
  async run() {
    return (await inChromium(rowsOf)) ?? [];
  },
};

async function rowsOf(browser: Browser): Promise<BenchmarkRow[]> {
  mkdirSync(folder, { recursive: true });
  const many = writeManyTraces(`${folder}many/`);
  const run = writeLongRun();
  const bare = writeBareList(`${folder}bare-list.html`, ROWS);
  const service = await serveManyRuns();
  const opened = await openRow(browser, many.page, writeBarePage(`${folder}bare.html`, many.data));
  const rows: BenchmarkRow[] = [opened];
  for (const [what, url, list] of [
    [`${ROWS.toLocaleString("en")} traces in the page of a gate`, many.longPage, ".trace-rows"],
    [`${ROWS.toLocaleString("en")} runs in the dashboard`, `${service.url}/runs`, ".dash-list"],
    [`${TURNS.toLocaleString("en")} turns in the page of a run`, run, ".run-rows"],
  ] as const) {
    const [floor, ours] = await leastOfScrolls(
      () => scrollList(browser, bare, ".bare"),
      () => scrollList(browser, url, list),
    );
    const [share, least] = [shareOf(ours), shareOf(floor)];
    rows.push({
      what: `scrolling ${what}`,
      measured: `${(100 * share).toFixed(1)} % of ${ours.frames} frames over 50 ms, at most ${ours.rows} rows`,
      against: `the barest list of as many rows, ${(100 * least).toFixed(1)} % of ${floor.frames} frames`,
      kept: share <= least + MOST_SLOW && ours.rows <= MOST_ROWS,
    });
  }
  await service.stop();
  return rows;
}

const shareOf = ({ slow, frames }: Scrolled) => slow / frames;

/** By turns, so that a busy minute burdens both; of each the most even. */
async function leastOfScrolls(...ways: readonly (() => Promise<Scrolled>)[]): Promise<[Scrolled, Scrolled]> {
  const best: Scrolled[] = [];
  for (let round = 0; round < 3; round++)
    for (const [index, scroll] of ways.entries()) {
      const next = await scroll();
      const rows = Math.max(next.rows, best[index]?.rows ?? 0);
      const kept = best[index] === undefined || shareOf(next) < shareOf(best[index]) ? next : best[index];
      best[index] = { ...kept, rows };
    }
  return best as [Scrolled, Scrolled];
}

async function openRow(browser: Browser, page: string, bare: string): Promise<BenchmarkRow> {
  const [floor, ours] = (await openSeconds(browser, bare, page)) as [number, number];
  return {
    what: `opening the page of a gate over ${TRACES.toLocaleString("en")} traces until it can be used`,
    measured: `${ours.toFixed(2)} s`,
    against: `1 s, smallest of 5; a page that only parses the same data takes ${floor.toFixed(2)} s`,
    kept: ours <= 1,
  };
}

function writeLongRun(): string {
  writeFileSync(`${folder}long.agentlog`, syntheticAgentlog({ turns: TURNS, seed: 11 }));
  runSpoor(folder, "show", "long.agentlog", "-o", "run.html");
  return pathToFileURL(`${folder}run.html`).href;
}

async function serveManyRuns(): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const { address, engine } = await filled(benchFile, ROWS);
  await engine.close();
  return serve({ store: address, host: "127.0.0.1", port: 0, project: "bench" });
}
