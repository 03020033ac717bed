import { describe, expect, it } from "vitest";
import { recordsOf, type TurnSpec, traceOf } from "../../test/build.ts";
import { buildTrace } from "../trace/build-trace.ts";
import type { Json } from "../trace/json.ts";
import type { TraceRecord } from "../trace/record.ts";
import { diffTraceSets, diffTraces } from "./diff-traces.ts";
import { gateDiff } from "./gate-diff.ts";
import { pairTraces } from "./pair-traces.ts";

const long: TurnSpec[] = Array.from({ length: 13 }, (_, index) => ({ calls: [`get_${index}`] }));
const withTurn = (turn: TurnSpec) => [...long.slice(0, 7), turn, ...long.slice(7)];
const baseline = traceOf(long);

/** The records of the long run with one more after its fifth response. */
function withRecord(record: TraceRecord) {
  const records = recordsOf(long);
  const at = records.map(({ kind }) => kind).indexOf("chat_response", 8) + 1;
  return buildTrace([...records.slice(0, at), record, ...records.slice(at)]);
}

/** The run with these tools offered in every request. */
function offering(turns: readonly TurnSpec[], tools: readonly Json[]) {
  return buildTrace(
    recordsOf(turns).map((record) =>
      record.kind === "chat_request"
        ? { ...record, payload: { ...(record.payload as object), tools } as Json }
        : record,
    ),
  );
}

describe("a tool that no baseline run called and that may change something is severe", () => {
  it.each([
    {
      name: "in a turn of its own",
      candidate: traceOf(withTurn({ calls: ["delete_database"] })),
      tool: "delete_database",
    },
    {
      name: "beside a call that was always made",
      candidate: traceOf(long.map((turn, index) => (index === 7 ? { calls: ["get_7", "wire_money"] } : turn))),
      tool: "wire_money",
    },
    {
      name: "in a record of its own",
      candidate: withRecord({
        kind: "tool_call",
        payload: { tool_call_id: "x", tool_name: "rm", arguments: { path: "/" } },
      }),
      tool: "rm",
    },
    {
      name: "of a sub-agent alone",
      candidate: withRecord({
        kind: "chat_response",
        meta: { agent: "helper" },
        payload: { content: [{ type: "tool_use", id: "h", name: "send_mail", input: {} }], stop_reason: "tool_use" },
      }),
      tool: "send_mail",
    },
    {
      name: "through an MCP server",
      candidate: traceOf(withTurn({ calls: ["mcp__pg__drop_table"] })),
      tool: "mcp__pg__drop_table",
    },
    {
      name: "though the call failed",
      candidate: traceOf(withTurn({ calls: [{ name: "purge", failed: true }] })),
      tool: "purge",
    },
    {
      name: "declared destructive, whatever its name",
      candidate: offering(withTurn({ calls: ["get_clean"] }), [
        { name: "get_clean", annotations: { destructiveHint: true } },
      ]),
      tool: "get_clean",
    },
  ])("$name", ({ candidate, tool }) => {
    const result = diffTraces(baseline, candidate);
    expect(result.newTools).toMatchObject([
      { tool, effect: true, severity: "severe", traces: 1, of: 1, baselineTraces: 1 },
    ]);
    expect(result.verdict).toMatchObject({ code: "tool_new", tool });
    const { tripped, reasons } = gateDiff(result, "severe");
    expect(tripped).toBe(true);
    expect(reasons).toContainEqual({ code: "new_tool", subject: tool, severity: "severe" });
    expect(gateDiff(result, "severe", ["axes", "policy", "structure"]).tripped).toBe(false);
  });

  it("in a call before any response, which has no turn", () => {
    const records = recordsOf(long);
    const call: TraceRecord = { kind: "tool_call", payload: { tool_call_id: "x", tool_name: "wipe", arguments: {} } };
    const { newTools, structure } = diffTraces(baseline, buildTrace([records[0]!, call, ...records.slice(1)]));
    expect(newTools).toMatchObject([{ tool: "wipe", severity: "severe" }]);
    expect(newTools[0]!.places[0]).not.toHaveProperty("turnIndex");
    expect(structure.changed).toBe(1);
  });
});

describe("what does not make it severe", () => {
  it.each([
    { name: "a name that only reads", candidate: traceOf(withTurn({ calls: ["search_orders"] })) },
    {
      name: "a declaration that it only reads",
      candidate: offering(withTurn({ calls: ["probe"] }), [{ name: "probe", annotations: { readOnlyHint: true } }]),
    },
  ])("$name", ({ candidate }) => {
    const result = diffTraces(baseline, candidate);
    expect(result.newTools).toMatchObject([{ effect: false, severity: "minor" }]);
    expect(gateDiff(result, "severe").tripped).toBe(false);
  });

  it("another baseline run called it, even one without a partner", () => {
    const named = (name: string, turns: readonly TurnSpec[]) => traceOf(turns, { scenario_id: name });
    const changed = withTurn({ calls: ["refund"] });
    const result = diffTraceSets(
      pairTraces([named("one", long), named("other", changed)], [named("one", changed), named("third", long)]),
    );
    expect(result.newTools).toEqual([]);
  });
});

it("a run without any partner is looked at too, and the others do not hide it", () => {
  const named = (name: string, turns: readonly TurnSpec[]) => traceOf(turns, { scenario_id: name });
  const result = diffTraceSets(
    pairTraces(
      [named("one", long), named("two", long)],
      [named("one", long), named("two", long), named("nine", [{ calls: ["wire_money"] }])],
    ),
  );
  expect(result.structure.changed).toBe(0);
  expect(result.verdict).toMatchObject({ code: "tool_new", tool: "wire_money", traces: 1, of: 3, baselineTraces: 2 });
  expect(gateDiff(result, "severe").reasons.map(({ subject }) => subject)).toEqual(["wire_money"]);
});

it("a run without a partner is said where nothing else changed", () => {
  const named = (name: string) => traceOf(long, { scenario_id: name });
  const result = diffTraceSets(pairTraces([named("one"), named("two")], [named("one"), named("two"), named("nine")]));
  expect(result.verdict).toEqual({ code: "unchanged", turns: 26, unmatched: 1 });
});

it("a run of the baseline that the candidate did not make is said too", () => {
  const named = (name: string) => traceOf(long, { scenario_id: name });
  const result = diffTraceSets(pairTraces([named("one"), named("two"), named("three")], [named("one"), named("two")]));
  expect(result.verdict).toEqual({ code: "unchanged", turns: 26, missing: 1 });
});
