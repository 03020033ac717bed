/**
 * The page of `spoor view` and its data, on this machine alone. Whoever asks must know the word in the address, and must ask for this
 * machine by its own name: a page of somebody else's cannot be pointed here by a name that it owns. The one thing that writes, what a
 * person decided in the review, is taken only from this very page.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { SpoorError } from "@spoor/core/internal/errors";
import { stringifyJson } from "@spoor/core/internal/trace/json";

export interface ViewPages {
  /** The page itself, and the policy of what it may do. */
  page(): { readonly html: string; readonly policy: string };
  /** The answer to a question of the page; undefined when there is no such thing. */
  answer(question: string, asked: URLSearchParams): unknown;
  /** Writes what was decided; absent where nothing can be. */
  decide?(asked: unknown): Promise<unknown>;
}

export interface ViewServer {
  readonly url: string;
  /** Tells every open page that something is another than before. */
  announce(version: number): void;
  close(): Promise<void>;
}

export interface ViewServerOptions {
  readonly pages: ViewPages;
  /** The word that an address must hold. */
  readonly token: string;
  /** Any free one unless said. */
  readonly port?: number | undefined;
}

const HEARTBEAT_MS = 15_000;
const LONGEST_BODY = 65_536;

export async function openViewServer({ pages, token, port = 0 }: ViewServerOptions): Promise<ViewServer> {
  const listeners = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    answerTo(request)
      .catch((error: unknown) => refusal(error instanceof SpoorError ? 409 : 500, wordsOf(error)))
      .then((answer) => {
        if (answer === "events") listen(response);
        else {
          response.writeHead(answer.status, {
            ...SAFE,
            "Content-Type": `${answer.type}; charset=utf-8`,
            ...answer.headers,
          });
          response.end(answer.text);
        }
      });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  const taken = (server.address() as AddressInfo).port;
  const hosts = [`127.0.0.1:${taken}`, `localhost:${taken}`];
  const beat = setInterval(() => {
    for (const listener of listeners) listener.write(": still here\n\n");
  }, HEARTBEAT_MS);
  return {
    url: `http://127.0.0.1:${taken}/${token}/`,
    announce(version) {
      for (const listener of listeners) listener.write(`id: ${version}\ndata: ${version}\n\n`);
    },
    async close() {
      clearInterval(beat);
      for (const listener of listeners) listener.end();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };

  async function answerTo(request: IncomingMessage): Promise<Answer | "events"> {
    const { method, headers, url = "/" } = request;
    if (!hosts.includes(headers.host ?? "") || headers["sec-fetch-site"] === "cross-site")
      return refusal(403, "Not from here.");
    const [path = "", asked = ""] = url.split("?", 2);
    const prefix = `/${token}/`;
    const question = path.startsWith(prefix) ? path.slice(prefix.length) : undefined;
    if (method === "POST" && question === "decide" && pages.decide !== undefined) return decided(request);
    if (method !== "GET" && method !== "HEAD") return refusal(405, "Only reading.");
    if (question === undefined) return refusal(404, "Use the address that spoor view printed.");
    if (question === "events") return "events";
    if (question === "") {
      const { html, policy } = pages.page();
      const headers = { "Content-Security-Policy": `${policy}; frame-ancestors 'none'` };
      return { status: 200, type: "text/html", text: html, headers };
    }
    const answer = await pages.answer(question, new URLSearchParams(asked));
    if (answer === undefined) return refusal(404, "There is no such run any more.");
    return { status: 200, type: "application/json", text: stringifyJson(answer as never) };
  }

  /** A form of another page can send texts here, but neither say that it is this page nor that they are JSON. */
  async function decided(request: IncomingMessage): Promise<Answer> {
    const { host, origin, "sec-fetch-site": site, "content-type": type } = request.headers;
    if (origin !== `http://${host}` || (site !== undefined && site !== "same-origin"))
      return refusal(403, "Not from here.");
    if (type !== "application/json") return refusal(415, "Only JSON.");
    const body = await readBody(request);
    if (body === undefined) return refusal(413, "Too long.");
    let asked: unknown;
    try {
      asked = JSON.parse(body);
    } catch {
      return refusal(400, "Not JSON.");
    }
    return { status: 200, type: "application/json", text: stringifyJson((await pages.decide!(asked)) as never) };
  }

  function listen(response: ServerResponse): void {
    response.writeHead(200, { ...SAFE, "Content-Type": "text/event-stream; charset=utf-8" });
    response.write("retry: 1000\n\n");
    listeners.add(response);
    response.on("close", () => listeners.delete(response));
  }
}

/** Undefined when it is longer than a decision can be. */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > LONGEST_BODY) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

function wordsOf(error: unknown): string {
  if (!(error instanceof SpoorError)) return "Spoor failed at this: it is a defect of ours.";
  return [error.message, error.consequence, error.hint].filter((words) => words !== undefined).join(" ");
}

const SAFE = {
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Cross-Origin-Opener-Policy": "same-origin",
};

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
}

function refusal(status: number, why: string): Answer {
  return { status, type: "text/plain", text: `${why}\n` };
}
