import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, request, type Server } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from "node:net";
import { networkInterfaces } from "node:os";
import { buffer, text } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import type { ExchangeWatch, ForwardedRequest } from "./exchange-watch.ts";
import { createLater } from "./later.ts";
import { type RecordingProxyOptions, startRecordingProxy } from "./recording-proxy.ts";
import type { Upstream } from "./routes.ts";

interface Seen extends ForwardedRequest {
  readonly events: string[];
  sent: string;
  got: string;
  readonly over: Promise<string>;
}

async function listening(server: Server | ReturnType<typeof createTcpServer>): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    if ("closeAllConnections" in server) server.closeAllConnections();
    server.close();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function behindProxy(upstream: string | Upstream, more: Partial<RecordingProxyOptions> = {}) {
  const seen: Seen[] = [];
  const base: Upstream = typeof upstream === "string" ? { base: new URL(upstream) } : upstream;
  const proxy = await startRecordingProxy({
    upstreams: new Map([["openai", base]]),
    later: createLater((error) => {
      throw error;
    }),
    env: {},
    now: () => 0,
    watch: (forwarded) => watching(forwarded, seen),
    ...more,
  });
  onTestFinished(() => proxy.close());
  return { proxy, seen, url: `${proxy.url}/openai` };
}

function watching(forwarded: ForwardedRequest, seen: Seen[]): ExchangeWatch {
  let finish: (how: string) => void = () => undefined;
  const over = new Promise<string>((resolve) => {
    finish = resolve;
  });
  const one: Seen = { ...forwarded, events: [], sent: "", got: "", over };
  seen.push(one);
  return {
    sent: (chunk) => {
      one.sent += chunk.toString();
    },
    sentAll: () => one.events.push("sent"),
    head: (status) => one.events.push(`head ${status}`),
    received: (chunk) => {
      one.got += chunk.toString("latin1");
    },
    ended: () => finish("ended"),
    broke: (by, error) => finish(`${by} ${error.code ?? ""}`.trim()),
  };
}

const upstreamOf = async (listener: RequestListener) => `http://${await listening(createServer(listener))}`;

/** One request by Node's own client, which shows headers as they are on the wire. */
async function ask(url: string, options: object = {}, body?: string | Buffer): Promise<IncomingMessage> {
  const asked = request(url, { method: body === undefined ? "GET" : "POST", agent: false, ...options });
  asked.end(body);
  const [answer] = (await once(asked, "response")) as [IncomingMessage];
  return answer;
}

