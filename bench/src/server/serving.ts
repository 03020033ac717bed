/** A service of its own process, and clients of it. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { fileURLToPath } from "node:url";

export const CONNECTIONS = 32;

export interface Serving {
  readonly port: number;
  /** CPU seconds since the last "begin". */
  tell(word: "begin" | "end" | "evaluate"): Promise<number>;
  /** Milliseconds until each was acknowledged, over so many connections at once. */
  send(bodies: readonly Buffer[]): Promise<readonly number[]>;
  /** Milliseconds until the answer was whole. */
  read(path: string): Promise<number>;
  close(): Promise<void>;
}

export async function startServing(store: string): Promise<Serving> {
  const child: ChildProcess = fork(fileURLToPath(new URL("./ingest-child.js", import.meta.url)), [store]);
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const reading = new Agent({ keepAlive: true, maxSockets: 1 });
  const [{ port }] = (await once(child, "message")) as [{ port: number }];
  const post = (body: Buffer) => {
    const headers = { "content-encoding": "gzip", "content-length": body.length };
    return asked({ port, method: "POST", path: "/api/v1/traces", agent, headers }, 201, body);
  };
  return {
    port,
    async tell(word) {
      child.send(word);
      const [{ seconds }] = (await once(child, "message")) as [{ seconds: number }];
      return seconds;
    },
    async send(bodies) {
      const took: number[] = [];
      let next = 0;
      const work = async () => {
        while (next < bodies.length) took.push(await post(bodies[next++]!));
      };
      await Promise.all(Array.from({ length: CONNECTIONS }, work));
      return took;
    },
    read: (path) => asked({ port, method: "GET", path, agent: reading }, 200),
    async close() {
      agent.destroy();
      reading.destroy();
      child.disconnect();
      await once(child, "exit");
    },
  };
}

function asked(
  options: { port: number; method: string; path: string; agent: Agent; headers?: Record<string, string | number> },
  expected: number,
  body?: Buffer,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    const sending = request({ host: "127.0.0.1", ...options });
    sending.on("error", reject);
    sending.on("response", (response) => {
      response.resume();
      response.on("end", () =>
        response.statusCode === expected
          ? resolve(performance.now() - start)
          : reject(new Error(`The service answered ${response.statusCode}.`)),
      );
    });
    sending.end(body);
  });
}
