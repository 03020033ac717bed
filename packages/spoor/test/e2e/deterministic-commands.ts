/** Commands whose output depends on their inputs alone. Those that start a program tell how long it took: for them the clock stands still. */
import { everyReport } from "./every-report.ts";

interface DeterministicCommand {
  readonly name: string;
  readonly args: readonly string[];
  /** Written in every format, too. */
  readonly isReport: boolean;
  readonly isTimed: boolean;
}

const TIMED = new Set(["eval", "record"]);
/** Its JSON names the recordings that it looked at by their whole paths. */
const NAMES_FOLDERS = new Set(["replay"]);

const plain: readonly (readonly string[])[] = [
  ["show", "candidate/ticket-1042.agentlog", "--full"],
  ["show", "candidate"],
  ["verify", "candidate"],
  ["convert", "candidate/ticket-1042.agentlog", "--to", "otlp"],
  ["convert", "candidate/ticket-1042.agentlog", "--to", "agentlog", "--redact"],
  ["policy", "test", "policies/refunds.yaml"],
  ["init", "--yes"],
  ["formats"],
  ["schema", "config"],
  ["completion", "bash"],
  ["help", "gate"],
];

export const deterministicCommands: readonly DeterministicCommand[] = [
  ...reportsOf((name) => !TIMED.has(name)),
  ...plain.map((args) => ({ name: args.join(" "), args, isReport: false, isTimed: false })),
  // Last, because the clock does not go on after them.
  ...reportsOf((name) => TIMED.has(name)),
];

function reportsOf(isMeant: (name: string) => boolean): DeterministicCommand[] {
  return everyReport
    .filter(({ name }) => isMeant(name) && !NAMES_FOLDERS.has(name))
    .map(({ name, args }) => ({ name, args, isReport: true, isTimed: TIMED.has(name) }));
}