describe("what passes", () => {
  it("status, words, headers with their spelling and repetition, and every byte", async () => {
    const bytes = gzipSync(Buffer.from("data: {}\n\n"));
    const model = await upstreamOf((_, response) => {
      response.sendDate = false;
      response.writeHead(418, "I Am One", [
        "X-Odd",
        "a",
        "x-odd",
        "b",
        "Content-Encoding",
        "gzip",
        "X-Hop",
        "1",
        "Connection",
        "X-Hop",
      ] as never);
      response.end(bytes);
    });
    const { url, seen } = await behindProxy(`${model}/base/`);
    const answer = await ask(`${url}/v1/chat?x=%2F`);
    expect([answer.statusCode, answer.statusMessage]).toEqual([418, "I Am One"]);
    expect(answer.rawHeaders.slice(0, 6)).toEqual(["X-Odd", "a", "x-odd", "b", "Content-Encoding", "gzip"]);
    expect(answer.headers).not.toHaveProperty("x-hop");
    expect(answer.headers).not.toHaveProperty("date");
    expect(await buffer(answer)).toEqual(bytes);
    expect(await seen[0]!.over).toBe("ended");
    expect(seen[0]).toMatchObject({
      url: `${model}/base/v1/chat?x=%2F`,
      got: bytes.toString("latin1"),
      events: ["sent", "head 418"],
    });
  });

  it("a request as it was made, for another host, without what was meant for the recorder", async () => {
    let received: IncomingMessage | undefined;
    const model = await upstreamOf(async (incoming, response) => {
      received = incoming;
      response.end(await text(incoming));
    });
    const { url, seen } = await behindProxy(model);
    const headers = {
      Authorization: "Bearer k",
      "X-Twice": ["1", "2"],
      "Accept-Encoding": "gzip;q=1.0, zstd, br, deflate",
      "x-spoor-session": "s1",
      TE: "trailers",
    };
    expect(await text(await ask(`${url}/v1/x`, { headers }, "ünï"))).toBe("ünï");
    expect(received!.headers).toMatchObject({
      authorization: "Bearer k",
      "x-twice": "1, 2",
      "accept-encoding": "gzip;q=1.0, br, deflate",
      host: new URL(model).host,
    });
    expect(Object.keys(received!.headers)).not.toContain("x-spoor-session");
    expect(Object.keys(received!.headers)).not.toContain("te");
    expect(seen[0]).toMatchObject({ spoken: { "x-spoor-session": "s1" }, sent: "ünï" });
  });

  it.each([
    ["HEAD", 200],
    ["DELETE", 204],
    ["OPTIONS", 304],
  ])("%s with %i and no body", async (method, status) => {
    const model = await upstreamOf((_, response) => response.writeHead(status, { "x-length": "7" }).end());
    const { url, seen } = await behindProxy(model);
    const answer = await ask(`${url}/v1/models`, { method });
    expect(await text(answer)).toBe("");
    expect(answer.statusCode).toBe(status);
    expect(await seen[0]!.over).toBe("ended");
  });

  it("each chunk before the next one exists", async () => {
    let next: () => void = () => undefined;
    const model = await upstreamOf(async (_, response) => {
      for (const piece of ["one", "two", "three"]) {
        response.write(piece);
        await new Promise<void>((resolve) => {
          next = resolve;
        });
      }
      response.end();
    });
    const { url } = await behindProxy(model);
    const answer = await ask(url);
    const pieces: string[] = [];
    for await (const piece of answer) {
      pieces.push(String(piece));
      next();
    }
    expect(pieces).toEqual(["one", "two", "three"]);
  });

  it("requests marked to be skipped, unseen and without their mark", async () => {
    let headers: object = {};
    const model = await upstreamOf((incoming, response) => {
      headers = incoming.headers;
      response.end("ok");
    });
    const { url, seen } = await behindProxy(model);
    await text(await ask(url, { headers: { "x-spoor-skip": "1" } }));
    expect(seen).toEqual([]);
    expect(headers).not.toHaveProperty("x-spoor-skip");
  });

  it("again on a new connection, when the kept one was closed by the server meanwhile", async () => {
    const sockets: Socket[] = [];
    let count = 0;
    const server = createServer((_, response) => {
      if (++count === 2) return void sockets[0]!.destroy();
      response.end(`answer ${count}`);
    });
    server.on("connection", (socket) => sockets.push(socket));
    const { url, seen } = await behindProxy(`http://${await listening(server)}`);
    expect(await text(await ask(url, {}, "first"))).toBe("answer 1");
    expect(await text(await ask(url, {}, "second"))).toBe("answer 3");
    expect(sockets).toHaveLength(2);
    expect(seen.map(({ sent }) => sent)).toEqual(["first", "second"]);
  });
});

describe("slow sides", () => {
  const PIECE = Buffer.alloc(64 * 1024, "x");
  const MOST = 64 * 1024 * 1024;

  it("an upstream is not read faster than the client reads", async () => {
    let written = 0;
    let stalled: () => void = () => undefined;
    const isStalled = new Promise<void>((resolve) => {
      stalled = resolve;
    });
    const model = await upstreamOf(async (_, response) => {
      while (written < MOST) {
        written += PIECE.length;
        if (!response.write(PIECE) && (await drainedOrStalled(response)) === "stalled") return stalled();
      }
      stalled();
    });
    const { url } = await behindProxy(model);
    const answer = await ask(url);
    answer.pause();
    await isStalled;
    expect(written).toBeLessThan(MOST);
    answer.destroy();
  });

  it("a client is not read faster than the upstream reads", async () => {
    const model = await upstreamOf((incoming) => incoming.pause());
    const { url } = await behindProxy(model);
    const asked = request(url, { method: "POST", agent: false });
    asked.on("error", () => undefined);
    let written = 0;
    while (written < MOST) {
      written += PIECE.length;
      if (!asked.write(PIECE) && (await drainedOrStalled(asked)) === "stalled") break;
    }
    expect(written).toBeLessThan(MOST);
    asked.destroy();
  });

  /** Buffers of two sockets fill up in far less than this; a side that is not held back never stalls. */
  function drainedOrStalled(stream: NodeJS.EventEmitter): Promise<"drained" | "stalled"> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve("stalled"), 300);
      stream.once("drain", () => {
        clearTimeout(timer);
        resolve("drained");
      });
    });
  }
});

