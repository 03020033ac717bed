/** Recordings go out as they are kept: an `.agentlog` of one run, or a set of them as the baseline of a CI job. */
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { SpoorError } from "@spoor/core/internal/errors";
import { present } from "@spoor/core/internal/trace/present";
import { shownId } from "../ingest/content-id.ts";
import type { Codec, RunFilter, Store, StoredRun } from "../store/store.ts";
import { notFound } from "./error-answer.ts";
import { parameter } from "./parameter.ts";
import { defineRoute } from "./route.ts";
import { onlyRun } from "./runs.ts";
import { TAR_END, tarEntry } from "./tar.ts";

export const exportRun = defineRoute({
  method: "GET",
  path: "/api/v1/runs/{id}/export",
  scope: "read",
  summary: "The recording of a run as an `.agentlog`, which every command of Spoor reads.",
  answer: "200, compressed with gzip where the client takes that; 404 when it is not kept any more.",
  async run({ caller: { projectId }, path, request }, { store }) {
    const run = await onlyRun(projectId, path["id"]!, store.runs);
    const body = await store.runs.body(projectId, run.id);
    if (body === undefined) throw notFound("recording of this run any more");
    const takesGzip = /\bgzip\b/.test(String(request.headers["accept-encoding"] ?? ""));
    const headers = {
      "content-type": "application/x-ndjson; charset=utf-8",
      "content-disposition": `attachment; filename="${shownId(run.contentId)}.agentlog"`,
      vary: "accept-encoding",
    };
    if (takesGzip && body.codec === "gzip")
      return { status: 200, headers: { ...headers, "content-encoding": "gzip" }, content: body.bytes };
    return { status: 200, headers, content: await plain(body) };
  },
});

/** A set is made in memory of what it lists, one body at a time. */
const MOST_RUNS = 1_000;
const PAGE = 100;

export const exportSet = defineRoute({
  method: "GET",
  path: "/api/v1/export",
  scope: "read",
  summary: "Recordings of a release as a tar of `.agentlog.gz` files: `curl … | tar -x -C baseline`.",
  query: {
    agent: parameter.requiredText("of this agent"),
    release: parameter.text("of this release"),
    scenario: parameter.text("of this scenario alone"),
    last: parameter.integer("so many of each scenario, the newest (default 1)", 1, MOST_RUNS),
  },
  answer: `200 \`application/x-tar\`; 404 when there is no such run; 400 when it would be more than ${MOST_RUNS} runs.`,
  async run({ caller: { projectId }, query }, { store }) {
    const { last = 1, ...filter } = query;
    const runs = await newest(store, projectId, present(filter) as RunFilter, last);
    if (runs.length === 0) throw notFound("such run");
    return {
      status: 200,
      headers: { "content-type": "application/x-tar", "content-disposition": 'attachment; filename="runs.tar"' },
      content: tarOf(store, projectId, runs),
    };
  },
});

async function newest(store: Store, projectId: number, filter: RunFilter, last: number): Promise<StoredRun[]> {
  const counts = new Map<string, number>();
  const chosen: StoredRun[] = [];
  for (let before: number | undefined; ; ) {
    const page = await store.runs.page(projectId, filter, before, PAGE);
    for (const run of page) {
      const key = run.scenario ?? "";
      const count = counts.get(key) ?? 0;
      if (count >= last || run.supersededBy !== undefined) continue;
      counts.set(key, count + 1);
      chosen.push(run);
      if (chosen.length > MOST_RUNS)
        throw new SpoorError("request.invalid", `These are more than ${MOST_RUNS} runs.`, {
          hint: "Ask for fewer of each scenario, or for one scenario at a time.",
        });
    }
    before = page.at(-1)?.id;
    if (page.length < PAGE) return chosen;
  }
}

/** Runs whose recording is not kept any more are left out. */
function tarOf(store: Store, projectId: number, runs: readonly StoredRun[]): ReadableStream<Uint8Array> {
  const waiting = runs.values();
  const nameOf = fileNames();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      for (;;) {
        const next = waiting.next();
        if (next.done) {
          controller.enqueue(TAR_END);
          controller.close();
          return;
        }
        const body = await store.runs.body(projectId, next.value.id);
        if (body === undefined) continue;
        const packed = body.codec === "gzip" ? body.bytes : await promisify(gzip)(body.bytes);
        controller.enqueue(tarEntry(nameOf(next.value), packed, next.value.receivedAt));
        return;
      }
    },
  });
}

/** By scenario, and further runs of one as the trials that readers take them for: `refund.agentlog.gz`, `refund.trial2.agentlog.gz`. */
function fileNames(): (run: StoredRun) => string {
  const taken = new Map<string, number>();
  return ({ scenario, name }) => {
    const stem =
      (scenario ?? name)
        .replace(/[^A-Za-z0-9._-]+/g, "-")
        .replace(/^[-.]+/, "")
        .slice(0, 70) || "run";
    const count = (taken.get(stem) ?? 0) + 1;
    taken.set(stem, count);
    return `${stem}${count === 1 ? "" : `.trial${count}`}.agentlog.gz`;
  };
}

async function plain({ codec, bytes }: { readonly codec: Codec; readonly bytes: Uint8Array }): Promise<Uint8Array> {
  return codec === "gzip" ? promisify(gunzip)(bytes) : bytes;
}
