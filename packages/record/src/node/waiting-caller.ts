/**
 * Requests that this thread waits for: a second thread makes them. Its program is a text, so that bundles need no further file; it uses Node's own client,
 * which no recorder listens to.
 */
import { MessageChannel, receiveMessageOnPort, Worker } from "node:worker_threads";

export interface WaitingCaller {
  /** Status 0 and a problem when no answer came in time. */
  post(url: string, headers: Readonly<Record<string, string>>, body: string, timeoutMs: number): Called;
  pause(ms: number): void;
}

export interface Called {
  readonly status: number;
  readonly text: string;
  readonly problem?: string;
}

const PROGRAM = `
const { workerData } = require("node:worker_threads");
const { port, rung } = workerData;
const flag = new Int32Array(rung);
const agents = {};
port.on("message", ({ number, url, headers, body, timeoutMs }) => {
  let isOver = false;
  const answer = (called) => {
    if (isOver) return;
    isOver = true;
    port.postMessage({ number, ...called });
    Atomics.store(flag, 0, number);
    Atomics.notify(flag, 0);
  };
  try {
    const { protocol } = new URL(url);
    const client = require(protocol === "https:" ? "node:https" : "node:http");
    const agent = (agents[protocol] ??= new client.Agent({ keepAlive: true, maxSockets: 4 }));
    const bytes = Buffer.from(body, "utf8");
    const all = { ...headers, "content-length": bytes.length };
    const request = client.request(url, { method: "POST", agent, headers: all, timeout: timeoutMs }, (response) => {
      const chunks = [];
      response.on("data", (chunk) => chunks.push(chunk));
      response.on("error", (error) => answer({ status: 0, text: "", problem: error.message }));
      response.on("end", () => answer({ status: response.statusCode, text: Buffer.concat(chunks).toString("utf8") }));
    });
    request.on("timeout", () => request.destroy(new Error("no answer in time")));
    request.on("error", (error) => answer({ status: 0, text: "", problem: error.code || error.message }));
    request.end(bytes);
  } catch (error) {
    answer({ status: 0, text: "", problem: error.message });
  }
});
`;

/** The thread is started with the first request, and keeps no process from ending. */
export function createWaitingCaller(): WaitingCaller {
  const rung = new SharedArrayBuffer(4);
  const flag = new Int32Array(rung);
  const nobody = new Int32Array(new SharedArrayBuffer(4));
  const { port1, port2 } = new MessageChannel();
  let isStarted = false;
  let number = 0;
  return {
    post(url, headers, body, timeoutMs) {
      if (!isStarted) start();
      number += 1;
      port1.postMessage({ number, url, headers, body, timeoutMs });
      // A little longer than the other thread waits: its reason is better than none.
      const until = performance.now() + timeoutMs + 1_000;
      for (let left = until - performance.now(); left > 0; left = until - performance.now()) {
        const last = Atomics.load(flag, 0);
        if (last !== number) Atomics.wait(flag, 0, last, left);
        const called = answerTo(number);
        if (called !== undefined) return called;
      }
      return { status: 0, text: "", problem: "no answer in time" };
    },
    pause(ms) {
      Atomics.wait(nobody, 0, 0, ms);
    },
  };

  /** Answers to earlier questions, which nobody waits for any more, are passed over. */
  function answerTo(question: number): Called | undefined {
    for (let read = receiveMessageOnPort(port1); read !== undefined; read = receiveMessageOnPort(port1)) {
      const { number: answered, ...called } = read.message as Called & { readonly number: number };
      if (answered === question) return called;
    }
    return undefined;
  }

  function start(): void {
    isStarted = true;
    const thread = new Worker(PROGRAM, {
      eval: true,
      workerData: { port: port2, rung },
      transferList: [port2],
      // Nothing that was asked of the program, a recorder above all, is asked of this thread.
      execArgv: [],
      env: { ...process.env, NODE_OPTIONS: "" },
    });
    thread.unref();
    port1.unref();
  }
}
