/** Real files: what each reader finds equals the counts its SOURCE.md gives. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Trace } from "@spoor/core";
import { describe, expect, it } from "vitest";
import { onShared, sharedExists, sharedFolder } from "../../core/test/shared.ts";
import { loadTraceFile } from "../src/load/load-traces.ts";

const corpora = join(sharedFolder, "corpora");

/** The readers this suite answers for, by corpus. */
const formatOf: Readonly<Record<string, string>> = {
  "agentdojo-drift": "agentdojo",
  "claude-code": "claude-code",
  "inspect-logs": "inspect",
  "pi-session": "pi",
  "swe-agent": "swe-agent",
  "tau-airline": "tau-bench",
  "tau-retail": "tau-bench",
  "tau2-retail": "tau2-bench",
};

interface Row {
  readonly corpus: string;
  readonly file: string;
  readonly path: string;
  readonly expected: Readonly<Record<string, number>>;
}

const COLUMNS: Readonly<Record<string, string>> = {
  traces: "traces",
  responses: "responses",
  "tool calls": "calls",
  "most calls in one response": "mostCalls",
  "responses with parallel calls": "parallel",
  "failed tool results": "failed",
  "longest trace (responses)": "longest",
};

/** Where the counts of the notes miss something: the last step, a `submit`, stands only in the trajectory of this file. */
const BETTER: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  "swe-agent/gpt4__swe-agent-test-repo__default_from_url__t-0.00__p-0.95__c-3.00__install-1__6e44b9__sweagenttestrepo-1c2844":
    { calls: 5, longest: 5, responses: 5 },
};

describe.skipIf(!sharedExists)(onShared("real files"), () => {
  it.each(files())("$corpus/$name is read, and its format recognised", async ({ corpus, path }) => {
    const traces = await loadTraceFile(path);
    expect(traces.length).toBeGreaterThan(0);
    const format = formatOf[corpus];
    if (format !== undefined) expect(traces[0]!.source.format).toBe(format);
  });

  /** Claude Code writes a session file before anything happens; one Inspect log holds only results without calls. */
  it.each(["claude-code/medium-conversation.jsonl.gz", "inspect-logs/log_tool_call_error.json.gz"])(
    "%s, which its SOURCE.md does not count, has no turns",
    async (name) => {
      const [trace] = await loadTraceFile(join(corpora, name));
      expect(trace!.turns).toEqual([]);
    },
  );

  it("tau-bench runs that died before their first turn are traces with an error", async () => {
    const traces = await loadTraceFile(join(corpora, "tau-retail/gemini-2.0-flash.run1.json.gz"));
    const dead = traces.filter((trace) => trace.turns.length === 0);
    expect(dead).toHaveLength(11);
    expect(dead.every((trace) => trace.records.some((record) => record.kind === "error"))).toBe(true);
  });

  it.each(rows())("$corpus/$file", async ({ corpus, file, path, expected }) => {
    const traces = await loadTraceFile(path);
    expect(new Set(traces.map((trace) => trace.source.format))).toEqual(new Set([formatOf[corpus]]));
    expect(Object.keys(expected)).toHaveLength(Object.keys(COLUMNS).length);
    expect(count(traces)).toEqual({ ...expected, ...BETTER[`${corpus}/${file}`] });
  });
});

function files(): { corpus: string; name: string; path: string }[] {
  if (!sharedExists) return [];
  // Files of many tools, some of which no reader knows yet, have a test of their own (corpora-telemetry.test.ts).
  const known = readdirSync(corpora).filter((corpus) => corpus !== "formats-2");
  return known.flatMap((corpus) =>
    readdirSync(join(corpora, corpus))
      .filter((name) => name.endsWith(".gz"))
      .map((name) => ({ corpus, name, path: join(corpora, corpus, name) })),
  );
}

function rows(): Row[] {
  if (!sharedExists) return [];
  return Object.keys(formatOf).flatMap((corpus) => parseTable(corpus));
}

/** The table under "## Files" of a SOURCE.md; a file is listed by its name without extension. */
function parseTable(corpus: string): Row[] {
  const folder = join(corpora, corpus);
  const names = readdirSync(folder);
  const lines = readFileSync(join(folder, "SOURCE.md"), "utf8").split("\n");
  const table = lines
    .filter((line) => line.startsWith("|"))
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  const [header = [], , ...body] = table;
  return body.map((cells) => {
    const file = cells[0]!;
    const name = names.find(
      (candidate) =>
        candidate.startsWith(`${file}.`) && /^\.(jsonl?|traj|trace\.json)\.gz$/.test(candidate.slice(file.length)),
    );
    if (name === undefined) throw new Error(`${corpus}/SOURCE.md lists ${file}, which is not there`);
    const expected: Record<string, number> = {};
    header.forEach((title, index) => {
      const key = COLUMNS[title];
      if (key !== undefined) expected[key] = Number(cells[index]);
    });
    return { corpus, file, path: join(folder, name), expected };
  });
}

function count(traces: readonly Trace[]) {
  const withTurns = traces.filter((trace) => trace.turns.length > 0);
  const turns = traces.flatMap((trace) => trace.turns);
  const perResponse = turns.map((turn) => turn.toolCalls.length);
  return {
    traces: withTurns.length,
    responses: turns.length,
    calls: traces.flatMap((trace) => trace.toolCalls).length,
    mostCalls: Math.max(0, ...perResponse),
    parallel: perResponse.filter((calls) => calls > 1).length,
    failed: traces.flatMap((trace) => trace.toolCalls).filter((call) => call.status === "error").length,
    longest: Math.max(0, ...traces.map((trace) => trace.turns.length)),
  };
}
