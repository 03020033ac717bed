/** What is sent to the shared service, damaged, through its own application over a store in memory, and evaluated. */
import type { Area } from "../area.ts";
import { readSeed, type Seed } from "../mutate/mutate.ts";
import { seedOf } from "../repository-files.ts";
import { exportRequests } from "./otlp.ts";
import { recordings } from "./read.ts";
import { addressOf, createRenewed, openServiceInMemory, outcomeOf } from "./service-in-memory.ts";
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
    const services = createRenewed(FRESH_EVERY, openServiceInMemory);
    return {
      seeds,
      async drive({ seed, bytes }) {
        const { method, path, type } = doorOf.get(seed)!;
        const isQuestion = path === "QUERY";
        const service = await services.next();
        return outcomeOf(
          await service.ask({
            method,
            address: isQuestion ? addressOf(bytes.toString("utf8")) : path,
            type: type !== undefined && seed.endsWith(".pb") ? "application/x-protobuf" : type,
            body: isQuestion ? undefined : bytes,
          }),
        );
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
