/** Every way to use `fetch` gives the same with and without somebody looking on, and who looks on knows what happened. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ModelServer, startModelServer } from "../../../test/model-server/model-server.ts";
import { watchBody } from "./watch-body.ts";
import { type Fetch, wrapFetch } from "./wrap-fetch.ts";

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());

/** What was told about one call. */
interface Told {
  readonly body: string;
  readonly status?: number;
  readonly text: string;
  readonly end: string;
}

function watching() {
  const told: Told[] = [];
  const problems: unknown[] = [];
  const fetch = wrapFetch(globalThis.fetch, {
    wants: (method) => method === "POST",
    now: () => 0,
    maxBodyBytes: 1_000_000,
    problem: (error) => problems.push(error),
    request({ body }) {
      const at = told.push({ body, text: "", end: "open" }) - 1;
      const change = (next: Partial<Told>) => {
        told[at] = { ...told[at]!, ...next };
      };
      return {
        head: (status) => change({ status }),
        text: (chunk) => change({ text: told[at]!.text + chunk }),
        end: () => change({ end: told[at]!.end === "open" ? "end" : `${told[at]!.end}, end` }),
        broke: (by) => change({ end: told[at]!.end === "open" ? by : `${told[at]!.end}, ${by}` }),
      };
    },
  });
  return { fetch, told, problems };
}

const JSON_HEADERS = { "content-type": "application/json" };

function init(prompt: string, stream = true) {
  const messages = [{ role: "user", content: prompt }];
  return { method: "POST", headers: JSON_HEADERS, body: JSON.stringify({ model: "m", stream, messages }) };
}

/** The server names answers by how often it was asked the same; that is not what is compared. */
function plain(text: string): string {
  return text.replace(/([0-9a-f]{10})x\d+/g, "$1");
}

async function failure(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
    return "none";
  } catch (error) {
    return `${(error as Error).name}: ${(error as Error).message}`;
  }
}

const decode = (chunks: readonly Uint8Array[]) => plain(Buffer.concat(chunks).toString());

async function readAll(body: ReadableStream<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return decode(chunks);
}

interface Use {
  readonly end: string;
  run(fetch: Fetch, url: string): Promise<unknown>;
}

const uses: Readonly<Record<string, Use>> = {
  text: {
    end: "end",
    run: async (fetch, url) => plain(await (await fetch(url, init("TEXT", false))).text()),
  },
  "fields and headers": {
    end: "end",
    async run(fetch, url) {
      const response = await fetch(url, init("TEXT"));
      const { status, statusText, ok, type, redirected, bodyUsed } = response;
      const before = { status, statusText, ok, type, redirected, bodyUsed, url: response.url };
      const { date: _date, ...headers } = Object.fromEntries(response.headers);
      const immutable = await failure(Promise.resolve().then(() => response.headers.set("a", "b")));
      await response.arrayBuffer();
      const again = await failure(response.text());
      const isResponse = response instanceof Response;
      const shown = [Object.keys(response), String(response), fetch.name, fetch.length];
      return { before, headers, immutable, after: response.bodyUsed, again, isResponse, shown };
    },
  },
  clone: {
    end: "end",
    async run(fetch, url) {
      const response = await fetch(url, init("TEXT", false));
      const copy = response.clone();
      const third = copy.clone();
      const texts = [plain(await copy.text()), plain(await response.text()), plain(await third.text())];
      return { texts, url: third.url, type: copy.type, headers: copy.headers.get("x-request-id") };
    },
  },
  tee: {
    end: "end",
    async run(fetch, url) {
      const [left, right] = (await fetch(url, init("TEXT"))).body!.tee();
      return [await readAll(left), await readAll(right)];
    },
  },
  byob: {
    end: "end",
    async run(fetch, url) {
      const reader = (await fetch(url, init("TEXT"))).body!.getReader({ mode: "byob" });
      const chunks: Uint8Array[] = [];
      const sizes: number[] = [];
      for (;;) {
        const { done, value } = await reader.read(new Uint8Array(16));
        if (done) return [decode(chunks), Math.max(...sizes) <= 16, value?.byteLength];
        chunks.push(value.slice());
        sizes.push(value.byteLength);
      }
    },
  },
  iteration: {
    end: "end",
    run: async (fetch, url) => readAll((await fetch(url, init("TEXT"))).body!),
  },
  "iteration, left early": {
    end: "client",
    async run(fetch, url) {
      for await (const chunk of (await fetch(url, init("HANG TEXT"))).body!) return chunk.byteLength > 0;
      return undefined;
    },
  },
  gzip: {
    end: "end",
    async run(fetch, url) {
      const response = await fetch(url, init("GZIP TEXT"));
      return [response.headers.get("content-encoding"), plain(await response.text())];
    },
  },
  "abort before": {
    end: "client",
    run: (fetch, url) => failure(fetch(url, { ...init("TEXT"), signal: AbortSignal.abort() })),
  },
  "abort during": {
    end: "client",
    async run(fetch, url) {
      const abort = new AbortController();
      const response = await fetch(url, { ...init("HANG TEXT"), signal: abort.signal });
      const reader = response.body!.getReader();
      await reader.read();
      const closed = failure(reader.closed);
      abort.abort();
      return [await closed, await failure(reader.read())];
    },
  },
  "abort during, with a reason of its own": {
    end: "client",
    async run(fetch, url) {
      const abort = new AbortController();
      const response = await fetch(new URL(url), { ...init("HANG TEXT"), signal: abort.signal });
      const text = failure(response.text());
      abort.abort(new TypeError("enough"));
      return text;
    },
  },
  cut: {
    end: "server",
    run: async (fetch, url) => failure((await fetch(url, init("CUT TEXT"))).text()),
  },
  refused: {
    end: "server",
    run: (fetch) => failure(fetch("http://127.0.0.1:1/v1/chat/completions", init("TEXT"))),
  },
  "body of a Request": {
    end: "end",
    async run(fetch, url) {
      const request = new Request(url, init("TEXT", false));
      const text = plain(await (await fetch(request)).text());
      return [text, request.bodyUsed, await failure(fetch(request))];
    },
  },
  "body as a stream": {
    end: "end",
    async run(fetch, url) {
      const { body, ...rest } = init("TEXT", false);
      const half = Math.ceil(body.length / 2);
      const stream = new ReadableStream({
        start(controller) {
          for (const part of [body.slice(0, half), body.slice(half)])
            controller.enqueue(new TextEncoder().encode(part));
          controller.close();
        },
      });
      const response = await fetch(url, { ...rest, body: stream, duplex: "half" } as RequestInit);
      return [plain(await response.text()), stream.locked];
    },
  },
  "body as bytes, and as a Blob": {
    end: "end",
    async run(fetch, url) {
      const { body, ...rest } = init("TEXT", false);
      const bytes = plain(await (await fetch(url, { ...rest, body: Buffer.from(body) })).text());
      return [bytes, plain(await (await fetch(url, { ...rest, body: new Blob([body]) })).text())];
    },
  },
  "never read": {
    end: "open",
    async run(fetch, url) {
      const response = await fetch(url, init("HANG TEXT"));
      return [response.status, response.bodyUsed];
    },
  },
  "a failure": {
    end: "end",
    run: async (fetch, url) => (await fetch(url, init("FAIL500", false))).json(),
  },
};

