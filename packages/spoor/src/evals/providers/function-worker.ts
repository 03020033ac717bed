/**
 * The program of function-slot.ts: imports the user's module in a thread of its own and calls its function, one call at a time.
 * What it answers is made to text here, so that whatever a value does while it is read it does in this thread.
 */

import { parentPort, workerData } from "node:worker_threads";
import type { Json } from "@spoor/core";
import { messageOf } from "@spoor/core/internal/errors";
import { stringifyJson } from "@spoor/core/internal/trace/json";
import { importModule } from "../../load/import-module.ts";
import { printAtOnce } from "../print-at-once.ts";
import type { FunctionCall, FunctionProgram, FunctionReply, ToWorker } from "./function-slot.ts";

type AgentFunction = (input: FunctionCall & { readonly config: Json; readonly signal: AbortSignal }) => unknown;

const { file, exported, config } = workerData as FunctionProgram;
let loading: Promise<AgentFunction | FunctionReply> | undefined;
let stop = new AbortController();

printAtOnce(process.stdout, 1);
printAtOnce(process.stderr, 2);
parentPort!.on("message", async (word: ToWorker) => {
  if ("stop" in word) return stop.abort();
  stop = new AbortController();
  const reply = await answer(word.call, stop.signal);
  parentPort!.postMessage(reply);
});

async function answer(call: FunctionCall, signal: AbortSignal): Promise<FunctionReply> {
  loading ??= loadFunction();
  const agent = await loading;
  if (typeof agent !== "function") return agent;
  try {
    return replyOf(await agent({ ...call, config, signal }));
  } catch (error) {
    const status = (error as { status?: unknown } | undefined)?.status;
    return failure(status === 429 ? "rate-limit" : "failed", `the function threw: ${messageOf(error)}`);
  }
}

async function loadFunction(): Promise<AgentFunction | FunctionReply> {
  let loaded: Record<string, unknown>;
  try {
    loaded = await importModule(file);
  } catch (error) {
    return failure("missing", `the module ${file} cannot be loaded: ${messageOf(error)}`);
  }
  const agent = loaded[exported];
  if (typeof agent === "function") return agent as AgentFunction;
  const names = Object.keys(loaded).join(", ") || "nothing";
  return failure("missing", `the module ${file} has no function "${exported}"; it exports ${names}`);
}

function replyOf(value: unknown): FunctionReply {
  if (value === undefined || value === null) return { kind: "nothing" };
  if (typeof value === "string") return { kind: "text", text: value };
  try {
    const text: string | undefined = stringifyJson(value as Json);
    return text === undefined ? notJson(`it is a ${typeof value}`) : { kind: "json", text };
  } catch (error) {
    return notJson(typeof value === "object" ? messageOf(error) : `it is a ${typeof value}`);
  }
}

function notJson(why: string): FunctionReply {
  return failure("bad-output", `the function returned something that is not JSON: ${why}`);
}

function failure(kind: "missing" | "rate-limit" | "failed" | "bad-output", message: string): FunctionReply {
  return { kind: "failure", failure: kind, message };
}
