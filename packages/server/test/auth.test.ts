/** Every route with every kind of caller: nobody, a stranger, a guest of another project, each scope, an expired and a revoked token. */
import { describe, expect, it } from "vitest";
import type { Route } from "../src/routes/route.ts";
import { routes } from "../src/routes/routes.ts";
import { scopes } from "../src/store/tokens.ts";
import { type AskOptions, NOW, recording, startService, type TestService } from "./service.ts";

const SECRET_WORD = "acme-internal-agent";

/** A body with which the route could do its work. */
function bodyFor({ path, method }: Route): AskOptions {
  if (path.endsWith("/traces")) return { body: recording("from elsewhere") };
  if (path.endsWith("/tokens") && method === "POST") return { json: { name: "x", scopes: ["admin"] } };
  if (path.endsWith("/hooks") && method === "POST") return { json: { name: "x", url: "nowhere", events: ["finding"] } };
  if (/\/(approve|accept|reject|rollback)$/.test(path)) return { json: { by: "me", why: "because" } };
  if (path.endsWith("/cohorts") && method === "POST") return { json: { release: "v1", against: "v0" } };
  if (path.endsWith("/releases/{release}") && method === "PUT") return { json: {} };
  if (path.includes("/policies/") && method !== "GET") return { body: "rules: []\n" };
  if (path.endsWith("/config") && method === "PUT") return { body: "{}\n" };
  return method === "GET" || method === "DELETE" ? {} : { body: "{}" };
}

interface World {
  readonly service: TestService;
  /** The address of a route with things in it that are there, of the first project. */
  address(route: Route): string;
}

async function makeWorld(): Promise<World> {
  const service = await startService();
  const { store, projectId } = service;
  const { id } = (
    await service.ask("POST", `/api/v1/traces?agent=${SECRET_WORD}&release=v1`, { body: recording(SECRET_WORD) })
  ).json;
  await service.evaluate();
  await store.baselines.propose(projectId, SECRET_WORD, SECRET_WORD, {}, NOW);
  await store.configs.put(projectId, "policy", "main", `# ${SECRET_WORD}`, NOW);
  await store.configs.put(projectId, "config", "spoor.config.yaml", `# ${SECRET_WORD}`, NOW);
  const report = await store.reports.put(projectId, {
    schema: "spoor.gate/1",
    inputsHash: "h",
    body: SECRET_WORD,
    at: NOW,
  });
  await service.token(["read"]);
  const parts: Readonly<Record<string, string>> = {
    id,
    agent: SECRET_WORD,
    release: "v1",
    generation: "1",
    name: "main",
  };
  return {
    service,
    address({ path }) {
      const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
        path.includes("/reports/") ? String(report) : /\/(tokens|hooks)\//.test(path) ? "1" : parts[name]!,
      );
      if (path.endsWith("/compare")) return `${filled}?baseline=${id}&candidate=${SECRET_WORD}@v1`;
      return path.endsWith("/export") && !path.includes("{") ? `${filled}?agent=${SECRET_WORD}` : filled;
    },
  };
}

const guarded = routes.filter((route) => route.scope !== undefined && !route.path.endsWith("/events"));

