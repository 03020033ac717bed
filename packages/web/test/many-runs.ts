/**
 * A project with 2,000 runs a side: 400 scenarios, five times each. Of the candidate's, 200 refund without asking (two repeats of the first
 * hundred scenarios) and 250 refund twice as much (all repeats of the next fifty); three runs are new, and two of the baseline's are gone.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { recordsOf, type TurnSpec } from "../../core/test/build.ts";
import { writeAgentlog } from "../../spoor/src/formats/agentlog.ts";

export const SCENARIOS = 400;
export const REPEATS = 5;

export function writeManyRuns(folder: string): void {
  for (const side of ["baseline", "candidate"]) mkdirSync(join(folder, side));
  const write = (side: string, name: string, task: string, turns: readonly TurnSpec[]) =>
    writeFileSync(
      join(folder, side, `${name}.agentlog`),
      writeAgentlog(recordsOf(turns, { sdk: { name: "test", version: "0" }, scenario_id: task })),
    );
  for (let at = 0; at < SCENARIOS; at++) {
    const task = `task-${String(at).padStart(3, "0")}`;
    for (let repeat = 1; repeat <= REPEATS; repeat++) {
      const name = `${task}-${repeat}`;
      const asks = !(at < 100 && repeat <= 2);
      const amount = 10 + (at % 7);
      write("baseline", name, task, refund(at, amount, true));
      write("candidate", name, task, refund(at, at >= 100 && at < 150 ? 2 * amount : amount, asks));
    }
  }
  for (let at = 1; at <= 3; at++) write("candidate", `extra-${at}`, `extra-${at}`, refund(at, 5, true));
  for (let at = 1; at <= 2; at++) write("baseline", `old-${at}`, `old-${at}`, refund(at, 5, true));
  writeFileSync(
    join(folder, "policy.yaml"),
    "rules:\n  - { id: ask-first, kind: must_call_before, params: { first: confirm, then: refund } }\n",
  );
  writeFileSync(
    join(folder, "spoor.config.yaml"),
    "agent: tester\nnoun: ticket\ntraces: candidate\ndiff: { baseline: baseline }\npolicy: { files: [policy.yaml] }\ncohort: { use: never }\n",
  );
}

function refund(at: number, amount: number, asks: boolean): TurnSpec[] {
  const order = `A-${at}`;
  return [
    {
      user: `Order ${order} is broken.`,
      calls: [{ name: "lookup", input: { order }, output: { order, state: "shipped" } }],
    },
    ...(asks ? [{ calls: [{ name: "confirm", input: { order, amount }, output: { confirmed: true } }] }] : []),
    {
      calls: [{ name: "refund", input: { order, refund: { amount, currency: "EUR" } }, output: `refunded ${amount}` }],
    },
    { text: `I have refunded ${amount} euros.` },
  ];
}
