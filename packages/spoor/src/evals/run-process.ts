/**
 * Runs a program for an eval: fed on standard input, watched line by line, ended with everything it started when the
 * time is up, and never allowed to fill the memory.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { refuseInFence } from "../load/fence.ts";
import { pathKind } from "../load/path-kind.ts";
import { endLeftovers, endProcessTree, markedEnvironment } from "./end-process-tree.ts";
import { MAX_OUTPUT_BYTES, ProviderError } from "./providers/provider.ts";
import { guardProcess } from "./warden.ts";

export interface ProcessOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  readonly input?: string;
  /** Called for every line of standard output as it arrives. */
  readonly onLine?: (line: string) => void;
  readonly maxBytes?: number;
  /** Hand over what was printed until it was stopped, with `stopped`, instead of throwing the signal's reason. */
  readonly partial?: boolean;
  /** The program starts another that must outlive it: only its own group is ended. */
  readonly leavesOthersRunning?: boolean;
  /** `end`: only the last words of standard output, however much there is; `all` by default. */
  readonly keep?: "all" | "end";
}

export interface ProcessResult {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
  /** It was ended before it came to its end. */
  readonly stopped?: true;
}

const END_KEPT = 64 * 1024;
/** How long a program that has ended may have its output open: what it left running holds it. */
const LEFT_OPEN_MS = 1000;

/** A text runs in the shell, a list of words without one. */
export async function runProcess(command: string | readonly string[], options: ProcessOptions): Promise<ProcessResult> {
  refuseInFence("Running a program");
  if (pathKind(options.cwd) !== "folder") {
    throw new ProviderError("missing", `the folder ${options.cwd} does not exist`);
  }
  options.signal.throwIfAborted();
  const mark = randomUUID();
  const guard = guardProcess(mark);
  const child = start(command, options, options.leavesOthersRunning === true ? "" : mark);
  guard.started(child.pid);
  const stdout =
    options.keep === "end"
      ? new TailCollector(END_KEPT)
      : new OutputCollector(options.maxBytes ?? MAX_OUTPUT_BYTES, options.onLine);
  const stderr = new TailCollector(END_KEPT);
  let overflow = false;
  const stop = () => endProcessTree(child, mark);
  options.signal.addEventListener("abort", stop, { once: true });
  try {
    child.stderr!.on("data", (chunk: Buffer) => stderr.add(chunk));
    child.stdout!.on("data", (chunk: Buffer) => {
      if (overflow || stdout.add(chunk)) return;
      overflow = true;
      stop();
    });
    // A program that does not read its input closes the pipe early; that is its right.
    child.stdin!.on("error", () => undefined);
    child.stdin!.end(options.input ?? "");
    const { exitCode, signal } = await ended(child, command, mark);
    if (options.signal.aborted && options.partial === true)
      return { exitCode, signal, stdout: stdout.finish(), stderr: stderr.finish(), stopped: true };
    options.signal.throwIfAborted();
    if (overflow)
      throw new ProviderError(
        "too-large",
        `the output is larger than ${megabytes(options.maxBytes ?? MAX_OUTPUT_BYTES)} MiB; the program was ended`,
      );
    return { exitCode, signal, stdout: stdout.finish(), stderr: stderr.finish() };
  } finally {
    guard.ended();
    options.signal.removeEventListener("abort", stop);
  }
}

function start(command: string | readonly string[], options: ProcessOptions, mark: string): ChildProcess {
  const common = {
    cwd: options.cwd,
    env: { ...options.env, ...(mark === "" ? {} : markedEnvironment(mark)) } as NodeJS.ProcessEnv,
    stdio: ["pipe", "pipe", "pipe"] as ["pipe", "pipe", "pipe"],
    // A group of its own, so that ending it also ends what it started.
    detached: process.platform !== "win32",
    windowsHide: true,
  };
  if (typeof command === "string") return spawn(command, { ...common, shell: true });
  const [program, ...args] = command;
  return spawn(program!, args, common);
}

