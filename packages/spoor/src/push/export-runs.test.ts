import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { recording, startService, type TestService } from "../../../server/test/service.ts";
import { runInMemory } from "../cli/run-in-memory.ts";
import { loadTraces } from "../load/load-traces.ts";
import { exportParquet } from "./export-parquet.ts";
import { exportRuns } from "./export-runs.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "spoor-export-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const files = (place = folder) =>
  readdirSync(place, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".agentlog"));

/** So many runs of each release, of one scenario. */
async function filled(...releases: readonly (readonly [release: string, runs: number])[]): Promise<TestService> {
  const service = await startService();
  for (const [release, runs] of releases)
    for (let run = 0; run < runs; run++)
      await service.ask("POST", `/api/v1/traces?agent=shop&release=${release}&scenario=damaged%20item`, {
        body: recording(`${release} ${run}`),
      });
  await service.evaluate();
  return service;
}

it("writes a file for each run that a filter leaves, over many pages, and goes on where it was", async () => {
  const service = await filled(["v1", 230], ["v/2", 3]);
  const asked: string[] = [];
  const options = (filter: Record<string, string>, most = Number.POSITIVE_INFINITY) => ({
    filter,
    folder,
    wait: async () => undefined,
    fetch: (async (url: string, init: RequestInit) => {
      if (asked.push(url) > most) throw new TypeError("fetch failed");
      return fetch(url, init);
    }) as typeof fetch,
  });
  const to = { server: service.url };
  await expect(exportRuns(to, options({ release: "v1" }, 150))).rejects.toMatchObject({ code: "server.unreachable" });
  const before = files().length;
  expect(before).toBeGreaterThan(100);
  asked.length = 0;
  expect(await exportRuns(to, options({ release: "v1" }))).toEqual({
    written: 230 - before,
    known: before,
    gone: 0,
    replaced: 0,
  });
  expect(asked.filter((url) => url.endsWith("/export"))).toHaveLength(230 - before);
  expect(files()).toHaveLength(230);
  const { written } = await exportRuns(to, options({ agent: "shop" }));
  expect(written).toBe(3);
  const traces = await loadTraces([join(folder, "shop", "v1")]);
  expect(traces.map((trace) => trace.toolCalls.map(({ name }) => name))).toEqual(Array(230).fill(["issue_refund"]));
  const [number] = (await service.ask("GET", "/api/v1/runs?release=v1&limit=1")).json.runs.map(
    (run: { number: number }) => run.number,
  );
  expect(files()).toContainEqual(
    expect.stringMatching(new RegExp(`^shop/v1/damaged_item-\\w{8}\\.run${number}\\.agentlog$`)),
  );
  const one = join(folder, files()[0]!);
  expect(readFileSync(one, "utf8")).toContain("refund order A-1");
});

it("counts what is not kept any more, and says what there is not", async () => {
  const service = await filled(["v1", 2]);
  const [, run] = (await service.ask("GET", "/api/v1/runs")).json.runs as { id: string }[];
  const gone = async (url: string, init: RequestInit) =>
    url.includes(`${run!.id}/export`)
      ? Response.json({ error: { code: "request.not-found", message: "There is none." } }, { status: 404 })
      : fetch(url, init);
  const options = { filter: {}, folder, fetch: gone as typeof fetch };
  expect(await exportRuns({ server: service.url }, options)).toEqual({ written: 1, known: 0, gone: 1, replaced: 0 });

  const spoor = (...words: string[]) => runInMemory(["export", ...words, "--server", service.url], { cwd: folder });
  const to = join(folder, "all");
  expect(await spoor("--to", to, "--since", "2026-01-01", "--format", "json")).toMatchObject({
    code: 0,
    out: `${JSON.stringify({ server: service.url, folder: "all", written: 2, known: 0, gone: 0, replaced: 0 })}\n`,
  });
  expect((await spoor("--to", to)).out).toBe("0 recordings written to all, 2 there already.\n");
  expect(await spoor("--to", to, "--until", "2026-01-01")).toMatchObject({ code: 2 });
  expect(await spoor("--to", to, "--since", "yesterday")).toMatchObject({ code: 2 });
  expect(await spoor("--release", "v1")).toMatchObject({ code: 2 });
  for (const [words, says] of [
    [["--release", "v1"], "--release would leave"],
    [["--scenario", "one"], "--scenario would leave"],
    [["--since", "2026-11-01T12:00:00Z"], "--parquet writes whole days (UTC)"],
    [["--until", "2026-01-01"], "The service has no such run."],
  ] as const)
    expect(await spoor("--parquet", "--to", to, ...words)).toMatchObject({
      code: 2,
      err: expect.stringContaining(says),
    });
  await service.token(["admin"]);
  const nobody = await spoor("--to", join(folder, "none"));
  expect([nobody.code, nobody.err]).toEqual([2, expect.stringContaining("The service answers 401")]);
  expect(nobody.err).toContain("What is in the folder stays as it is");
  expect(nobody.err).not.toMatch(/Nothing was (sent|evaluated)/);
  expect(existsSync(join(folder, "none"))).toBe(false);
});

/** What a service of another kind may say to every question. */
const LISTED = { id: "a".repeat(32), number: 1, receivedAt: 86_400_000, agent: "shop" };
it.each([
  ["the same day whichever is asked for", { runs: [LISTED] }],
  ["a day beyond all days", { runs: [{ ...LISTED, receivedAt: 1e300 }] }],
  ["a time before there were any", { runs: [{ ...LISTED, receivedAt: -1 }] }],
  ["the same page after each page", { runs: [], next: "again" }],
])("is not asked for ever, nor fails inside: %s", async (_what, page) => {
  const answer = (async () => new Response(JSON.stringify(page))) as unknown as typeof fetch;
  const to = { server: "http://127.0.0.1:9" };
  const refused = { code: "server.refused", message: expect.stringContaining("no service of Spoor's") };
  const isPage = "next" in page;
  if (!isPage) await expect(exportParquet(to, { folder, fetch: answer })).rejects.toMatchObject(refused);
  else await expect(exportRuns(to, { folder, filter: {}, fetch: answer })).rejects.toMatchObject(refused);
});
