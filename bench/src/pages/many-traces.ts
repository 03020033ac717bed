/** The page of a gate over 2,000 traces as the command writes it, and the same page with its traces repeated until it lists 100,000. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { syntheticAgentlog } from "../synthetic.ts";

const spoorBin = fileURLToPath(new URL("../../../packages/spoor/bin/spoor.js", import.meta.url));
const DATA = /(<script[^>]*id="comparison-data"[^>]*>)([\s\S]*?)(<\/script>)/;

export const TRACES = 2_000;
export const ROWS = 100_000;

export interface ManyTraces {
  readonly page: string;
  /** What the page holds of them. */
  readonly data: string;
  readonly longPage: string;
}

export function writeManyTraces(folder: string): ManyTraces {
  rmSync(folder, { recursive: true, force: true });
  for (const side of ["baseline", "candidate"]) mkdirSync(`${folder}${side}`, { recursive: true });
  for (let index = 0; index < TRACES; index++) {
    const name = `task-${String(index).padStart(4, "0")}.agentlog`;
    writeFileSync(`${folder}baseline/${name}`, syntheticAgentlog({ turns: 4, seed: index }));
    writeFileSync(`${folder}candidate/${name}`, syntheticAgentlog({ turns: 4, seed: index, changed: 0.1 }));
  }
  writeFileSync(
    `${folder}spoor.config.yaml`,
    "agent: support_agent\ntraces: candidate\ndiff: { baseline: baseline }\ncohort: { use: never }\n",
  );
  runSpoor(folder, "gate", "-o", "report.html", "--quiet");
  const html = readFileSync(`${folder}report.html`, "utf8");
  const [all, before, data, after] = DATA.exec(html)!;
  const longPage = `${folder}long.html`;
  writeFileSync(
    longPage,
    html.replace(all, () => `${before}${repeated(data!)}${after}`),
  );
  return { page: pathToFileURL(`${folder}report.html`).href, data: data!, longPage: pathToFileURL(longPage).href };
}

/** Under names of their own; only the first have turns, as where a report has no room for all. */
function repeated(data: string): string {
  const view = JSON.parse(data) as { readonly traces: readonly { readonly key: string; readonly name: string }[] };
  const traces = Array.from({ length: ROWS }, (_, at) => {
    const trace = view.traces[at % view.traces.length]!;
    return at < view.traces.length
      ? trace
      : { ...trace, key: `${trace.key}-${at}`, name: `${trace.name}-${at}`, task: `task-${at}`, rows: [] };
  });
  return JSON.stringify({ ...view, traces }).replaceAll("<", "\\u003c");
}

export function runSpoor(cwd: string, ...args: string[]): void {
  const child = spawnSync(process.execPath, [spoorBin, ...args], {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, CI: "" },
  });
  if (child.status !== 0 && child.status !== 1) throw new Error(child.stderr);
}
