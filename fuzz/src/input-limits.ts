/**
 * What one input may take, watched from a thread of its own: processor time and memory of the process, which a busy machine does not change as
 * it changes the time on the wall. An input that only waits uses neither; it is let wait for a number of looks of the thread at which it had done nothing.
 */
import { appendFileSync, openSync, readFileSync, writeFileSync, writeSync } from "node:fs";
import { isMainThread, threadId, Worker, workerData } from "node:worker_threads";

export interface InputLimits {
  readonly cpuMs: number;
  readonly rssMiB: number;
  /** Of the heap; whoever starts the process sets it. */
  readonly heapMiB: number;
  /** Looks of the thread, two in a second, between which it did nothing. */
  readonly looks: number;
}

export const INPUT_LIMITS: InputLimits = { cpuMs: 30_000, rssMiB: 2_048, heapMiB: 1_024, looks: 600 };

export type Excess = "hang" | "memory" | "wait";

export interface InputWatch {
  begin(number: number): void;
  /** Processor milliseconds since it began. */
  end(): number;
}

interface WatchData {
  readonly limits: InputLimits;
  readonly shared: SharedArrayBuffer;
  readonly file: string | undefined;
}

/** `file` is where parents find what the process was at; it is killed when an input takes more than it may. */
export function watchInputs(file: string | undefined, limits: InputLimits = INPUT_LIMITS): InputWatch {
  const shared = new SharedArrayBuffer(SLOTS * Float64Array.BYTES_PER_ELEMENT);
  const slots = new Float64Array(shared);
  const mark = Buffer.alloc(8);
  const opened = file === undefined ? undefined : openSync(file, "r+");
  const workerData: WatchData = { limits, shared, file };
  new Worker(new URL(import.meta.url), { workerData }).unref();
  return {
    begin(number) {
      mark.writeDoubleLE(number);
      if (opened !== undefined) writeSync(opened, mark, 0, mark.length, 0);
      slots[CPU] = usedMs();
      slots[TURN]! += 1;
      slots[RUNS] = 1;
    },
    end() {
      slots[RUNS] = 0;
      return usedMs() - slots[CPU]!;
    },
  };
}

/** The file of a process that has not begun. */
export function beginMark(file: string): void {
  const none = Buffer.alloc(8);
  none.writeDoubleLE(-1);
  writeFileSync(file, none);
}

/** What a process that is gone was at, and why it is. */
export function readMark(file: string): { readonly number: number; readonly excess: Excess | undefined } {
  const mark = readFileSync(file);
  const excess = mark.subarray(8).toString("utf8");
  return { number: mark.readDoubleLE(0), excess: excess === "" ? undefined : (excess as Excess) };
}

const [RUNS, TURN, CPU, SLOTS] = [0, 1, 2, 3];
const LOOK_MS = 500;
/** Of processor time between two looks; looking itself takes some. */
const IDLE_MS = 10;

function usedMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

if (!isMainThread && isWatchData(workerData)) lookOn(workerData);

function isWatchData(data: unknown): data is WatchData {
  return threadId > 0 && typeof data === "object" && data !== null && "limits" in data && "shared" in data;
}

function lookOn({ limits, shared, file }: WatchData): void {
  const slots = new Float64Array(shared);
  let turn = -1;
  let looks = 0;
  let used = 0;
  setInterval(() => {
    const now = slots[TURN]!;
    // Whoever works gets less done on a busy machine, but never nothing.
    const isIdle = usedMs() - used < IDLE_MS;
    used = usedMs();
    looks = now === turn ? looks + Number(isIdle) : 0;
    turn = now;
    const excess = slots[RUNS] === 1 ? excessOf(usedMs() - slots[CPU]!, looks, limits) : undefined;
    // It may have ended, and another begun, since the numbers were read.
    if (excess === undefined || slots[TURN] !== now || slots[RUNS] !== 1) return;
    if (file !== undefined) appendFileSync(file, excess);
    process.kill(process.pid, "SIGKILL");
  }, LOOK_MS);
}

function excessOf(cpuMs: number, looks: number, limits: InputLimits): Excess | undefined {
  if (cpuMs > limits.cpuMs) return "hang";
  if (process.memoryUsage.rss() > limits.rssMiB * 1024 * 1024) return "memory";
  return looks > limits.looks ? "wait" : undefined;
}