describe("who goes away", () => {
  it.each(["before the answer", "during the answer"])(
    "the client, %s: the upstream's connection is closed",
    async (when) => {
      let gone: () => void = () => undefined;
      const isGone = new Promise<void>((resolve) => {
        gone = resolve;
      });
      let arrived: () => void = () => undefined;
      const hasArrived = new Promise<void>((resolve) => {
        arrived = resolve;
      });
      const model = await upstreamOf((incoming, response) => {
        incoming.socket.once("close", gone);
        if (when === "during the answer") response.write("data: 1\n\n");
        arrived();
      });
      const { url, seen } = await behindProxy(model);
      const asked = request(url, { method: "POST", agent: false });
      asked.on("error", () => undefined);
      asked.on("response", (answer) => answer.on("error", () => undefined).once("data", () => asked.destroy()));
      asked.end("{}");
      await hasArrived;
      if (when === "before the answer") asked.destroy();
      await isGone;
      expect(await seen[0]!.over).toBe("client");
    },
  );

  it.each(["with a length", "in chunks"])("the upstream, in mid-answer %s: so is the client's", async (how) => {
    const model = await upstreamOf((incoming, response) => {
      response.writeHead(200, how === "with a length" ? { "content-length": "100" } : {});
      response.write("half", () => incoming.socket.destroy());
    });
    const { url, seen } = await behindProxy(model);
    const answer = await ask(url);
    await expect(text(answer)).rejects.toThrow("aborted");
    expect(seen[0]!.got).toBe("half");
    expect(await seen[0]!.over).toBe("server ECONNRESET");
  });

  it("the upstream, right after a large piece: the client still gets all of it", async () => {
    const piece = Buffer.alloc(3 * 1024 * 1024, "x");
    const model = await upstreamOf((incoming, response) => response.write(piece, () => incoming.socket.destroy()));
    const { url, seen } = await behindProxy(model);
    const answer = await ask(url);
    let bytes = 0;
    answer.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
    });
    await once(answer, "error");
    expect(await seen[0]!.over).toBe("server ECONNRESET");
    expect(bytes).toBe(seen[0]!.got.length);
    expect(bytes).toBeGreaterThan(0);
  });

  it("the upstream, before it said anything", async () => {
    const model = await upstreamOf((incoming) => incoming.socket.destroy());
    const { url, seen } = await behindProxy(model);
    await expect(ask(url)).rejects.toMatchObject({ code: "ECONNRESET" });
    expect(await seen[0]!.over).toBe("server ECONNRESET");
  });
});

describe("what cannot be reached", () => {
  it("is a 502 with the code: nobody listens", async () => {
    const tcp = createTcpServer();
    const free = await listening(tcp);
    tcp.close();
    const { url, seen } = await behindProxy(`http://${free}`);
    const answer = await ask(`${url}/v1`, {}, "{}");
    expect(answer.statusCode).toBe(502);
    expect(JSON.parse(await text(answer))).toMatchObject({ error: { code: "ECONNREFUSED", type: "spoor_proxy" } });
    expect(await seen[0]!.over).toBe("server ECONNREFUSED");
  });

  it("is a 502 with the code: TLS fails", async () => {
    // A server without a certificate can agree with nobody.
    const address = await listening(createHttpsServer(() => undefined));
    const { url } = await behindProxy(`https://${address}`);
    const answer = await ask(url);
    expect(answer.statusCode).toBe(502);
    expect(JSON.parse(await text(answer)).error.code).toMatch(/^ERR_SSL|^EPROTO/);
  });
});

describe("through the proxy of the environment", () => {
  it("CONNECT for https, with its user; a refusal is a 502", async () => {
    const asked: { url: string; authorization: string | undefined }[] = [];
    const outer = createServer();
    outer.on("connect", (incoming, socket) => {
      asked.push({ url: incoming.url!, authorization: incoming.headers["proxy-authorization"] });
      socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
    });
    const address = await listening(outer);
    const { url } = await behindProxy("https://api.example.test", {
      env: { HTTPS_PROXY: `http://me:p%40ss@${address}` },
    });
    const answer = await ask(url);
    expect(answer.statusCode).toBe(502);
    expect(JSON.parse(await text(answer)).error).toMatchObject({
      code: "EPROXY",
      message: expect.stringContaining("407"),
    });
    expect(asked).toEqual([
      { url: "api.example.test:443", authorization: `Basic ${Buffer.from("me:p@ss").toString("base64")}` },
    ]);
  });

  it("CONNECT reaches the server behind it", async () => {
    const secure = await listening(createHttpsServer(() => undefined));
    let tunnels = 0;
    const outer = createServer();
    outer.on("connect", (_, socket) => {
      tunnels++;
      socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      const inner = connect(Number(secure.split(":")[1]), "127.0.0.1");
      inner.on("error", () => socket.destroy());
      socket.on("error", () => inner.destroy());
      socket.pipe(inner).pipe(socket);
    });
    const { url } = await behindProxy("https://model.example.test", { env: { https_proxy: await listening(outer) } });
    // The handshake is with the server at the end of the tunnel, which has no certificate to show.
    expect(JSON.parse(await text(await ask(url))).error.code).toMatch(/^ERR_SSL|^EPROTO/);
    expect(tunnels).toBe(1);
  });

  it("the whole address for http; NO_PROXY and loopback go directly", async () => {
    const outer = await upstreamOf((incoming, response) => response.end(`proxied ${incoming.url}`));
    const env = { HTTP_PROXY: outer, NO_PROXY: "other.test,.direct.test:80" };
    const { url } = await behindProxy("http://model.example.test/base", { env });
    expect(await text(await ask(`${url}/v1`))).toBe("proxied http://model.example.test/base/v1");
    const local = await upstreamOf((_, response) => response.end("direct"));
    expect(await text(await ask((await behindProxy(local, { env })).url))).toBe("direct");
  });
});

