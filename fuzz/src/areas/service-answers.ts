/** What a service answers whoever exports from it, pushes to it or compares with it, damaged: another version, a proxy, or somebody else's server says it. */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isObject, type Json, stringifyJson } from "@spoor/core/internal/trace/json";
import { parseJson } from "@spoor/core/internal/trace/parse-json";
import { TAR_END, tarEntry } from "@spoor/server/internal/routes/tar";
import type { Area } from "../area.ts";
import { buildProject } from "../command-area.ts";
import { readSeed } from "../mutate/mutate.ts";
import { seedOf } from "../repository-files.ts";
import { runCommand } from "../run-command.ts";

const AT = ["--server", "http://127.0.0.1:9", "--token", "t"];

export const serviceAnswersArea: Area = {
  name: "service-answers",
  about: "answers of a service to export (recordings and Parquet), push and a gate whose baseline is there",
  share: 4,
  async open(project) {
    buildProject(project);
    const fresh = join(project, "fresh");
    const config = { traces: "candidate/*.agentlog", diff: { baseline: "server:support_agent@v1" } };
    const questions = [
      ["export", "--to", fresh, ...AT],
      ["export", "--to", fresh, "--parquet", ...AT],
      ["push", join(project, "candidate/ticket-1042.agentlog"), ...AT],
      ["gate", "--config", "at-service.config.json", "--format", "json"],
    ];
    writeFileSync(join(project, "at-service.config.json"), JSON.stringify(config));
    return {
      seeds: [readSeed("answers.json", Buffer.from(stringifyJson(ANSWERS)))],
      async drive({ bytes, choice }) {
        rmSync(fresh, { recursive: true, force: true });
        const before = globalThis.fetch;
        globalThis.fetch = answering(bytes, choice);
        try {
          const env = { SPOOR_SERVER: AT[1]!, SPOOR_TOKEN: "t" };
          return await runCommand({ words: questions[choice % questions.length]!, cwd: project, env });
        } finally {
          globalThis.fetch = before;
        }
      },
    };
  },
};

const RECORDING = seedOf("examples/refund/candidate/ticket-1042.agentlog").bytes.toString("utf8");
const run = (number: number) => ({
  ...{
    id: String(number).repeat(32),
    number,
    receivedAt: 1_767_600_000_000 + number * 40_000_000,
    agent: "support_agent",
  },
  ...{
    release: "v1",
    scenario: "ticket-1042",
    name: "ticket-1042",
    status: "passed",
    turns: 3,
    calls: 4,
    costMicro: 12,
  },
  ...{ inputTokens: 100, outputTokens: 20, similarity: 0.5, startedAt: 1_767_600_000_000, durationMs: 1_234.5 },
});
const ANSWERS: Json = {
  pages: [{ runs: [run(1), run(2)], next: "1" }, { runs: [run(3), { ...run(4), supersededBy: 3 }] }],
  recording: RECORDING,
  files: { "a.agentlog": RECORDING, "b.agentlog": RECORDING },
  pushed: {
    id: "1".repeat(32),
    created: true,
    error: { code: "ingest.too-large", message: "Too large.", hint: "Less." },
  },
  status: 200,
};

/** Statuses after which it is asked again would only take time. */
const AGAIN: ReadonlySet<number> = new Set([429, 502, 503, 504]);

function answering(bytes: Buffer, choice: number): typeof fetch {
  const text = bytes.toString("utf8");
  const answers = documentOf(text);
  const status = statusOf(answers?.["status"]);
  return (asked) => {
    const { pathname, searchParams } = new URL(String(asked));
    const body = answers === undefined ? text : bodyFor(answers, pathname, searchParams, choice);
    return Promise.resolve(new Response(status === 204 || status === 304 ? null : body, { status }));
  };
}

function bodyFor(answers: { readonly [key: string]: Json }, path: string, asked: URLSearchParams, choice: number) {
  if (path === "/api/v1/runs") return stringifyJson(pageFor(answers["pages"], asked, choice));
  if (path === "/api/v1/export") return tarOf(answers["files"]);
  return path.endsWith("/export") ? wordOf(answers["recording"]) : wordOf(answers["pushed"]);
}

/** A service of ours leaves out what was not asked for; another one may not. */
function pageFor(pages: Json | undefined, asked: URLSearchParams, choice: number): Json {
  const page = Array.isArray(pages)
    ? ((pages as readonly Json[])[Number(asked.get("cursor") ?? 0)] ?? { runs: [] })
    : (pages ?? null);
  if (choice % 3 === 0 || !isObject(page) || !Array.isArray(page["runs"])) return page;
  const [from, to] = [Number(asked.get("from") ?? 0), Number(asked.get("to") ?? Number.POSITIVE_INFINITY)];
  const isWanted = (one: Json) =>
    !isObject(one) || (Number(one["receivedAt"]) >= from && Number(one["receivedAt"]) < to);
  return { ...page, runs: (page["runs"] as readonly Json[]).filter(isWanted) };
}

function tarOf(files: Json | undefined): Uint8Array<ArrayBuffer> {
  const entries = isObject(files) ? Object.entries(files) : [["a.agentlog", files ?? null] as const];
  return Buffer.concat([...entries.map(([name, content]) => tarEntry(name, Buffer.from(wordOf(content)), 0)), TAR_END]);
}

function documentOf(text: string): { readonly [key: string]: Json } | undefined {
  try {
    const value = parseJson(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function statusOf(given: Json | undefined): number {
  const isStatus = Number.isInteger(given) && (given as number) >= 200 && (given as number) < 600;
  return isStatus && !AGAIN.has(given as number) ? (given as number) : 500;
}

function wordOf(value: Json | undefined): string {
  return typeof value === "string" ? value : stringifyJson(value ?? null);
}
