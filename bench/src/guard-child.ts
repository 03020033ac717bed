/**
 * Guarded calls in a process of their own, so that nothing else is on the heap: prints percentiles per round and how much the
 * heap has grown between the rounds, as JSON. Half of the calls are made in one long session, half in many short ones. The
 * arguments are how many calls, and the one kind that all rules are of.
 */
import { parsePolicy } from "@spoor/core/internal/policy/parse-policy";
import { createGuard, type GuardSession } from "@spoor/record";
import { guardKinds, guardRules } from "./guard-rules.ts";

const RULES = 100;
const TOOLS = 100;
const ROUNDS = 5;
const CALLS = Number(process.argv[2] ?? 1_000_000) / ROUNDS;
const CALLS_PER_TURN = 20;
const SESSIONS_PER_ROUND = 200;
const COUNTED = 1_000_000;
const kinds = process.argv[3] === undefined ? guardKinds : [process.argv[3]];

const guard = createGuard(parsePolicy(JSON.stringify({ rules: guardRules(RULES, kinds) }), { file: "bench.json" }), {
  turns: true,
  sessions: { max: SESSIONS_PER_ROUND },
});

type Tools = Readonly<Record<string, (input: object) => unknown>>;

interface Open {
  readonly session: GuardSession;
  readonly tools: Tools;
  calls: number;
}

function open(id: string): Open {
  const session = guard.session(id, { agent: "main", user: "ada" });
  const answer = ({ amount }: { readonly amount?: number }) => ({ ok: true, order: `order-${amount}` });
  const plain = Array.from({ length: TOOLS }, (_, n) => [`tool_${n}`, (input: object) => answer(input)]);
  return { session, tools: session.wrapTools(Object.fromEntries(plain) as Tools), calls: 0 };
}

const REQUEST = { model: "m", messages: [], metadata: { customer: "c-1", chunks: ["all is fine with the order"] } };
const RESPONSE = {
  content: [{ type: "text", text: '{"answer": "the order is fine"}' }],
  stop_reason: "end_turn",
  usage: { input_tokens: 1, output_tokens: 1 },
};

/** What coding agents type. Where all rules read commands, every other one is a chain, a pipe or quoted. */
const PLAIN_COMMANDS: readonly ((number: number) => string)[] = [
  (number) => `ls -l folder-${number}`,
  (number) => `npm run test:unit -- part-${number}`,
];
const COMMANDS =
  kinds.length > 1
    ? PLAIN_COMMANDS
    : [
        ...PLAIN_COMMANDS,
        (number: number) => `cd src/part-${number} && git status`,
        (number: number) => `git commit -m "Part ${number}" 2>&1 | tail -5`,
      ];

let made = 0;
let refused = 0;
let turns = 0;

/** One call, timed; every so often, untimed, a response before it. */
function take(opened: Open, times: Float64Array, place: number): void {
  const number = opened.calls++;
  if (number % CALLS_PER_TURN === 0) {
    if (!opened.session.turn(REQUEST, RESPONSE).allowed) refused++;
    turns++;
  }
  const tool = opened.tools[`tool_${number % TOOLS}`]!;
  const command = COMMANDS[((number / TOOLS) % COMMANDS.length) | 0]!(number % 1000);
  const input = { customer: "c-1", amount: number % 50, command, note: "a few words" };
  const before = performance.now();
  const answer = tool(input);
  times[place] = performance.now() - before;
  if (typeof answer !== "object") refused++;
  made++;
}

function heap(): number {
  globalThis.gc!();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

const long = open("long");
const rounds: object[] = [];
const heaps: number[] = [];
// What is compiled and filled once is not growth, and no call of a running agent.
for (let warm = 0; warm < 20_000; warm++) take(long, new Float64Array(1), 0);
for (let round = 0; round < ROUNDS; round++) {
  heaps.push(heap());
  const ofLong = percentiles(CALLS / 2, () => long);
  const ofMany = percentiles(CALLS / 2, sessionsOf(round));
  rounds.push({ long: ofLong, many: ofMany, machine: machineAlone(ofLong.p50) });
  // The long one is the least recently used by now, and would be the first to go.
  guard.session("long");
}
heaps.push(heap());
console.log(JSON.stringify({ rounds, heaps, refused, calls: made, turns }));

/** Calls go to the sessions in turn, as those of many users do. */
function sessionsOf(round: number): (call: number) => Open {
  const sessions = Array.from({ length: SESSIONS_PER_ROUND - 1 }, (_, n) => open(`round-${round}-${n}`));
  return (call) => {
    if (call === CALLS / 2 - 1) for (const { session } of sessions.slice(1)) session.close();
    return sessions[call === CALLS / 2 - 1 ? 0 : call % sessions.length]!;
  };
}

interface Percentiles {
  readonly p50: number;
  readonly p99: number;
}

function percentiles(calls: number, sessionOf: (call: number) => Open): Percentiles {
  const times = new Float64Array(calls);
  for (let call = 0; call < calls; call++) take(sessionOf(call), times, call);
  return percentilesOf(times);
}

/** Microseconds. */
function percentilesOf(times: Float64Array): Percentiles {
  times.sort();
  const at = (share: number) => times[Math.floor(times.length * share)]! * 1000;
  return { p50: at(0.5), p99: at(0.99) };
}

/**
 * How much longer than usual one of a hundred pieces of work takes that does nothing but count, as long as a call: what others
 * on this machine add, and no guard could save.
 */
function machineAlone(microseconds: number): number {
  const steps = Math.round((microseconds * COUNTED) / timeOf(COUNTED) / 1000);
  const times = new Float64Array(CALLS / 4);
  for (let piece = 0; piece < times.length; piece++) times[piece] = timeOf(steps);
  const { p50, p99 } = percentilesOf(times);
  return p99 - p50;
}

function timeOf(steps: number): number {
  const before = performance.now();
  let sum = 0;
  for (let step = 0; step < steps; step++) sum = (sum * 31 + step) | 0;
  refused += sum === 0.5 ? 1 : 0;
  return performance.now() - before;
}
