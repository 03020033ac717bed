/**
 * A thread in which the function of a user's module is called, one call at a time. It lives as long as its calls end; one that does not
 * (an endless loop, which no signal reaches) is ended with its thread, and the next call begins a new one.
 */

import { getHeapStatistics } from "node:v8";
import { SHARE_ENV, Worker } from "node:worker_threads";
import type { Json } from "@spoor/core";
import { messageOf } from "@spoor/core/internal/errors";
import { packageFile } from "../../package-files.ts";

export interface FunctionProgram {
  readonly file: string;
  readonly exported: string;
  readonly config: Json;
}

/** What the function is called with, but for what lives in the thread itself. */
export interface FunctionCall {
  readonly id: string;
  readonly run: number;
  readonly attempt: number;
  readonly prompt: string;
  /** Of a conversation: which turn, from 1; `prompt` is then what the user says now, `messages` all that was said. */
  readonly turn?: number;
  readonly messages: readonly { readonly role: string; readonly content: Json }[];
  readonly files: readonly string[];
  readonly folder: string;
}

export type ToWorker = { readonly call: FunctionCall } | { readonly stop: true };

export type FunctionReply =
  | { readonly kind: "nothing" }
  /** An answer in plain words. */
  | { readonly kind: "text"; readonly text: string }
  /** Something else, as JSON. */
  | { readonly kind: "json"; readonly text: string }
  | {
      readonly kind: "failure";
      readonly failure: "missing" | "rate-limit" | "failed" | "bad-output";
      readonly message: string;
    };

/** Who hears the signal may still say what it did until then. */
const GRACE_MS = 1000;

export class FunctionSlot {
  private readonly program: FunctionProgram;
  private worker: Worker | undefined;
  private settle: ((reply: FunctionReply | undefined) => void) | undefined;

  constructor(program: FunctionProgram) {
    this.program = program;
  }

  /** Undefined when the signal fired and no answer came. */
  async call(call: FunctionCall, signal: AbortSignal): Promise<FunctionReply | undefined> {
    this.worker ??= this.start();
    const worker = this.worker;
    let timer: NodeJS.Timeout | undefined;
    const stop = () => {
      worker.postMessage({ stop: true } satisfies ToWorker);
      timer = setTimeout(() => this.end(worker), GRACE_MS);
    };
    const reply = new Promise<FunctionReply | undefined>((resolve) => {
      this.settle = resolve;
    });
    worker.ref();
    worker.postMessage({ call } satisfies ToWorker);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
    try {
      return await reply;
    } finally {
      signal.removeEventListener("abort", stop);
      clearTimeout(timer);
      // An idle thread keeps nobody from going home.
      worker.unref();
    }
  }

  private start(): Worker {
    const worker = new Worker(packageFile("dist/evals/providers/function-worker.js"), {
      workerData: this.program,
      env: SHARE_ENV,
      ...withoutSources(process.execArgv),
      // A function that eats all memory ends its thread and not the program.
      resourceLimits: { maxOldGenerationSizeMb: Math.floor(getHeapStatistics().heap_size_limit / 2 ** 20) },
    });
    worker.on("message", (reply: FunctionReply) => this.answer(reply));
    worker.on("error", (error) => this.lost(worker, errorWords(error)));
    worker.on("exit", (code) => this.lost(worker, `the function ended its program (exit code ${code})`));
    return worker;
  }

  private answer(reply: FunctionReply | undefined): void {
    const { settle } = this;
    this.settle = undefined;
    settle?.(reply);
  }

  /** The thread is gone before anybody ended it. */
  private lost(worker: Worker, message: string): void {
    if (this.worker !== worker) return;
    this.worker = undefined;
    if (this.settle === undefined) process.emitWarning(`${this.program.file}: ${message}, after it had answered`);
    this.answer({ kind: "failure", failure: "failed", message });
  }

  private end(worker: Worker): void {
    if (this.worker !== worker) return;
    this.worker = undefined;
    void worker.terminate().then(() => this.answer(undefined));
  }
}

/** The thread is a built file: a program that resolves our packages to their sources, as our own tests do, must not make it do so. */
function withoutSources(given: readonly string[]): { execArgv?: string[] } {
  if (!given.includes(SOURCES)) return {};
  return { execArgv: given.filter((word, index) => word !== SOURCES && given[index + 1] !== SOURCES) };
}

const SOURCES = "spoor-source";

function errorWords(error: unknown): string {
  if ((error as { code?: unknown }).code === "ERR_WORKER_OUT_OF_MEMORY") return "the function used up its memory";
  return `the function threw where nobody waits for it: ${messageOf(error)}`;
}
