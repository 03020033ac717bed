/** How the service is, for those who run it. */
import type { Json } from "@spoor/core";
import { SpoorError } from "@spoor/core/internal/errors";
import { present } from "@spoor/core/internal/trace/present";
import { version } from "spoor/internal/tool-info";
import type { Caller } from "../auth/authenticator.ts";
import { RETENTION } from "../jobs/retention-job.ts";
import { REPORT_LIMITS } from "../store/reports.ts";
import { defineRoute, json } from "./route.ts";
import type { Service } from "./service.ts";

export const isUp = defineRoute({
  method: "GET",
  path: "/healthz",
  summary: "Whether the process answers at all.",
  answer: '200 `{status: "ok", version}`.',
  run: async () => json({ status: "ok", version }),
});

export const isReady = defineRoute({
  method: "GET",
  path: "/readyz",
  summary: "Whether the store can be written to, and evaluation is not far behind.",
  answer:
    "200 or 503 `{status, waiting?, lagMs?}`; status is `ready`, `behind` or `unavailable`. The numbers are told where there is one project.",
  async run({ caller }, service) {
    const { store, limits, now, onProblem } = service;
    try {
      await store.ping();
      const { waiting, oldestReceivedAt } = await store.inbox.lag();
      const lagMs = oldestReceivedAt === undefined ? 0 : Math.max(0, now() - oldestReceivedAt);
      const isBehind = lagMs > limits.lagMs;
      const numbers = (await maySeeWhole(caller, service)) ? { waiting, lagMs } : {};
      return json({ status: isBehind ? "behind" : "ready", ...numbers }, isBehind ? 503 : 200);
    } catch (error) {
      onProblem(error);
      return json({ status: "unavailable" }, 503);
    }
  },
});

export const showMetrics = defineRoute({
  method: "GET",
  path: "/metrics",
  scope: "admin",
  summary: "Figures of the process and its queue, in the text format of Prometheus.",
  answer:
    "200 `text/plain`. They are of all projects together, so that 403 answers a token of another project than the service's own (`spoor serve --project`).",
  async run({ caller }, service) {
    if (!(await maySeeWhole(caller, service))) throw ownProjectOnly();
    const { store, metrics, held, listeners, now } = service;
    const { waiting, oldestReceivedAt } = await store.inbox.lag();
    const lag = oldestReceivedAt === undefined ? 0 : Math.max(0, now() - oldestReceivedAt) / 1000;
    const gauges = [
      { name: "spoor_inbox_waiting", help: "Arrivals that wait for evaluation.", value: waiting },
      { name: "spoor_inbox_lag_seconds", help: "Age of the oldest of them.", value: lag },
      { name: "spoor_held_requests", help: "Requests whose bodies are being read or stored.", value: held.requests },
      { name: "spoor_held_bytes", help: "Bytes that these hold.", value: held.bytes },
      { name: "spoor_event_listeners", help: "Clients that listen to events.", value: listeners.count },
      { name: "process_resident_memory_bytes", help: "Memory of the process.", value: process.memoryUsage.rss() },
    ];
    return {
      status: 200,
      headers: { "content-type": "text/plain; version=0.0.4; charset=utf-8" },
      content: metrics.write(gauges),
    };
  },
});

export const showMyself = defineRoute({
  method: "GET",
  path: "/api/v1/me",
  scope: "read",
  summary: "Which project the token belongs to, and what it opens.",
  answer: "200 `{project, scopes, needsToken}`; without any token yet this machine needs none.",
  async run({ caller }, { store, authenticator }) {
    const project = (await store.projects.list()).find(({ id }) => id === caller.projectId);
    const needsToken = await authenticator.any();
    return json(present({ project: project?.name, scopes: [...caller.scopes], needsToken }) as Json);
  },
});

export const showStorage = defineRoute({
  method: "GET",
  path: "/api/v1/storage",
  scope: "read",
  summary: "What the service keeps, for how long, and how many bytes that takes.",
  answer:
    "200 `{engine, bytes?, runs, limits, waiting, oldestReceivedAt?}`; `bytes` are those of the whole store, told to the service's own project or where there is no other.",
  async run({ caller }, service) {
    const { store } = service;
    const { projectId } = caller;
    const [bytes, agents, lag] = await Promise.all([
      maySeeWhole(caller, service).then((may) => (may ? store.size() : undefined)),
      store.agents.list(projectId),
      store.inbox.lag(projectId),
    ]);
    const runs = agents.reduce((sum, agent) => sum + agent.runs, 0);
    const limits = { ...RETENTION, reports: { ...REPORT_LIMITS } };
    return json(present({ engine: store.engine, bytes, runs, limits, ...lag }) as Json);
  },
});

/** Numbers of the whole service say something of every project in it: they are for its own project, or for anybody where there is no other. */
async function maySeeWhole({ projectId }: Caller, service: Service): Promise<boolean> {
  return projectId === service.projectId || (await service.store.projects.list()).length === 1;
}

function ownProjectOnly(): SpoorError {
  return new SpoorError("auth.scope", "These are figures of all projects, and this token is of one of them.", {
    hint: "Take a token of the service's own project: spoor serve --new-token admin",
  });
}
