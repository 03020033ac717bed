/** Runs an MCP server as a child and stands between it and the client that started us: a line is a message. */

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { SpoorError } from "@spoor/core/internal/errors";
import { parseJsonText } from "@spoor/core/internal/trace/call-shape";
import { type Json, stringifyJson } from "@spoor/core/internal/trace/json";
import type { Door } from "./door.ts";

export interface StdioOptions {
  readonly command: readonly [string, ...string[]];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly input: Readable;
  readonly write: (text: string) => void;
  readonly say: (line: string) => void;
}

/** The exit code of the server. */
export async function proxyStdio(door: Door, options: StdioOptions): Promise<number> {
  const [program, ...args] = options.command;
  const server = spawn(program, args, {
    cwd: options.cwd,
    env: { ...options.env },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = new Promise<number>((resolve, reject) => {
    server.on("error", (error) => reject(cannotStart(program, error)));
    server.on("close", (code, signal) => resolve(code ?? (signal === null ? 1 : 128)));
  });
  const session = door.session("stdio");
  // A server that ends while it is written to is reported by its end, not by the pipe.
  server.stdin.on("error", () => undefined);
  const toClient = (message: Json) => options.write(`${stringifyJson(message)}\n`);
  // What was judged is what is sent: never the text itself, which another reader might read in another way.
  const toServer = (message: Json) => server.stdin.write(`${stringifyJson(message)}\n`);

  const fromClient = eachLine(options.input, async (line) => {
    const message = parseJsonText(line);
    if (message === undefined) {
      toClient({
        jsonrpc: "2.0",
        id: null,
        error: { code: -32700, message: "This is not JSON, so it is not passed on." },
      });
      return;
    }
    const { forward, answer } = session.fromClient(message);
    await session.written();
    forward.forEach(toServer);
    answer.forEach(toClient);
  }).finally(() => server.stdin.end());

  const fromServer = eachLine(server.stdout, async (line) => {
    const message = parseJsonText(line);
    if (message === undefined) {
      options.say(`The server printed something that is no message: ${line.slice(0, 200)}`);
      return;
    }
    const forward = session.fromServer(message);
    await session.written();
    forward.forEach(toClient);
  });
  try {
    const code = await Promise.race([ended, fromClient.then(() => ended)]);
    await fromServer;
    return code;
  } finally {
    server.kill();
    await door.close();
  }
}

/** One after the other, in the order in which they came. */
async function eachLine(stream: Readable, work: (line: string) => Promise<void>): Promise<void> {
  for await (const line of createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY }))
    if (line.trim() !== "") await work(line);
}

function cannotStart(program: string, error: Error): SpoorError {
  return new SpoorError("proxy.no-server", `The server cannot be started: ${error.message}.`, {
    consequence: "Nothing is guarded.",
    hint: `Check that ${program} is installed, or give its whole path.`,
    cause: error,
  });
}
