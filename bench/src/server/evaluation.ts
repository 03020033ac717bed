/**
 * What it costs to evaluate what arrived: CPU of reading it out of the inbox, asking the lenses, packing the body and writing everything in one transaction, over
 * what `spoor fingerprint` and `spoor check` do with the same recordings in a process that is warm: read, fingerprint, twelve rules.
 */
import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { runFacts } from "@spoor/core/internal/fingerprint/run-facts";
import { checkPolicy } from "@spoor/core/internal/policy/check-policy";
import { parsePolicy } from "@spoor/core/internal/policy/parse-policy";
import { evaluateArrival } from "@spoor/server/internal/stages/evaluate-arrival";
import type { RunRules } from "@spoor/server/internal/stages/run-rules";
import { createInbox } from "@spoor/server/internal/store/inbox";
import { createProjects } from "@spoor/server/internal/store/projects";
import { loadTraceFile } from "spoor/internal/load/load-traces";
import type { BenchmarkRow } from "../benchmark.ts";
import { syntheticAgentlog } from "../synthetic.ts";
import { TWELVE_RULES } from "../twelve-rules.ts";
import { benchEngines } from "./bench-engine.ts";

const RUNS = 600;
const ROUNDS = 5;
const MOST = 2;
const TODAY = "2026-11-16";

export async function evaluationRows(): Promise<BenchmarkRow[]> {
  const policy = parsePolicy(TWELVE_RULES, { file: "bench.yaml" });
  const rules: RunRules = { policy: { policy, hash: "bench", failOn: "severe" }, today: TODAY };
  const rows: BenchmarkRow[] = [];
  for (const { name, open } of benchEngines()) {
    const engine = await open("evaluation");
    const { id: projectId } = await createProjects(engine, Date.now).ensure("bench");
    const inbox = createInbox(engine, Date.now);
    let best = { ours: Number.POSITIVE_INFINITY, floor: 1 };
    for (let round = 0; round < ROUNDS; round++) {
      const texts = Array.from({ length: RUNS }, (_, at) =>
        syntheticAgentlog({ turns: 5 + (at % 21), seed: round * RUNS + at }),
      );
      for (let at = 0; at < RUNS; at += 200)
        await inbox.append(
          texts.slice(at, at + 200).map((text) => ({
            projectId,
            contentId: createHash("sha256").update(text).digest(),
            source: { release: `v${round}` },
            codec: "gzip" as const,
            body: gzipSync(text),
            receivedAt: Date.now(),
          })),
        );
      const ours = await secondsOf(async () => {
        const evaluate = () =>
          inbox.claim(200, (arrivals) =>
            Promise.all(arrivals.map((arrival) => evaluateArrival(arrival, async () => rules))),
          );
        while ((await evaluate()) > 0);
      });
      const floor = await secondsOf(async () => {
        for (const text of texts)
          for (const trace of await loadTraceFile("run.agentlog", { bytes: Buffer.from(text) })) {
            runFacts(trace);
            checkPolicy(trace, policy, { today: TODAY });
          }
      });
      if (ours / floor < best.ours / best.floor) best = { ours, floor };
    }
    await engine.close();
    const ratio = best.ours / best.floor;
    rows.push({
      what: `evaluation of a run of 5 to 25 turns, ${name}, everything written`,
      measured: `${ratio.toFixed(1)} times (${((best.ours / RUNS) * 1000).toFixed(2)} ms)`,
      against: `reading, fingerprint and twelve rules of the same, ${((best.floor / RUNS) * 1000).toFixed(2)} ms`,
      kept: ratio <= MOST,
    });
  }
  return rows;
}

/** CPU of the whole process; the database's own is not in it. */
async function secondsOf(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}
