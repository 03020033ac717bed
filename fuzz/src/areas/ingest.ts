/** What is sent to the shared service, damaged, through its own application over a store in memory, and evaluated. No socket is opened. */
import { Readable } from "node:stream";
import { closeTraces, OPEN_MS } from "@spoor/server/internal/ingest/close-traces";
import { createApp } from "@spoor/server/internal/routes/create-app";
import { evaluateWaiting } from "@spoor/server/internal/stages/evaluator";
import { openStore } from "@spoor/server/internal/store/open-store";
import type { Store } from "@spoor/server/internal/store/store";
import { type Area, RESULT } from "../area.ts";
import { BrokenPromise } from "../broken-promise.ts";
import { readSeed, type Seed } from "../mutate/mutate.ts";
import { seedOf } from "../repository-files.ts";
import { exportRequests } from "./otlp.ts";
import { recordings } from "./read.ts";
import { policies } from "./written-files.ts";

interface Door {
  readonly method: string;
  readonly path: string;
  readonly type?: string;
}

const AGENT = "/api/v1/agents/support_agent";

export const ingestArea: Area = {
  name: "ingest",
  about:
    "recordings, spans, policies, baselines, configurations and questions sent to the service, and what it makes of them",
  share: 20,
  async open() {
    const groups: readonly (readonly [Door, readonly Seed[]])[] = [
      [{ method: "POST", path: "/api/v1/traces" }, recordings()],
      [{ method: "POST", path: "/v1/traces", type: "application/json" }, exportRequests()],
      [{ method: "PUT", path: "/api/v1/policies/p" }, policies()],
      [{ method: "PUT", path: "/api/v1/config" }, [CONFIG]],
      [{ method: "POST", path: `${AGENT}/baselines` }, [seedOf("examples/refund/baselines/support_agent.json")]],
      [{ method: "POST", path: "/api/v1/tokens", type: "application/json" }, [TOKEN]],
      [{ method: "GET", path: "QUERY" }, QUESTIONS],
    ];
    const doorOf = new Map(groups.flatMap(([door, seeds]) => seeds.map(({ name }) => [`${door.path} ${name}`, door])));
    const seeds = groups.flatMap(([door, list]) =>
      list.map((seed) => ({ ...seed, name: `${door.path} ${seed.name}` })),
    );
    let service: Awaited<ReturnType<typeof openService>> | undefined;
    let inputs = 0;
    return {
      seeds,
      async drive({ seed, bytes }) {
        // What was taken stays in memory, and the rules that were put judge what comes after: a fresh one now and then, and for each rule.
        const door = doorOf.get(seed)!;
        if (service === undefined || inputs++ % FRESH_EVERY === 0) {
          await service?.store.close();
          service = await openService();
        }
        return service.send(door, seed, bytes);
      },
    };
  },
};

const FRESH_EVERY = 200;
const CONFIG = readSeed(
  "config.yaml",
  Buffer.from("policy:\n  failOn: moderate\nbaseline:\n  unknownPath: block\ncohort:\n  relabellings: 99\n"),
);
const TOKEN = readSeed("token.json", Buffer.from('{"name":"ci","scopes":["ingest","read"],"expiresInDays":30}'));
const QUESTIONS = [
  "/api/v1/runs?agent=support_agent&release=1&limit=10&status=failed",
  "/api/v1/runs/0123456789abcdef0123456789abcdef",
  "/api/v1/agents/support_agent/rollups?from=2026-01-01&to=2026-02-01",
  "/api/v1/agents/support_agent/behaviours",
  "/api/v1/rejected?limit=5",
  "/api/v1/policies/p",
].map((path, index) => readSeed(`question-${index + 1}.txt`, Buffer.from(path)));

/** What is short the service writes to the socket itself. */
function directAnswer() {
  let status: number | undefined;
  let said = "";
  return {
    outgoing: {
      writeHead: (code: number) => {
        status = code;
      },
      end: (body: Uint8Array) => {
        said = Buffer.from(body).toString("utf8");
      },
    },
    heard: () => (status === undefined ? undefined : { status, said }),
  };
}

async function openService() {
  const store: Store = await openStore(":memory:");
  const { id: projectId } = await store.projects.ensure("default");
  const problems: unknown[] = [];
  let clock = Date.UTC(2026, 0, 5);
  const app = createApp(store, {
    projectId,
    isLoopback: true,
    now: () => clock,
    onProblem: (error) => problems.push(error),
  });

  return {
    store,
    async send({ method, path, type }: Door, seed: string, bytes: Buffer): Promise<string> {
      clock += 1_000;
      const isQuestion = path === "QUERY";
      const asked = isQuestion ? addressOf(bytes) : path;
      const headers: Record<string, string> = {
        host: "127.0.0.1",
        ...(type === undefined ? {} : { "content-type": seed.endsWith(".pb") ? "application/x-protobuf" : type }),
      };
      const body = isQuestion ? [] : [bytes];
      const incoming = Object.assign(Readable.from(body), { headers, method, url: asked, complete: true });
      const request = new Request(`http://127.0.0.1${asked}`, { method, headers });
      const direct = directAnswer();
      const answer = await app.fetch(request, { incoming, outgoing: direct.outgoing } as never);
      const { status, said } = direct.heard() ?? { status: answer.status, said: await answer.text() };
      if (status >= 500) throw problems.at(-1) ?? new BrokenPromise(`the service answers ${status}: ${said}`);
      clock += OPEN_MS;
      await closeTraces(store.spans, clock);
      while ((await evaluateWaiting(store, { now: () => new Date(clock) })) > 0);
      if (problems.length > 0) throw problems.at(-1);
      if (status < 400) return RESULT;
      return /"code":\s*"([a-z0-9-]+\.[a-z0-9.-]+)"/.exec(said)?.[1] ?? "otlp.refused";
    },
  };
}

/** Whatever a client can put into an address; what is no address at all never leaves it. */
function addressOf(bytes: Buffer): string {
  try {
    const { pathname, search } = new URL(bytes.toString("utf8"), "http://127.0.0.1");
    return `${pathname.startsWith("/") ? pathname : "/"}${search}`;
  } catch {
    return "/api/v1/runs";
  }
}