describe("every route", () => {
  it("is guarded but for those that anybody may ask", () => {
    expect(routes.filter(({ scope }) => scope === undefined).map(({ method, path }) => `${method} ${path}`)).toEqual([
      "POST /api/v1/session",
      "DELETE /api/v1/session",
      "GET /healthz",
      "GET /readyz",
    ]);
  });

  it("lets in who may, and nobody else", async () => {
    const { service, address } = await makeWorld();
    const own = await Promise.all(scopes.map(async (scope) => [scope, await service.token([scope])] as const));
    for (const route of guarded) {
      const asked = bodyFor(route);
      const codeOf = async (options: AskOptions) => {
        const { status, json } = await service.ask(route.method, address(route), { ...asked, ...options });
        // Exporters hear a status message without a code of ours.
        const code = json?.error?.code ?? (status === 401 ? "auth.token" : "auth.scope");
        return status === 401 || status === 403 ? code : "let in";
      };
      const expired = await service.token([route.scope!], { expiresAt: NOW - 1 });
      const revoked = await service.token([route.scope!]);
      const list = await service.store.tokens.list(service.projectId);
      await service.store.tokens.revoke(service.projectId, list.at(-1)!.id, NOW);
      const got = {
        nobody: await codeOf({}),
        anotherScheme: await codeOf({ headers: { authorization: "Basic YTpi" } }),
        stranger: await codeOf({ token: "spoor_admin_0000000000000000000000_000000" }),
        expired: await codeOf({ token: expired }),
        revoked: await codeOf({ token: revoked }),
        ...Object.fromEntries(
          await Promise.all(own.map(async ([scope, token]) => [scope, await codeOf({ token })] as const)),
        ),
      };
      const refused = "auth.token";
      expect(got, `${route.method} ${route.path}`).toEqual({
        nobody: refused,
        anotherScheme: refused,
        stranger: refused,
        expired: refused,
        revoked: refused,
        ...Object.fromEntries(scopes.map((scope) => [scope, scope === route.scope ? "let in" : "auth.scope"])),
      });
    }
  });

  it("shows and changes nothing of another project", async () => {
    const { service, address } = await makeWorld();
    const before = await fingerprintOf(service);
    for (const [index, route] of guarded.entries()) {
      const guest = await service.token([...scopes], { project: `guests ${index}` });
      const name = `${route.method} ${route.path}`;
      const answer = await service.ask(route.method, address(route), { ...bodyFor(route), token: guest });
      if (route.path.includes("{") && route.method !== "PUT") expect(answer.status, name).toBe(404);
      expect(answer.text, name).not.toContain(SECRET_WORD);
      expect(await fingerprintOf(service), name).toEqual(before);
    }
  });

  it("says the same to a project, whatever others have", async () => {
    const service = await startService();
    const mine = await service.token([...scopes], { project: "mine" });
    const own = await service.token([...scopes]);
    const fill = async (token: string, runs: number) => {
      for (let run = 0; run < runs; run++)
        await service.ask("POST", `/api/v1/traces?agent=shop&release=v${run % 2}`, {
          token,
          body: recording(`${run}`),
        });
      await service.evaluate();
    };
    await fill(mine, 2);
    const { id: projectId } = await service.store.projects.ensure("mine");
    await service.store.baselines.propose(projectId, "shop", "{}", {}, NOW);
    await service.store.configs.put(projectId, "policy", "main", "rules: []\n", NOW);
    const [{ id }] = (await service.ask("GET", "/api/v1/runs", { token: mine })).json.runs;
    const parts: Record<string, string> = { id, agent: "shop", release: "v1", generation: "1", name: "main" };
    const queries: Record<string, string> = {
      "/api/v1/compare": "?baseline=shop@v0&candidate=shop@v1",
      "/api/v1/export": "?agent=shop",
      "/api/v1/runs": "?count=1",
    };
    const asked = routes.filter(({ method, path }) => method === "GET" && !path.endsWith("/events"));
    const look = async () => {
      const said = [];
      for (const { path } of asked) {
        const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
          /\/(reports|tokens|hooks)\//.test(path) ? "1" : parts[name]!,
        );
        const { status, text } = await service.ask("GET", `${address}${queries[path] ?? ""}`, { token: mine });
        said.push([path, status, text]);
      }
      return said;
    };
    // The first look keeps the comparison.
    await look();
    const before = await look();
    const told = before.filter(([, status]) => status === 200).map(([path]) => path);
    expect(told).toEqual(expect.arrayContaining(["/api/v1/storage", "/api/v1/overview", "/api/v1/runs", "/readyz"]));
    expect(before).toContainEqual(["/metrics", 403, expect.stringContaining("all projects")]);

    // The same names in the service's own project, and everything that can wait, fail or be kept.
    await fill(own, 5);
    await service.store.baselines.propose(service.projectId, "shop", "{}", {}, NOW);
    await service.store.configs.put(service.projectId, "policy", "main", "rules: []\n# other\n", NOW);
    await service.ask("GET", "/api/v1/compare?baseline=shop@v0&candidate=shop@v1", { token: own });
    await service.ask("POST", "/api/v1/traces", { token: own, body: '{"schema": "nothing"}' });
    await service.ask("POST", "/api/v1/traces", { token: own, body: recording("waits") });
    expect(await look()).toEqual(before);
    expect((await service.ask("GET", "/metrics", { token: own })).text).toContain("spoor_inbox_waiting 1\n");
    expect((await service.ask("GET", "/api/v1/storage", { token: own })).json.bytes).toBeGreaterThan(0);
  });

  it("of events tells a guest nothing of what happens here", async () => {
    const { service } = await makeWorld();
    const guest = await service.token(["read"], { project: "guests" });
    const response = await fetch(`${service.url}/api/v1/events`, {
      headers: { authorization: `Bearer ${guest}`, "last-event-id": "0" },
    });
    const reader = response.body!.getReader();
    const first = new TextDecoder().decode((await reader.read()).value);
    expect(first).toBe("retry: 2000\n\n");
    expect(await service.store.events.after(2, 0, 10)).toEqual([]);
    await reader.cancel();
  });
});

