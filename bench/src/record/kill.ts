/** Records that were acknowledged and are not on disk after `kill -9`. */
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { BenchmarkRow } from "../benchmark.ts";

const child = fileURLToPath(new URL("./kill-child.js", import.meta.url));
const KILLS = 12;

export async function killRows(): Promise<BenchmarkRow[]> {
  let acknowledged = 0;
  let lost = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    const folder = mkdtempSync(join(tmpdir(), "spoor-kill-"));
    try {
      const told = await killedAfter(2_000 * (kill + 1), folder, kill % 2 === 0 ? 200 : 20_000);
      acknowledged += told;
      lost += Math.max(0, told - linesIn(folder));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return [
    {
      what: `acknowledged records lost at kill -9, ${KILLS} kills, records of 200 B and 20 KB`,
      measured: `${lost} of ${acknowledged}`,
      against: "0",
      kept: lost === 0,
    },
  ];
}

/** How many records the child said were written, when it was killed after so many. */
function killedAfter(records: number, folder: string, size: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const process_ = spawn(process.execPath, [child, folder, String(size)], { stdio: ["ignore", "pipe", "inherit"] });
    let told = 0;
    let rest = "";
    process_.stdout.on("data", (data: Buffer) => {
      const lines = (rest + data.toString()).split("\n");
      rest = lines.pop() ?? "";
      told = Number(lines.at(-1) ?? told);
      if (told >= records) process_.kill("SIGKILL");
    });
    process_.on("error", reject);
    process_.on("close", () => resolve(told));
  });
}

function linesIn(folder: string): number {
  return readdirSync(folder).reduce(
    (sum, name) => sum + readFileSync(join(folder, name), "utf8").split("\n").length - 1,
    0,
  );
}
