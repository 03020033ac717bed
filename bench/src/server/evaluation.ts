/**
 * What it costs to evaluate what arrived: CPU of reading it out of the inbox, asking the lenses, packing the body and writing everything in one transaction, over
 * what `spoor fingerprint` and `spoor check` do with the same recordings in a process that is warm: read, fingerprint, twelve rules.
 */
import { runFacts } from "@spoor/core/internal/fingerprint/run-facts";
import { checkPolicy } from "@spoor/core/internal/policy/check-policy";
import { parsePolicy } from "@spoor/core/internal/policy/parse-policy";
import { evaluateWaiting } from "@spoor/server/internal/stages/evaluator";
import { createProjectRules } from "@spoor/server/internal/stages/project-rules";
import { openStore } from "@spoor/server/internal/store/open-store";
import { loadTraceFile } from "spoor/internal/load/load-traces";
import type { BenchmarkRow } from "../benchmark.ts";
import { TWELVE_RULES } from "../twelve-rules.ts";
import type { BenchEngine } from "./bench-engine.ts";
import { agentlogOf, arrivalOf, conversationOf } from "./recordings.ts";
import type { ServerFigures } from "./server-figures.ts";

const RUNS = 600;
const ROUNDS = 5;
const MOST = 2;
const TODAY = "2026-11-16";

interface Kind {
  readonly what: string;
  readonly file: string;
  text(index: number): string;
}

const KINDS: readonly Kind[] = [
  { what: "a recording of 5 to 25 turns", file: "run.agentlog", text: agentlogOf },
  {
    what: "a conversation of 31 messages in another format",
    file: "run.json",
    text: (index) => conversationOf("evaluation", index),
  },
];

export async function evaluationRows(engines: readonly BenchEngine[], figures: ServerFigures): Promise<BenchmarkRow[]> {
  const rows: BenchmarkRow[] = [];
  for (const engine of engines) {
    for (const kind of KINDS) {
      const { ours, floor } = await costOf(engine, kind);
      const ms = (ours / RUNS) * 1000;
      // Plans are made for the dearer kind.
      figures.evaluationMs[engine.kind] = Math.max(ms, figures.evaluationMs[engine.kind] ?? 0);
      rows.push({
        what: `evaluation of ${kind.what}, ${engine.name}, everything written`,
        measured: `${(ours / floor).toFixed(1)} times (${ms.toFixed(2)} ms)`,
        against: `reading, fingerprint and twelve rules of the same, ${((floor / RUNS) * 1000).toFixed(2)} ms`,
        kept: ours <= MOST * floor,
      });
    }
  }
  return rows;
}

async function costOf(engine: BenchEngine, kind: Kind): Promise<{ readonly ours: number; readonly floor: number }> {
  const policy = parsePolicy(TWELVE_RULES, { file: "bench.yaml" });
  const store = await openStore(await engine.empty("evaluation"));
  const { id: projectId } = await store.projects.ensure("bench");
  await store.configs.put(projectId, "policy", "bench.yaml", TWELVE_RULES, Date.now());
  const rules = createProjectRules(store);
  let best = { ours: Number.POSITIVE_INFINITY, floor: 1 };
  for (let round = 0; round < ROUNDS; round++) {
    const texts = Array.from({ length: RUNS }, (_, at) => kind.text(round * RUNS + at));
    for (let at = 0; at < RUNS; at += 200)
      await store.inbox.append(texts.slice(at, at + 200).map((text) => arrivalOf(projectId, text, `v${round}`)));
    const ours = await secondsOf(async () => {
      while ((await evaluateWaiting(store, { now: () => new Date(TODAY) }, rules)) > 0);
    });
    const floor = await secondsOf(async () => {
      for (const text of texts)
        for (const trace of await loadTraceFile(kind.file, { bytes: Buffer.from(text) })) {
          runFacts(trace);
          checkPolicy(trace, policy, { today: TODAY });
        }
    });
    if (ours / floor < best.ours / best.floor) best = { ours, floor };
  }
  const page = await store.runs.page(projectId, {}, undefined, 1);
  if (page.length === 0) throw new Error("Nothing was evaluated.");
  await store.close();
  return best;
}

/** CPU of the whole process; the database's own is not in it. */
async function secondsOf(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}
