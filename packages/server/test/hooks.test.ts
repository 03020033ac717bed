/** Webhooks: told once and until heard, signed, quiet, and never to where they may not go. In both engines where the store decides. */
import { createHmac } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createAddressGuard, isInside } from "../src/hooks/address-guard.ts";
import { deliverDue, waitAfter } from "../src/hooks/courier.ts";
import { type HookTools, openHooks } from "../src/hooks/open-hooks.ts";
import { createSealer } from "../src/hooks/seal.ts";
import { alertsJob } from "../src/jobs/alerts-job.ts";
import { reevaluationJob } from "../src/jobs/reevaluation-job.ts";
import { verdictJob } from "../src/jobs/verdict-job.ts";
import { migrateStore } from "../src/store/open-store.ts";
import { NOW, recording, startService, type TestService } from "./service.ts";
import { fileEngine, postgresEngines } from "./stores.ts";

const KEY = "a key of thirty-two characters ok";
const tools = (hosts = "127.0.0.1"): HookTools => openHooks(":memory:", { SPOOR_KEY: KEY, SPOOR_HOOK_HOSTS: hosts });

interface Heard {
  readonly headers: IncomingMessage["headers"];
  readonly text: string;
  readonly url: string;
}

/** Somebody who listens, and answers as the test says. */
async function listen(answer: () => { status: number; headers?: Record<string, string> } = () => ({ status: 204 })) {
  const heard: Heard[] = [];
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk: Buffer) => {
      text += chunk.toString("utf8");
    });
    request.on("end", () => {
      heard.push({ headers: request.headers, text, url: request.url! });
      const { status, headers = {} } = answer();
      response.writeHead(status, headers).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, heard };
}

const hookAt = (service: TestService, url: string, more: object = {}) =>
  service.ask("POST", "/api/v1/hooks", {
    json: { url, name: "chat", events: ["finding", "verdict", "cohort"], base: "https://spoor.example", ...more },
  });

function send(service: TestService, said: string, tool = "issue_refund", release = "v1") {
  const query = new URLSearchParams({ agent: "shop", release, scenario: "refund" });
  return service.ask("POST", `/api/v1/traces?${query}`, { body: recording(said, tool) });
}

async function push(service: TestService, said: string, tool?: string, release?: string): Promise<void> {
  await send(service, said, tool, release);
  await service.evaluate();
}

const deliver = (service: TestService) =>
  deliverDue(service.store, { ...tools(), now: () => service.clock, random: () => 0.5 });

const RULE = "rules:\n  - { id: no-refund, kind: no_call, severity: error, params: { tool: issue_refund } }\n";

