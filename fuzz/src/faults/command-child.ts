/** Runs a command line of Spoor beside a model and a service on this machine, which always say the same. */
import { writeSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { TAR_END, tarEntry } from "@spoor/server/internal/routes/tar";
import { runInMemory } from "spoor/internal/cli/run-in-memory";
import { seedOf } from "../repository-files.ts";

const RECORDING = seedOf("examples/refund/candidate/ticket-1042.agentlog").bytes;
const DAY_MS = 86_400_000;
const RUNS = [1, 2].map((number) => ({
  ...{ id: String(number).repeat(32), number, receivedAt: number * DAY_MS, agent: "support_agent", release: "v1" },
  ...{ name: "ticket-1042", scenario: "ticket-1042" },
}));
const MODEL = {
  ...{ id: "r", object: "chat.completion", created: 1, model: "m-1" },
  choices: [{ index: 0, message: { role: "assistant", content: "Done." }, finish_reason: "stop" }],
  usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
};

const server = createServer((asked, answer) => {
  asked.resume();
  asked.on("end", () => answer.end(said(new URL(asked.url ?? "/", "http://127.0.0.1"))));
});
await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const { PATH = "", HOME = "", GITHUB_ACTIONS = "", GITHUB_STEP_SUMMARY = "" } = process.env;
const run = await runInMemory(process.argv.slice(2), {
  cwd: process.cwd(),
  env: {
    ...{ PATH, HOME, SPOOR_SERVER: url, SPOOR_TOKEN: "t", OPENAI_BASE_URL: `${url}/v1` },
    ...(GITHUB_ACTIONS === "" ? {} : { GITHUB_ACTIONS, GITHUB_STEP_SUMMARY }),
  },
});
writeSync(2, run.err);
process.exit(run.code);

function said({ pathname, searchParams }: URL): string | Uint8Array {
  if (pathname.startsWith("/v1/")) return JSON.stringify(MODEL);
  if (pathname === "/api/v1/export")
    return Buffer.concat([tarEntry("a.agentlog", RECORDING, 0), tarEntry("b.agentlog", RECORDING, 0), TAR_END]);
  if (pathname !== "/api/v1/runs") return RECORDING;
  const [from, to] = [Number(searchParams.get("from") ?? 0), Number(searchParams.get("to") ?? DAY_MS * 10)];
  return JSON.stringify({ runs: RUNS.filter(({ receivedAt }) => receivedAt >= from && receivedAt < to) });
}
