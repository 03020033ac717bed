/** Commands whose output depends on their inputs alone. Those that start a program tell how long it took, and are not among them. */
import { everyReport } from "./every-report.ts";

interface DeterministicCommand {
  readonly name: string;
  readonly args: readonly string[];
  /** Written in every format, too. */
  readonly isReport: boolean;
}

const TIMED = new Set(["eval", "record", "replay"]);

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
  ...everyReport.filter(({ name }) => !TIMED.has(name)).map(({ name, args }) => ({ name, args, isReport: true })),
  ...plain.map((args) => ({ name: args.join(" "), args, isReport: false })),
];