describe.each([fileEngine, ...postgresEngines])("in $name", (engine) => {
  async function start(): Promise<TestService> {
    const url = await engine.address();
    await migrateStore(url);
    return startService({ url, hooks: tools() });
  }

  it("a rule that is put later is told of the newest runs, once, and not of what is long past", async () => {
    const service = await start();
    const { url, heard } = await listen();
    await hookAt(service, url);
    await push(service, "long past", "issue_refund", "v0");
    for (let run = 0; run < 30; run++) await send(service, `${run}`, run < 2 ? "issue_refund" : "lookup", "v1");
    await service.evaluate();
    await service.ask("PUT", "/api/v1/policies/main.yaml", { body: RULE });
    const job = reevaluationJob();
    const turn = (ms: number) => job.run(service.store, new Date(service.clock + ms));
    await turn(0);
    expect(await service.store.runs.count(service.projectId, { status: "failed" }, 9), "judged again").toBe(3);
    // The second look, and rules that are put once more, say nothing new.
    await turn(31_000);
    await turn(33_000);
    await deliver(service);
    expect(heard.map(({ text }) => JSON.parse(text).sentence)).toEqual([
      "Rule no-refund is broken by 2 runs of shop, release v1.",
    ]);
    await service.ask("PUT", "/api/v1/policies/main.yaml", { body: "rules: []\n" });
    await turn(60_000);
    await alertsJob().run(service.store, new Date(service.clock));
    await deliver(service);
    expect(heard.map(({ text }) => JSON.parse(text).state)).toEqual(["raised", "cleared"]);
  });

  it("a broken rule is told once, signed, without a word of the run; then that it is over; then again", async () => {
    const service = await start();
    const { url, heard } = await listen();
    const { status, json: hook } = await hookAt(service, url);
    expect(status).toBe(201);
    await service.ask("PUT", "/api/v1/policies/main.yaml", { body: RULE });
    await push(service, "very private words");
    await push(service, "more private words");
    expect(await deliver(service)).toBe(1);
    expect(await deliver(service)).toBe(0);
    const [{ headers, text }] = heard as [Heard];
    expect(heard).toHaveLength(1);
    expect(JSON.parse(text)).toMatchObject({
      event: "finding",
      state: "raised",
      agent: "shop",
      release: "v1",
      rule: "no-refund",
      sentence: "Rule no-refund is broken by a run of shop, release v1.",
      link: "https://spoor.example/api/v1/runs?agent=shop&release=v1&rule=no-refund",
      key: headers["x-spoor-key"],
    });
    expect(text).not.toContain("private");
    const signed = createHmac("sha256", hook.secret).update(`${headers["x-spoor-timestamp"]}.${text}`).digest("hex");
    expect(headers["x-spoor-signature"]).toBe(`v1=${signed}`);
    expect(Number(headers["x-spoor-timestamp"])).toBe(service.clock / 1000);

    const job = alertsJob();
    await job.run(service.store, new Date(service.clock));
    expect(await deliver(service), "it is still broken").toBe(0);
    await Promise.all(Array.from({ length: 30 }, (_, run) => send(service, `clean ${run}`, "lookup")));
    await service.evaluate();
    await job.run(service.store, new Date(service.clock));
    await job.run(service.store, new Date(service.clock));
    await deliver(service);
    await push(service, "private again");
    await deliver(service);
    expect(heard.map((one) => JSON.parse(one.text).state)).toEqual(["raised", "cleared", "raised"]);
    expect(new Set(heard.map((one) => one.headers["x-spoor-key"])).size).toBe(3);
    const { deliveries } = (await service.ask("GET", `/api/v1/hooks/${hook.id}/deliveries`)).json;
    expect(deliveries.map((one: { state: string }) => one.state)).toEqual(["delivered", "delivered", "delivered"]);
    expect((await service.ask("GET", "/api/v1/hooks")).text).not.toContain(hook.secret);
  });

  it("what nobody hears comes again later and later, is given up after some days, and is shown", async () => {
    const service = await start();
    let answer = { status: 500 };
    const { url, heard } = await listen(() => answer);
    const { json: hook } = await hookAt(service, url);
    await service.ask("POST", `/api/v1/hooks/${hook.id}/test`);
    const deliveries = async () => (await service.ask("GET", `/api/v1/hooks/${hook.id}/deliveries`)).json.deliveries;
    await deliver(service);
    const [waiting] = await deliveries();
    expect(waiting).toMatchObject({ state: "waiting", attempts: 1, error: "It answered 500.", nextAt: NOW + 60_000 });
    service.clock = NOW + 59_999;
    expect(await deliver(service)).toBe(0);
    answer = { status: 302, headers: { location: "http://127.0.0.1:1/elsewhere" } } as typeof answer;
    for (let tries = 0; tries < 12; tries++) {
      service.clock = (await deliveries())[0].nextAt;
      expect(await deliver(service)).toBe(1);
    }
    expect((await deliveries())[0]).toMatchObject({
      state: "dead",
      attempts: 13,
      error: "It answered 302; redirects are not followed.",
    });
    expect(new Set(heard.map(({ headers }) => headers["x-spoor-key"])).size, "one key").toBe(1);
    expect(heard.every((one) => one.url === "/hook")).toBe(true);
    expect((await service.ask("GET", "/api/v1/hooks")).json.hooks).toMatchObject([{ waiting: 0, dead: 1 }]);
    service.clock += 30 * 24 * 3_600_000;
    expect(await deliver(service)).toBe(0);
    expect((await service.ask("DELETE", `/api/v1/hooks/${hook.id}`)).status).toBe(204);
    expect((await service.ask("DELETE", `/api/v1/hooks/${hook.id}`)).status).toBe(404);
  });

  it("a process that dies after it has told tells again, under the same key", async () => {
    const service = await start();
    const { url, heard } = await listen();
    const { json: hook } = await hookAt(service, url);
    await service.ask("POST", `/api/v1/hooks/${hook.id}/test`);
    const dying = {
      ...service.store,
      hooks: { ...service.store.hooks, delivered: () => Promise.reject(new Error("killed")) },
    };
    const options = { ...tools(), now: () => service.clock };
    await expect(deliverDue(dying, options)).rejects.toThrow("killed");
    expect(await deliver(service), "another one waits until the claim has run out").toBe(0);
    service.clock += 60_000;
    expect(await deliver(service)).toBe(1);
    service.clock += 60_000;
    expect(await deliver(service)).toBe(0);
    expect(heard).toHaveLength(2);
    expect(heard[0]!.headers["x-spoor-key"]).toBe(heard[1]!.headers["x-spoor-key"]);
  });

  it("a release that is blocked is told, in the form that a chat reads", async () => {
    const service = await start();
    const { url, heard } = await listen();
    await hookAt(service, url, { format: "slack", events: ["verdict"] });
    await service.ask("PUT", "/api/v1/policies/main.yaml", { body: RULE });
    await push(service, "fine", "lookup", "v1");
    service.clock += 1000;
    await push(service, "not fine", "issue_refund", "<!channel>");
    await verdictJob().run(service.store, new Date(service.clock + 20_000));
    service.clock += 30_000;
    await deliver(service);
    expect(heard.map(({ text }) => JSON.parse(text))).toMatchObject([
      {
        text: expect.stringMatching(
          /^:warning: Release &lt;!channel&gt; of shop is blocked, compared with v1\. <https:\/\/spoor\.example\/api\/v1\/reports\/\d+\.html\|Look>$/,
        ),
      },
    ]);
  });
});