/** What the first project has. */
async function fingerprintOf({ store, projectId }: TestService) {
  return JSON.stringify([
    await store.runs.count(projectId, {}, 1_000),
    await store.agents.list(projectId),
    await store.baselines.list(projectId, SECRET_WORD),
    await store.configs.list(projectId, "policy"),
    await store.configs.current(projectId, "config", "spoor.config.yaml"),
    await store.tokens.list(projectId),
  ]);
}

describe("without any token", () => {
  let service: TestService;

  it("this machine alone is answered, by its own names", async () => {
    service = await startService();
    const ask = (host: string) => service.ask("GET", "/api/v1/agents", { headers: { host } });
    expect((await ask(`127.0.0.1:${service.port}`)).status).toBe(200);
    expect((await ask("localhost")).status).toBe(200);
    for (const host of ["evil.example", "127.0.0.1.evil.example", "10.1.2.3"]) {
      const refused = await ask(host);
      expect([refused.status, refused.json.error.code]).toEqual([403, "auth.host"]);
    }
  });

  it("nobody who comes through a proxy is taken for this machine, unless the proxy is trusted and says so", async () => {
    const ask = async (headers: Record<string, string>) =>
      (await service.ask("GET", "/api/v1/agents", { headers })).status;
    service = await startService();
    for (const headers of [
      { "x-forwarded-for": "10.1.2.3" },
      { "x-forwarded-for": "127.0.0.1" },
      { forwarded: "for=x" },
    ])
      expect(await ask(headers as Record<string, string>)).toBe(403);
    service = await startService({ trustsProxy: true });
    expect(await ask({})).toBe(200);
    expect(await ask({ "x-forwarded-for": "10.1.2.3, 127.0.0.1" })).toBe(200);
    expect(await ask({ "x-forwarded-for": "::1" })).toBe(200);
    for (const client of ["10.1.2.3", "127.0.0.1, 10.1.2.3", "", "unknown"])
      expect(await ask({ "x-forwarded-for": client })).toBe(403);
    // A page whose name was pointed here may send any header.
    expect(await ask({ host: "evil.example", "x-forwarded-host": "localhost" })).toBe(403);
  });

  it("a page behind a trusted proxy is the service's own by the name that the proxy was called", async () => {
    const headers = { origin: "https://spoor.example.com", "x-forwarded-host": "spoor.example.com", "x-spoor": "1" };
    const signIn = async (trustsProxy: boolean) => {
      service = await startService({ trustsProxy });
      const token = await service.token(["read"]);
      return (await service.ask("POST", "/api/v1/session", { json: { token }, headers })).status;
    };
    expect(await signIn(true)).toBe(204);
    expect(await signIn(false)).toBe(403);
  });

  it("no page of somebody else can write", async () => {
    service = await startService();
    const headers = { origin: "https://evil.example", "content-type": "text/plain" };
    const refused = await service.ask("POST", "/api/v1/traces", { body: recording(), headers });
    expect([refused.status, refused.json.error.code]).toEqual([403, "auth.origin"]);
    expect(refused.headers["access-control-allow-origin"]).toBeUndefined();
    expect((await service.store.inbox.lag()).waiting).toBe(0);
  });

  it("nobody is answered where other machines could ask", async () => {
    service = await startService({ isLoopback: false });
    const refused = await service.ask("GET", "/api/v1/agents");
    expect([refused.status, refused.json.error.code]).toEqual([401, "auth.token"]);
  });
});

