/**
 * The page of `spoor view` and its data, on this machine alone. Whoever asks must know the word in the address, and must ask for this
 * machine by its own name: a page of somebody else's cannot be pointed here by a name that it owns. Nothing is ever written.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { stringifyJson } from "@spoor/core/internal/trace/json";

export interface ViewPages {
  /** The page itself, and the policy of what it may do. */
  page(): { readonly html: string; readonly policy: string };
  /** The answer to a question of the page; undefined when there is no such thing. */
  answer(question: string, asked: URLSearchParams): unknown;
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

export async function openViewServer({ pages, token, port = 0 }: ViewServerOptions): Promise<ViewServer> {
  const listeners = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    const answer = answerTo(request);
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

  function answerTo({ method, headers, url = "/" }: IncomingMessage): Answer | "events" {
    if (!hosts.includes(headers.host ?? "") || headers["sec-fetch-site"] === "cross-site")
      return refusal(403, "Not from here.");
    if (method !== "GET" && method !== "HEAD") return refusal(405, "Only reading.");
    const [path = "", asked = ""] = url.split("?", 2);
    const prefix = `/${token}/`;
    if (!path.startsWith(prefix)) return refusal(404, "Use the address that spoor view printed.");
    const question = path.slice(prefix.length);
    if (question === "events") return "events";
    if (question === "") {
      const { html, policy } = pages.page();
      const headers = { "Content-Security-Policy": `${policy}; frame-ancestors 'none'` };
      return { status: 200, type: "text/html", text: html, headers };
    }
    const answer = pages.answer(question, new URLSearchParams(asked));
    if (answer === undefined) return refusal(404, "There is no such run any more.");
    return { status: 200, type: "application/json", text: stringifyJson(answer as never) };
  }

  function listen(response: ServerResponse): void {
    response.writeHead(200, { ...SAFE, "Content-Type": "text/event-stream; charset=utf-8" });
    response.write("retry: 1000\n\n");
    listeners.add(response);
    response.on("close", () => listeners.delete(response));
  }
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