describe("an address", () => {
  it.each([
    "127.0.0.1",
    "0.0.0.0",
    "10.1.2.3",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "224.0.0.1",
    "255.255.255.255",
    "::1",
    "::",
    "fe80::1",
    "fe80::1%eth0",
    "fc00::1",
    "fd12::1",
    "ff02::1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "64:ff9b::7f00:1",
    "2002:7f00:1::",
    "2001:db8::1",
    "not an address",
  ])("%s is not the internet's", (address) => {
    expect(isInside(address)).toBe(true);
  });

  it.each(["8.8.8.8", "172.32.0.1", "100.128.0.1", "2606:4700::1111"])("%s is", (address) => {
    expect(isInside(address)).toBe(false);
  });

  it.each([
    "http://127.0.0.1/",
    "http://2130706433/",
    "http://0x7f.1/",
    "http://[::1]/",
    "http://[::ffff:7f00:1]/",
    "http://localhost./",
    "http://inside.example/",
    "http://both.example/",
    "file:///etc/passwd",
    "gopher://8.8.8.8/",
    "http://user:pass@8.8.8.8/",
    "nonsense",
  ])("%s is refused", async (url) => {
    const answers: Record<string, string[]> = {
      "inside.example": ["10.0.0.7"],
      "both.example": ["8.8.8.8", "127.0.0.1"],
      "localhost.": ["127.0.0.1"],
    };
    const guard = createAddressGuard(new Set(), async (host) =>
      (answers[host] ?? []).map((address) => ({ address, family: 4 })),
    );
    await expect(guard.resolve(url)).rejects.toMatchObject({ code: "webhook.address" });
  });

  it("that the operator allows may be inside, and is asked for once: what was looked at is connected to", async () => {
    const { url, heard } = await listen();
    let asked = 0;
    const guard = createAddressGuard(new Set(["chat.inside"]), async () => {
      asked++;
      return [{ address: "127.0.0.1", family: 4 }];
    });
    const service = await startService({ hooks: { ...tools(), guard } });
    const { json: hook } = await hookAt(service, url.replace("127.0.0.1", "chat.inside"));
    await service.ask("POST", `/api/v1/hooks/${hook.id}/test`);
    asked = 0;
    await deliverDue(service.store, { ...tools(), guard, now: () => service.clock });
    expect([asked, heard.length]).toEqual([1, 1]);
    expect(heard[0]!.headers.host).toMatch(/^chat\.inside:/);
  });

  it("is refused when a hook is made, and again when it leads elsewhere later", async () => {
    const service = await startService({ hooks: tools("") });
    const { url, heard } = await listen();
    expect((await hookAt(service, url)).json.error.code).toBe("webhook.address");
    const outside = createAddressGuard(new Set(), async () => [{ address: "8.8.8.8", family: 4 }]);
    const made = await startService({ hooks: { ...tools(), guard: outside } });
    const { json: hook } = await hookAt(made, url.replace("127.0.0.1", "rebound.example"));
    await made.ask("POST", `/api/v1/hooks/${hook.id}/test`);
    const inside = createAddressGuard(new Set(), async () => [{ address: "127.0.0.1", family: 4 }]);
    await deliverDue(made.store, { ...tools(), guard: inside, now: () => made.clock });
    expect(heard).toEqual([]);
    const { deliveries } = (await made.ask("GET", `/api/v1/hooks/${hook.id}/deliveries`)).json;
    expect(deliveries[0].error).toContain("leads into a network of its own (127.0.0.1)");
  });
});

