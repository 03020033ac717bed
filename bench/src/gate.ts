/** The front door: a gate over 200 trace pairs with policies and baselines, and the page of a 2,000-turn pair in a browser. */
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Benchmark, BenchmarkRow } from "./benchmark.ts";
import { inChromium, openSeconds } from "./pages/browser.ts";
import { syntheticAgentlog } from "./synthetic.ts";

const folder = fileURLToPath(new URL("../.data/gate/", import.meta.url));
const spoorBin = fileURLToPath(new URL("../../packages/spoor/bin/spoor.js", import.meta.url));
const PAIRS = 200;
const TURNS = 20;
const LONG = 2_000;

const POLICY = `rules:
  - { id: confirm-first, kind: must_call_before, severity: warning, params: { first: confirm_refund_amount, second: issue_refund } }
  - { id: few-refunds, kind: max_calls, severity: warning, params: { tool: issue_refund, limit: 3 } }
  - { id: no-apology, kind: forbidden_text, severity: info, params: { text: "so sorry" } }
  - { id: budget, kind: max_total_tokens, params: { limit: 1000000 } }
`;

export const gateBenchmark: Benchmark = {
  name: "gate",
  promise:
    "spoor gate over 200 trace pairs with policies and baselines within 3 s; a 2,000-turn report below 5 MB that opens within 1 s",
  async run() {
    return [gateRow(), ...(await pageRows())];
  },
};

function spoor(cwd: string, ...args: string[]): number {
  const started = process.hrtime.bigint();
  const child = spawnSync(process.execPath, [spoorBin, ...args], {
    cwd,
    encoding: "utf8",
    env: { ...process.env, CI: "" },
  });
  if (child.status !== 0 && child.status !== 1) throw new Error(child.stderr);
  return Number(process.hrtime.bigint() - started) / 1e9;
}

function gateRow(): BenchmarkRow {
  const project = `${folder}many/`;
  rmSync(project, { recursive: true, force: true });
  for (const side of ["baseline", "candidate"]) mkdirSync(`${project}${side}`, { recursive: true });
  for (let index = 0; index < PAIRS; index++) {
    const name = `task-${String(index).padStart(3, "0")}.agentlog`;
    writeFileSync(`${project}baseline/${name}`, syntheticAgentlog({ turns: TURNS, seed: index }));
    writeFileSync(`${project}candidate/${name}`, syntheticAgentlog({ turns: TURNS, seed: index, changed: 0.05 }));
  }
  writeFileSync(`${project}policy.yaml`, POLICY);
  writeFileSync(
    `${project}spoor.config.yaml`,
    "agent: support_agent\ntraces: candidate\ndiff: { baseline: baseline }\npolicy: { files: [policy.yaml] }\nbaseline: { file: baselines/support_agent.json }\n",
  );
  spoor(project, "baseline", "build", "baseline", "--quiet");
  const seconds = Math.min(...[1, 2, 3].map(() => spoor(project, "gate", "-o", "report.html", "--quiet")));
  return {
    what: `spoor gate over ${PAIRS} trace pairs of ${TURNS} turns, four rules, a baseline and the HTML report`,
    measured: `${seconds.toFixed(2)} s`,
    against: "3 s of wall time, smallest of 3 runs",
    kept: seconds <= 3,
  };
}

async function pageRows(): Promise<BenchmarkRow[]> {
  const project = `${folder}long/`;
  rmSync(project, { recursive: true, force: true });
  for (const [side, changed] of [
    ["baseline", 0],
    ["candidate", 0.02],
  ] as const) {
    mkdirSync(`${project}${side}`, { recursive: true });
    writeFileSync(`${project}${side}/long.agentlog`, syntheticAgentlog({ turns: LONG, seed: 7, changed }));
  }
  writeFileSync(
    `${project}spoor.config.yaml`,
    "agent: support_agent\ntraces: candidate\ndiff: { baseline: baseline }\n",
  );
  spoor(project, "gate", "-o", "report.html", "--quiet");
  const file = `${project}report.html`;
  const megabytes = statSync(file).size / 1e6;
  const size: BenchmarkRow = {
    what: `HTML report of a ${LONG.toLocaleString("en")}-turn pair`,
    measured: `${megabytes.toFixed(1)} MB`,
    against: "5 MB",
    kept: megabytes < 5,
  };
  const [seconds] = (await inChromium((browser) => openSeconds(browser, pathToFileURL(file).href))) ?? [];
  if (seconds === undefined)
    return [size, { what: "opening it in Chromium", measured: "not measured", against: "no Chromium here" }];
  return [
    size,
    {
      what: "opening it in Chromium until it can be used",
      measured: `${seconds.toFixed(2)} s`,
      against: "1 s, smallest of 5",
      kept: seconds <= 1,
    },
  ];
}