describe("a watched fetch", () => {
  it.each(Object.entries(uses))("%s", async (_name, { run, end }) => {
    const url = `${server.url}/v1/chat/completions`;
    const { fetch, told, problems } = watching();
    const watched = await run(fetch, url);
    expect(watched).toEqual(await run(globalThis.fetch, url));
    await expect.poll(() => told.map((one) => one.end)).toEqual(told.map(() => end));
    expect(told.length).toBeGreaterThan(0);
    for (const { body } of told) expect(JSON.parse(body)).toMatchObject({ model: "m" });
    expect(problems).toEqual([]);
  });

  it("tells the text that the reader got, however it was cut", async () => {
    const { fetch, told } = watching();
    const response = await fetch(`${server.url}/v1/chat/completions`, init("SLOW TEXT"));
    const text = await response.text();
    expect(told[0]).toMatchObject({ status: 200, text, end: "end" });
    expect(text).toContain("☀");
  });

  it("hands on every chunk of a source that ends in any way", async () => {
    for (const kind of ["bytes", undefined] as const) {
      for (const length of [0, 1, 2, 5]) {
        const chunks = Array.from({ length }, (_, index) => Buffer.from(`part ${index};`));
        const start = (controller: { enqueue(chunk: Uint8Array<ArrayBuffer>): void; close(): void }) => {
          for (const chunk of chunks) controller.enqueue(new Uint8Array(chunk));
          controller.close();
        };
        const own = kind === "bytes" ? new ReadableStream({ type: kind, start }) : new ReadableStream({ start });
        const told: string[] = [];
        const watcher = { chunk: (bytes: Uint8Array) => told.push(decode([bytes])), ended: () => told.push("end") };
        const body = watchBody(own as ReadableStream<Uint8Array>, { ...watcher, failed: () => {}, left: () => {} });
        expect(await readAll(body)).toBe(decode(chunks));
        expect(told).toEqual([...chunks.map((chunk) => decode([chunk])), "end"]);
      }
    }
  });

  it("reads no more than its reader asks for", async () => {
    const { fetch, told } = watching();
    const reader = (await fetch(`${server.url}/v1/chat/completions`, init("TEXT"))).body!.getReader();
    expect(told[0]!.text).toBe("");
    const { value } = await reader.read();
    expect(told[0]!.text).toBe(new TextDecoder().decode(value));
    await reader.cancel();
  });

  it.each(["wants", "request", "head", "text", "end"])("goes on when %s throws", async (where) => {
    const problems: unknown[] = [];
    const boom = (at: string) => {
      if (at === where) throw new Error(at);
    };
    const fetch = wrapFetch(globalThis.fetch, {
      wants() {
        boom("wants");
        return true;
      },
      now: () => 0,
      maxBodyBytes: 10,
      problem: (error) => problems.push((error as Error).message),
      request() {
        boom("request");
        const tell = (at: string) => () => boom(at);
        return { head: tell("head"), text: tell("text"), end: tell("end"), broke: tell("broke") };
      },
    });
    const response = await fetch(`${server.url}/v1/chat/completions`, init("TEXT", false));
    expect(await response.json()).toMatchObject({ object: "chat.completion" });
    expect(new Set(problems)).toEqual(new Set([where]));
  });

  it("leaves alone what is no JSON, and does not collect what is too long", async () => {
    const { fetch, told } = watching();
    const url = `${server.url}/v1/chat/completions`;
    const form = new FormData();
    form.set("a", "b");
    await (await fetch(url, { method: "POST", body: form })).text();
    const long = new Request(url, { method: "POST", headers: JSON_HEADERS, body: `"${"x".repeat(1_100_000)}"` });
    expect((await fetch(long)).status).toBe(404);
    const upload = new Blob(["x"]).stream();
    await (await fetch(url, { method: "POST", body: upload, duplex: "half" } as RequestInit)).text();
    expect(told).toEqual([]);
  });
});
