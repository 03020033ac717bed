/** What a run did, and two of them side by side: the words and numbers of the command line on the same files. */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { DiffReport } from "@spoor/core/internal/diff/diff-report";
import { runInMemory } from "spoor/internal/cli/run-in-memory";
import { expect, it } from "vitest";
import { recording, startService, type TestAnswer, type TestService } from "./service.ts";

/** Relative, so that places in reports are the same. */
const REFUND = relative(process.cwd(), fileURLToPath(new URL("../../../examples/refund/", import.meta.url)));
const at = (...names: readonly string[]) => join(REFUND, ...names);

/** As `spoor push` sends a folder; the addresses of the runs by file. */
async function push(service: TestService, folder: string, release: string): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>();
  for (const file of readdirSync(at(folder))) {
    const query = new URLSearchParams({ agent: "support_agent", release, name: at(folder, file) });
    const sent = { body: readFileSync(at(folder, file)) };
    ids.set(file, (await service.ask("POST", `/api/v1/traces?${query}`, sent)).json.id);
  }
  await service.evaluate();
  return ids;
}

/** What a report says about where its inputs lie belongs to the place; what more it lists for a page to show, to the page. */
function withoutTimelines({ inputs: _, traces, ...report }: DiffReport) {
  return { ...report, traces: traces.map(({ timeline: _timeline, ...trace }) => trace) };
}

async function onTheCommandLine(...words: readonly string[]): Promise<DiffReport> {
  const { out } = await runInMemory(["diff", ...words, "--format", "json"]);
  return JSON.parse(out) as DiffReport;
}

it("two runs and two releases are compared as spoor diff compares the same files, once", async () => {
  const service = await startService();
  const before = await push(service, "baseline", "v1");
  const after = await push(service, "candidate", "v2");
  const compare = (baseline: string, candidate: string) =>
    service.ask("GET", `/api/v1/compare?${new URLSearchParams({ baseline, candidate })}`);
  const [file] = [...after.keys()];

  const pair = await compare(before.get(file!)!, after.get(file!)!);
  const expected = await onTheCommandLine(at("baseline", file!), at("candidate", file!));
  expect(withoutTimelines(pair.json.report)).toMatchObject(withoutTimelines(expected));
  expect((await service.ask("GET", `/api/v1/reports/${pair.json.id}.md`)).text).toContain(
    pair.json.headline.replaceAll("_", "\\_").slice(0, -1),
  );
  const rows = pair.json.view.traces[0].rows;
  expect(rows.length).toBeGreaterThan(0);
  expect(JSON.stringify(rows), "what calls returned").toContain('"output"');
  expect((await compare(before.get(file!)!, after.get(file!)!)).json).toEqual(pair.json);

  const all = await compare("support_agent@v1", "support_agent@v2");
  const words = await runInMemory(["diff", at("baseline"), at("candidate")]);
  const whole = await onTheCommandLine(at("baseline"), at("candidate"));
  expect(withoutTimelines(all.json.report)).toMatchObject(withoutTimelines(whole));
  expect(words.out.replaceAll(/\s+/g, " ")).toContain(all.json.headline.slice(0, -1));
  expect(all.json.view).toMatchObject({ baseline: "v1", candidate: "v2" });
  expect(all.json.view.traces).toHaveLength(after.size);

  const policy = readFileSync(at("policies/refunds.yaml"), "utf8");
  await service.ask("PUT", "/api/v1/policies/refunds.yaml", { body: policy });
  const ruled = await compare("support_agent@v1", "support_agent@v2");
  const ruledThere = await onTheCommandLine(at("baseline"), at("candidate"), "--policy", at("policies/refunds.yaml"));
  expect(ruled.json.id).not.toBe(all.json.id);
  expect(ruledThere.policy).toBeDefined();
  const { coverage: _coverage, gate: _gate, ...rest } = withoutTimelines(ruledThere);
  const asFiled = JSON.stringify(ruled.json.report).replaceAll("refunds.yaml", at("policies/refunds.yaml"));
  expect(JSON.parse(asFiled)).toMatchObject(rest);
});

it("refuses what cannot be compared, in words", async () => {
  const service = await startService();
  const ids = await push(service, "baseline", "v1");
  const codeOf = async (baseline: string, candidate: string) => {
    const query = new URLSearchParams({ baseline, candidate });
    const { status, json } = await service.ask("GET", `/api/v1/compare?${query}`);
    return [status, json.error.code];
  };
  const [id] = [...ids.values()];
  expect(await codeOf(id!, id!)).toEqual([400, "input.both-sides"]);
  expect(await codeOf("support_agent@v1", id!)).toEqual([400, "input.both-sides"]);
  expect(await codeOf("nonsense", id!)).toEqual([400, "request.invalid"]);
  expect(await codeOf("support_agent@v9", id!)).toEqual([404, "server.no-runs"]);
  expect(await codeOf("0".repeat(32), id!)).toEqual([404, "request.not-found"]);
});

it("a run is shown turn by turn, long ones in slices, with what rules found in place", async () => {
  const service = await startService();
  await service.ask("PUT", "/api/v1/policies/main.yaml", {
    body: "rules:\n  - id: no-refund\n    kind: no_call\n    params: { tool: issue_refund }\n",
  });
  const { id } = (await service.ask("POST", "/api/v1/traces", { body: recording() })).json;
  const long = {
    messages: Array.from({ length: 60 }, (_, turn) => [
      { role: "user", content: `question ${turn}` },
      { role: "assistant", content: `answer ${turn} ${"x".repeat(40_000)}` },
    ]).flat(),
  };
  const { id: longId } = (await service.ask("POST", "/api/v1/traces", { body: JSON.stringify(long) })).json;
  await service.evaluate();
  const shown = (await service.ask("GET", `/api/v1/runs/${id}/trace`)).json;
  expect(shown).toMatchObject({ id, of: 2, view: { totals: { turns: 2, calls: 1 } } });
  expect(shown.next).toBeUndefined();
  expect(shown.view.turns[0]).toMatchObject({
    calls: [{ name: "issue_refund", input: { amount: 9 }, output: "done" }],
    findings: [{ rule: "no-refund", message: expect.stringContaining("issue_refund") }],
  });

  const turns: { index: number }[] = [];
  let slices = 0;
  for (let from: number | undefined = 0; from !== undefined; slices++) {
    const slice: TestAnswer["json"] = (await service.ask("GET", `/api/v1/runs/${longId}/trace?from=${from}`)).json;
    expect(slice.of).toBe(60);
    expect(Object.keys(slice.view).length === 1).toBe(from > 0);
    turns.push(...slice.view.turns);
    from = slice.next;
  }
  expect(slices).toBeGreaterThan(1);
  expect(turns.map(({ index }) => index)).toEqual(Array.from({ length: 60 }, (_, index) => index));
  expect((await service.ask("GET", `/api/v1/runs/${longId}/trace?from=999`)).json.view.turns).toEqual([]);
  await service.store.retention.apply({ bodiesMs: 0, rejectedMs: 0, eventsMs: 0 }, service.clock + 1);
  expect((await service.ask("GET", `/api/v1/runs/${id}/trace`)).json.error.code).toBe("server.body-gone");
});