function ended(
  child: ChildProcess,
  command: string | readonly string[],
  mark: string,
): Promise<{ exitCode: number | null; signal: string | null }> {
  return new Promise((resolve, reject) => {
    child.once("error", (error: NodeJS.ErrnoException) => {
      const program = typeof command === "string" ? command : command[0]!;
      if (error.code === "ENOENT")
        reject(new ProviderError("missing", `the program ${program} was not found`, { cause: error }));
      else if (error.code === "EACCES")
        reject(new ProviderError("missing", `the program ${program} may not be run`, { cause: error }));
      else reject(new ProviderError("failed", `${program} could not be started: ${error.message}`, { cause: error }));
    });
    child.once("exit", () => {
      const timer = setTimeout(() => {
        endLeftovers(child, mark);
        child.stdout?.destroy();
        child.stderr?.destroy();
      }, LEFT_OPEN_MS);
      child.once("close", () => clearTimeout(timer));
    });
    child.once("close", (exitCode, signal) => {
      endLeftovers(child, mark);
      resolve({ exitCode, signal });
    });
  });
}

/** Why a program that ended badly has no answer: its last words, its exit code or the signal that ended it. */
export function processFailure(result: ProcessResult): ProviderError | undefined {
  if (result.exitCode === 0) return undefined;
  const words = lastWords(result.stderr) || lastWords(result.stdout);
  if (result.signal !== null)
    return new ProviderError("failed", `the program was ended by ${result.signal}${words === "" ? "" : `: ${words}`}`);
  if (result.exitCode === 127) return new ProviderError("missing", `${words || "command not found"} (exit code 127)`);
  if (/\b429\b|rate.?limit|too many requests/i.test(words))
    return new ProviderError("rate-limit", `${words} (exit code ${result.exitCode})`);
  return new ProviderError("failed", `${words || "the program failed without a word"} (exit code ${result.exitCode})`);
}

const WORDS_KEPT = 500;

function lastWords(text: string): string {
  const trimmed = text.trim();
  return trimmed.length <= WORDS_KEPT ? trimmed : `…${trimmed.slice(-WORDS_KEPT)}`;
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 1024 / 1024);
}

class OutputCollector {
  private readonly chunks: Buffer[] = [];
  private bytes = 0;
  private rest: Buffer[] = [];
  private readonly maxBytes: number;
  private readonly onLine: ((line: string) => void) | undefined;

  constructor(maxBytes: number, onLine: ((line: string) => void) | undefined) {
    this.maxBytes = maxBytes;
    this.onLine = onLine;
  }

  /** False once there is too much. */
  add(chunk: Buffer): boolean {
    this.bytes += chunk.length;
    if (this.bytes > this.maxBytes) return false;
    this.chunks.push(chunk);
    if (this.onLine !== undefined) this.emitLines(chunk, this.onLine);
    return true;
  }

  finish(): string {
    if (this.rest.length > 0) this.onLine?.(Buffer.concat(this.rest).toString("utf8"));
    return Buffer.concat(this.chunks).toString("utf8");
  }

  private emitLines(chunk: Buffer, onLine: (line: string) => void): void {
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      this.rest.push(chunk.subarray(from, end));
      onLine(Buffer.concat(this.rest).toString("utf8"));
      this.rest = [];
      from = end + 1;
    }
    if (from < chunk.length) this.rest.push(chunk.subarray(from));
  }
}

/** Keeps the end of a stream: an error's last words matter, not its first megabytes. */
class TailCollector {
  private text = "";
  private readonly kept: number;

  constructor(kept: number) {
    this.kept = kept;
  }

  add(chunk: Buffer): true {
    this.text = (this.text + chunk.toString("utf8")).slice(-this.kept);
    return true;
  }

  finish(): string {
    return this.text;
  }
}
