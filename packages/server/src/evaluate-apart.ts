/**
 * Evaluates one arrival in a process of its own: several processes ended while they were at it, and nobody knows whether it was the cause. If it was,
 * this one ends too, and somebody sees it.
 */
import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { ApartAnswer, ApartQuestion } from "./apart-messages.ts";
import type { EvaluateApart } from "./stages/evaluator.ts";

/** Undefined where there is none: a store in memory belongs to its process, and sources are not run without a loader. */
export function createEvaluateApart(address: string): EvaluateApart | undefined {
  if (address === ":memory:" || import.meta.url.endsWith(".ts")) return undefined;
  return async (arrival, today) => {
    const answer = await ask({ address, arrival, today });
    if ("outcome" in answer) return answer.outcome;
    throw Object.assign(new Error(answer.error.message), { stack: answer.error.stack });
  };
}

function ask(question: ApartQuestion): Promise<ApartAnswer> {
  const child = fork(fileURLToPath(new URL("./apart-process.js", import.meta.url)), [], {
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  return new Promise((resolve, reject) => {
    child.once("message", (answer) => resolve(answer as ApartAnswer));
    child.once("error", reject);
    child.once("exit", (code, signal) => {
      const how = signal === null ? `code ${code}` : `signal ${signal}`;
      reject(
        new Error(
          `The process that evaluated it, and nothing else, ended with ${how}: it ran out of memory, or was killed.`,
        ),
      );
    });
    // A child that is gone already tells it by its exit.
    child.send(question, () => undefined);
  });
}