describe("a secret", () => {
  it("lies sealed in the store, and another key does not open it", async () => {
    const sealer = createSealer(KEY);
    const sealed = sealer.seal("hush");
    expect(Buffer.from(sealed).toString("latin1")).not.toContain("hush");
    expect(sealer.open(sealed)).toBe("hush");
    expect(() => createSealer(`${KEY}!`).open(sealed)).toThrow(expect.objectContaining({ code: "webhook.key" }));
    sealed[sealed.length - 1]! ^= 1;
    expect(() => sealer.open(sealed)).toThrow(expect.objectContaining({ code: "webhook.key" }));
  });

  it("needs a key, which is made beside a file and asked for elsewhere", async () => {
    const folder = mkdtempSync(join(tmpdir(), "spoor-key-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, "spoor.db");
    const sealed = (await openHooks(file, {}).sealer())!.seal("hush");
    expect((await openHooks(file, {}).sealer())!.open(sealed)).toBe("hush");
    expect(readFileSync(`${file}.key`, "utf8")).toMatch(/^[0-9a-f]{64}$/);
    if (process.platform !== "win32") expect(statSync(`${file}.key`).mode & 0o777).toBe(0o600);
    expect(await openHooks("postgres://nowhere/x", {}).sealer()).toBeUndefined();
    await expect(openHooks(file, { SPOOR_KEY: "short" }).sealer()).rejects.toMatchObject({ code: "webhook.key" });
    const service = await startService({ hooks: { ...tools(), sealer: async () => undefined } });
    expect((await hookAt(service, "http://127.0.0.1/")).json.error.code).toBe("webhook.key");
    for (const wrong of [{ secret: "short" }, { format: "fax" }, { events: ["nothing"] }, { base: "nowhere" }])
      expect((await hookAt(await startService({ hooks: tools() }), "http://127.0.0.1/", wrong)).status).toBe(400);
  });
});

it("waits from a minute to a day, spread by a quarter", () => {
  expect([waitAfter(1, 0), waitAfter(1, 1), waitAfter(3, 0.5), waitAfter(12, 0.5), waitAfter(60, 0.5)]).toEqual([
    45_000, 75_000, 240_000, 86_400_000, 86_400_000,
  ]);
});
