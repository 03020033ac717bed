/** The program itself, as a user starts it: a suite of ten thousand cases, and fifty workers before a server that refuses most of them. */
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { BenchmarkRow } from "./benchmark.ts";
import { childCpu } from "./child-figures.ts";

const PROGRAM = fileURLToPath(new URL("../../packages/spoor/bin/spoor.js", import.meta.url));
const FLOOR = fileURLToPath(new URL("./evals-floor-child.js", import.meta.url));
const CASES = 10_000;
/** What the runner took of the bare program when it took 5 s, measured by turns on one machine (see the README). */
const MOST_TIMES = 3.2;
const MOST_MB = 255;
const ROUNDS = 3;

export async function manyCasesRow(folder: string): Promise<BenchmarkRow> {
  const response = {
    output_messages: [{ role: "assistant", tool_calls: [{ tool: "a", input: { q: 1 } }], content: "ok" }],
  };
  const evaluators = [{ name: "path", type: "tool_trajectory", mode: "any_order", minimums: { a: 1 } }];
  const home = project(folder, "many", { name: "m", provider: "mock", response }, evaluators, CASES);
  let [cpu, floor, mb] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 0];
  // By turns, the least of each: seconds of a busy machine say nothing, and both see the same one.
  for (let round = 0; round < ROUNDS; round++) {
    const used = await runProgram(home, ["--overwrite"]);
    if (used.code !== 0) throw new Error("the benchmark did not do its work");
    cpu = Math.min(cpu, used.cpu);
    mb = Math.max(mb, used.mb);
    floor = Math.min(floor, childCpu([FLOOR, "cases.jsonl", "r.jsonl", "floor.jsonl"], { cwd: home }));
  }
  return {
    what: `spoor eval, ${CASES} cases of a JSONL file: processor time against a bare program, five times over the same lines; memory`,
    measured: `${(cpu / floor).toFixed(1)} times (${cpu.toFixed(1)} s), ${Math.round(mb)} MB`,
    against: `${MOST_TIMES} times (${floor.toFixed(1)} s each), ${MOST_MB} MB`,
    kept: cpu / floor <= MOST_TIMES && mb <= MOST_MB,
  };
}

const ALLOWED = 10;
const WINDOW_MS = 5000;
const ASKED = 60;
const WORKERS = 50;

export async function refusingServerRow(folder: string): Promise<BenchmarkRow> {
  let served: number[] = [];
  let refused = 0;
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      const now = performance.now();
      served = served.filter((at) => now - at < WINDOW_MS);
      response.setHeader("content-type", "application/json");
      if (served.length >= ALLOWED) {
        refused++;
        response.setHeader("retry-after", String(Math.ceil((WINDOW_MS - (now - served[0]!)) / 1000)));
        response.writeHead(429).end("{}");
        return;
      }
      served.push(now);
      response.end(JSON.stringify({ choices: [{ message: { role: "assistant", content: "ok" } }] }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    const target = { name: "m", provider: "openai-compatible", base_url, model: "m" };
    const home = project(folder, "refused", target, [{ name: "answer", type: "contains", value: "ok" }], ASKED);
    const used = await runProgram(home, ["--workers", String(WORKERS)]);
    const lines = readFileSync(join(home, "r.jsonl"), "utf8").trim().split("\n");
    const passed = lines.filter((line) => (JSON.parse(line) as { passed: boolean }).passed).length;
    return {
      what: `${WORKERS} workers, ${ASKED} cases, a server that allows ${ALLOWED} requests in ${WINDOW_MS / 1000} s`,
      measured: `${passed} of ${ASKED} pass, ${refused} requests refused, ${used.wall.toFixed(0)} s`,
      against: `all of them; the server alone needs ${((ASKED / ALLOWED - 1) * WINDOW_MS) / 1000} s`,
      kept: used.code === 0 && passed === ASKED,
    };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

function project(folder: string, name: string, target: object, evaluators: readonly object[], cases: number): string {
  const home = join(folder, name);
  mkdirSync(home);
  writeFileSync(join(home, "package.json"), "{}");
  writeFileSync(join(home, "targets.yaml"), JSON.stringify({ targets: [target] }));
  const lines = Array.from(
    { length: cases },
    (_, index) => `${JSON.stringify({ id: `c${index}`, input: `x${index}` })}\n`,
  );
  writeFileSync(join(home, "cases.jsonl"), lines.join(""));
  writeFileSync(join(home, "e.yaml"), JSON.stringify({ target: "m", evaluators, tests: "cases.jsonl" }));
  // Told by the program itself when it ends: nobody else knows what it took.
  const note =
    'process.on("exit", () => require("node:fs").writeFileSync(process.env.USED, JSON.stringify({ cpu: process.cpuUsage(), rss: process.resourceUsage().maxRSS })));';
  writeFileSync(join(home, "note.cjs"), note);
  return home;
}

interface Used {
  readonly code: number | null;
  /** Seconds. */
  readonly cpu: number;
  readonly wall: number;
  readonly mb: number;
}

async function runProgram(home: string, options: readonly string[]): Promise<Used> {
  const startedAt = performance.now();
  const args = ["--require", "./note.cjs", PROGRAM, "eval", "e.yaml", "--quiet", "--results", "r.jsonl", ...options];
  const child = spawn(process.execPath, args, {
    cwd: home,
    env: { ...process.env, USED: join(home, "used") },
    stdio: "ignore",
  });
  const code = await new Promise<number | null>((resolve, reject) => child.on("close", resolve).on("error", reject));
  const told = JSON.parse(readFileSync(join(home, "used"), "utf8")) as { cpu: NodeJS.CpuUsage; rss: number };
  return {
    code,
    cpu: (told.cpu.user + told.cpu.system) / 1e6,
    wall: (performance.now() - startedAt) / 1000,
    mb: told.rss / 1024,
  };
}