describe("a token", () => {
  it("is made, used, listed without its secret, and revoked at once", async () => {
    const service = await startService();
    const early = await service.ask("POST", "/api/v1/tokens", { json: { name: "ci", scopes: ["ingest"] } });
    expect([early.status, early.json.error.code]).toEqual([409, "request.conflict"]);
    const { json: admin } = await service.ask("POST", "/api/v1/tokens", { json: { name: "me", scopes: ["admin"] } });
    const { json: ci } = await service.ask("POST", "/api/v1/tokens", {
      token: admin.token,
      json: { name: "ci", scopes: ["ingest"], expiresAt: "2026-11-17" },
    });
    expect((await service.ask("POST", "/api/v1/traces", { token: ci.token, body: recording() })).status).toBe(201);
    const { text, json } = await service.ask("GET", "/api/v1/tokens", { token: admin.token });
    expect(json.tokens).toMatchObject([
      { name: "me" },
      { name: "ci", scopes: ["ingest"], expiresAt: Date.UTC(2026, 10, 17) },
    ]);
    expect(text).not.toContain(ci.token);
    expect((await service.ask("DELETE", `/api/v1/tokens/${ci.id}`, { token: admin.token })).status).toBe(204);
    expect((await service.ask("POST", "/api/v1/traces", { token: ci.token, body: recording() })).status).toBe(401);
    expect((await service.ask("DELETE", `/api/v1/tokens/${ci.id}`, { token: admin.token })).status).toBe(404);
  });

  it("ends when it ends, also while it is remembered", async () => {
    const service = await startService();
    const token = await service.token(["read"], { expiresAt: NOW + 10_000 });
    expect((await service.ask("GET", "/api/v1/agents", { token })).status).toBe(200);
    service.clock += 10_000;
    expect((await service.ask("GET", "/api/v1/agents", { token })).json.error.message).toBe("This token has expired.");
  });

  it("that another process revoked is refused within half a minute", async () => {
    const service = await startService();
    const token = await service.token(["read"]);
    expect((await service.ask("GET", "/api/v1/agents", { token })).status).toBe(200);
    await service.store.tokens.revoke(service.projectId, 1, NOW);
    service.clock += 30_001;
    expect((await service.ask("GET", "/api/v1/agents", { token })).json.error.message).toBe("This token was revoked.");
  });

  it("is in no answer and in no problem that the service tells its operator", async () => {
    const service = await startService({
      store: (store) => ({
        ...store,
        agents: { ...store.agents, list: () => Promise.reject(new Error("boom")) },
      }),
    });
    const token = await service.token(["read", "admin"]);
    const failed = await service.ask("GET", "/api/v1/agents", { token });
    expect([failed.status, failed.json.error.code]).toEqual([500, "server.internal"]);
    const metrics = await service.ask("GET", "/metrics", { token });
    expect(failed.text + metrics.text + String(service.problems)).not.toContain(token.slice(-20));
    expect(failed.text).not.toContain("boom");
    expect(service.problems).toEqual([new Error("boom")]);
  });
});

describe("a browser", () => {
  const page = (service: TestService) => ({
    origin: `http://127.0.0.1:${service.port}`,
    host: `127.0.0.1:${service.port}`,
    "x-spoor": "1",
  });

  async function signedIn() {
    const service = await startService();
    const token = await service.token(["read", "admin"]);
    const answer = await service.ask("POST", "/api/v1/session", { json: { token }, headers: page(service) });
    expect(answer.status).toBe(204);
    return { service, token, header: answer.headers["set-cookie"]![0]! };
  }

  it("gets a cookie that scripts cannot read, and does with it what the token may", async () => {
    const { service, token, header } = await signedIn();
    expect(header).toMatch(/^__Host-spoor=[^;]+; Path=\/; Max-Age=43200; HttpOnly; Secure; SameSite=Strict$/);
    expect(header).not.toContain(token.slice(-20));
    const cookie = header.split(";")[0]!;
    expect((await service.ask("GET", "/api/v1/agents", { headers: { cookie } })).status).toBe(200);
    expect(
      (await service.ask("POST", "/api/v1/traces", { headers: { cookie, ...page(service) }, body: "x" })).json.error
        .code,
    ).toBe("auth.scope");
    const made = await service.ask("POST", "/api/v1/tokens", {
      headers: { cookie, ...page(service) },
      json: { name: "b", scopes: ["read"] },
    });
    expect(made.status).toBe(201);
  });

  it.each([
    ["without an origin", { "x-spoor": "1" }],
    ["from a page elsewhere", { origin: "https://evil.example", "x-spoor": "1" }],
    ["without the mark", { origin: "own" }],
  ])("writes nothing %s", async (_, headers) => {
    const { service, header } = await signedIn();
    const cookie = header.split(";")[0]!;
    const sent = {
      ...headers,
      ...("origin" in headers && headers.origin === "own" ? { origin: page(service).origin } : {}),
    };
    const refused = await service.ask("POST", "/api/v1/tokens", {
      headers: { cookie, host: page(service).host, ...sent } as Record<string, string>,
      json: { name: "b", scopes: ["read"] },
    });
    expect([refused.status, refused.json.error.code]).toEqual([403, "auth.origin"]);
  });

  it("is signed out when the cookie is changed, over, or its token revoked", async () => {
    const { service, header } = await signedIn();
    const cookie = header.split(";")[0]!;
    const ask = async (value: string) =>
      (await service.ask("GET", "/api/v1/agents", { headers: { cookie: value } })).status;
    expect(await ask(cookie.replace("read-admin", "ingest-read"))).toBe(401);
    expect(await ask(`${cookie.slice(0, -2)}${cookie.endsWith("A") ? "B" : "A"}`)).toBe(401);
    expect(await ask(cookie)).toBe(200);
    service.clock += 12 * 60 * 60 * 1000;
    expect(await ask(cookie)).toBe(401);
  });
});
