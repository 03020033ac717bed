/** Requests to every route of the service, which holds runs, a baseline, rules and a webhook: parts of the address, questions and bodies are damaged. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isObject, type Json, stringifyJson } from "@spoor/core/internal/trace/json";
import { parseJson } from "@spoor/core/internal/trace/parse-json";
import type { Route } from "@spoor/server/internal/routes/route";
import { routes } from "@spoor/server/internal/routes/routes";
import type { Area } from "../area.ts";
import { readSeed, type Seed } from "../mutate/mutate.ts";
import { examples, seedOf } from "../repository-files.ts";
import { exportRequests } from "./otlp.ts";
import { addressOf, createRenewed, JSON_TYPE, openServiceInMemory, outcomeOf } from "./service-in-memory.ts";

export const routesArea: Area = {
  name: "routes",
  about: "every route of the service, over a project with runs, a baseline, rules and a webhook",
  share: 14,
  async open() {
    const services = createRenewed(FRESH_EVERY, openFilled);
    const runs = await runsOf(await openFilled());
    const routeOf = new Map(routes.map((route) => [nameOf(route), route]));
    return {
      seeds: routes.map((route) => seedFor(route, runs)),
      async drive({ seed, bytes }) {
        const route = routeOf.get(seed)!;
        const asked = documentOf(bytes);
        const service = await services.next();
        return outcomeOf(
          await service.ask({
            method: route.method,
            address: addressFrom(asked),
            type: JSON_TYPE,
            body: route.method === "GET" ? undefined : bodyFrom(asked["body"]),
          }),
        );
      },
    };
  },
};

const FRESH_EVERY = 100;
const AGENT = "support_agent";
const MCP = {
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name: "search_runs", arguments: { agent: AGENT } },
};

/** What stands for a part of an address, of a question or of a body, by its name. */
const EXAMPLES: Readonly<Record<string, Json>> = {
  ...{ agent: AGENT, release: "v2", against: "v1", scenario: "ticket-1042", trial: "1", name: "one", id: "2" },
  ...{ generation: "1", behaviour: "1", limit: "10", last: "2", from: "2026-01-01", to: "2026-02-01", q: "refund" },
  ...{
    status: "failed",
    session: "a".repeat(64),
    lock: "b".repeat(32),
    by: "Ada",
    why: "meant",
    link: "https://a.example",
  },
  ...{ url: "https://hooks.example/x", events: ["finding"], format: "slack", base: "https://spoor.example" },
  ...{ scopes: ["read"], expiresInDays: 30, token: "spoor_0123456789abcdef" },
};

/** Bodies that are no members, by their route. */
const BODIES: Readonly<Record<string, () => Json>> = {
  "POST /api/v1/traces": () => textOf("examples/refund/candidate/ticket-1042.agentlog"),
  "POST /v1/traces": () => exportRequests()[2]!.bytes.toString("utf8"),
  "POST /v1/logs": () => exportRequests()[3]!.bytes.toString("utf8"),
  "POST /v1/metrics": () => '{"resourceMetrics":[]}',
  "POST /api/v1/agents/{agent}/baselines": () => textOf("examples/refund/baselines/support_agent.json"),
  "PUT /api/v1/policies/{name}": () => textOf("examples/refund/policies/refunds.yaml"),
  "POST /api/v1/policies/preview": () => textOf("examples/refund/policies/refunds.yaml"),
  "PUT /api/v1/config": () => "policy:\n  failOn: moderate\n",
  "POST /api/v1/reports": () => '{"schema":"spoor.check/1"}',
  "POST /api/v1/guard/keep": () => '{"kept":1}',
  "POST /mcp": () => MCP,
};

const nameOf = ({ method, path }: Route) => `${method} ${path}`;
const textOf = (name: string) => seedOf(name).bytes.toString("utf8");

function seedFor(route: Route, runs: readonly string[]): Seed {
  const isOfRun = route.path.startsWith("/api/v1/runs/");
  const example = (name: string): Json => {
    if (name === "id" && isOfRun) return runs[0]!;
    if (route.path === "/api/v1/compare") return runs[name === "baseline" ? 0 : 1]!;
    return EXAMPLES[name] ?? "x";
  };
  const named = (declared: object) => Object.fromEntries(Object.keys(declared).map((name) => [name, example(name)]));
  const body = route.body === undefined ? BODIES[nameOf(route)]?.() : named(route.body);
  const asked = {
    parts: route.path
      .split("/")
      .slice(1)
      .map((part) => (part.startsWith("{") ? example(part.slice(1, -1)) : part)),
    query: named(route.query ?? {}),
    ...(body === undefined ? {} : { body }),
  };
  return readSeed(nameOf(route), Buffer.from(stringifyJson(asked)));
}

/** A project that has something to ask about. */
async function openFilled() {
  const service = await openServiceInMemory();
  const send = (method: string, address: string, body: Buffer | string) =>
    service.ask({ method, address, type: JSON_TYPE, body: Buffer.from(body) });
  for (const [folder, release] of [
    ["baseline", "v1"],
    ["candidate", "v2"],
  ] as const)
    for (const name of readdirSync(join(examples, "refund", folder)).sort())
      await send(
        "POST",
        `/api/v1/traces?release=${release}&name=${name}`,
        readFileSync(join(examples, "refund", folder, name)),
      );
  const agent = `/api/v1/agents/${AGENT}`;
  await send("POST", `${agent}/baselines`, textOf("examples/refund/baselines/support_agent.json"));
  await send("PUT", "/api/v1/policies/one", textOf("examples/refund/policies/refunds.yaml"));
  await send("POST", "/api/v1/hooks", '{"url":"https://hooks.example/x","name":"one","events":["finding"]}');
  await send("POST", "/api/v1/tokens", '{"name":"other","scopes":["read"]}');
  await send("GET", `${agent}/releases/v2/gate?against=v1`, "");
  return service;
}

async function runsOf(service: Awaited<ReturnType<typeof openFilled>>): Promise<string[]> {
  const { said } = await service.ask({ method: "GET", address: "/api/v1/runs" });
  await service.close();
  return (JSON.parse(said) as { readonly runs: readonly { readonly id: string }[] }).runs.map(({ id }) => id);
}

function documentOf(bytes: Buffer): { readonly [key: string]: Json } {
  const text = bytes.toString("utf8");
  try {
    const asked = parseJson(text);
    return isObject(asked) ? asked : { body: asked };
  } catch {
    return { body: text };
  }
}

const wordOf = (value: Json): string => (typeof value === "string" ? value : stringifyJson(value));

function addressFrom(asked: { readonly [key: string]: Json }): string {
  const { parts, query } = asked;
  const path = Array.isArray(parts) ? parts.map((part: Json) => encodeURIComponent(wordOf(part).toWellFormed())) : [];
  const words = isObject(query)
    ? Object.entries(query).map(([name, value]): [string, string] => [name, wordOf(value)])
    : [];
  return addressOf(`/${path.join("/")}?${new URLSearchParams(words)}`);
}

/** A text is the body itself, everything else is JSON. */
function bodyFrom(body: Json | undefined): Buffer | undefined {
  return body === undefined ? undefined : Buffer.from(wordOf(body));
}