describe("who may use it", () => {
  it.each([
    ["no token", "/openai/v1/models"],
    ["a wrong token", "/t/wrong/openai/v1/models"],
    ["an empty token", "/t//openai/v1/models"],
    ["a token that begins right", undefined],
    ["an unknown route", "KNOWN/nowhere/v1/models"],
    ["an upstream nobody named", "KNOWN/upstream/x/v1/models"],
    ["nothing behind the token", "KNOWN"],
  ])("%s is a 404 and goes nowhere", async (_, path) => {
    let reached = 0;
    const model = await upstreamOf((_, response) => response.end(String(++reached)));
    const { proxy, seen } = await behindProxy(model);
    const { origin, pathname } = new URL(proxy.url);
    const tried = path === undefined ? `${pathname.slice(0, -1)}/openai/v1/models` : path.replace("KNOWN", pathname);
    const answer = await ask(`${origin}${tried}`, {}, "{}");
    expect(answer.statusCode).toBe(404);
    expect(reached).toBe(0);
    expect(seen).toEqual([]);
    expect(proxy.counts()).toMatchObject({ forwarded: 0, refused: 1 });
  });

  it.each(["evil.example", "evil.example:80", "127.0.0.1", "[::1]:80"])(
    "the host header %j goes nowhere, whatever the token",
    async (host) => {
      const model = await upstreamOf((_, response) => response.end("reached"));
      const { url, proxy } = await behindProxy(model);
      expect((await ask(`${url}/v1/models`, { headers: { host } })).statusCode).toBe(404);
      expect(proxy.counts()).toMatchObject({ forwarded: 0, refused: 1 });
    },
  );

  it("nobody on another address of this machine", async () => {
    const { proxy } = await behindProxy("http://127.0.0.1:1");
    const { port } = new URL(proxy.url);
    const others = Object.values(networkInterfaces())
      .flat()
      .filter((address) => address !== undefined && !address.internal);
    for (const address of [{ address: "::1" }, ...others]) {
      const socket = connect(Number(port), address!.address);
      const outcome = await Promise.race([
        once(socket, "connect").then(() => "connected"),
        once(socket, "error").then(() => "refused"),
      ]).catch(() => "refused");
      socket.destroy();
      expect(outcome).toBe("refused");
    }
  });

  it("each proxy has a token of its own", async () => {
    const urls = await Promise.all([1, 2].map(async () => (await behindProxy("http://127.0.0.1:1")).proxy.url));
    const tokens = urls.map((url) => new URL(url).pathname.split("/")[2]!);
    expect(tokens[0]).not.toBe(tokens[1]);
    expect(Buffer.from(tokens[0]!, "base64url").length).toBeGreaterThanOrEqual(16);
  });
});

it("answers a WebSocket upgrade with 426, so that its client falls back", async () => {
  const model = await upstreamOf((_, response) => response.end());
  const { url, proxy } = await behindProxy(model);
  const headers = { connection: "Upgrade", upgrade: "websocket" };
  expect((await ask(`${url}/v1/responses`, { headers })).statusCode).toBe(426);
  expect((await ask(url.replace("/t/", "/t/x"), { headers })).statusCode).toBe(404);
  expect(proxy.counts()).toMatchObject({ upgradesRefused: 1, refused: 1, forwarded: 0 });
});

it.each([
  ["/messages", "/v1/messages"],
  ["/v1/messages", "/v1/messages"],
  ["/v1/v1/messages?beta=true", "/v1/messages?beta=true"],
  ["/v1/messages/count_tokens", "/v1/messages/count_tokens"],
  ["/v1/messagesandmore", "/v1/messagesandmore"],
])("a client of Anthropic asks for %s and gets %s", async (asked, got) => {
  const model = await upstreamOf((incoming, response) => response.end(incoming.url));
  const { url } = await behindProxy({ base: new URL(model), provider: "anthropic" });
  expect(await text(await ask(`${url}${asked}`, {}, "{}"))).toBe(got);
});
