/**
 * What a question names → a fence that holds it and nothing else. Runs, policies, baselines and reports are fetched out of the caller's project by
 * id or name; a path leads nowhere, because inside such a fence no file is opened.
 */
import type { Trace } from "@spoor/core";
import { SpoorError } from "@spoor/core/internal/errors";
import type { Fence } from "spoor/internal/load/fence";
import { byRun } from "spoor/internal/mcp/naming";
import type { CommandLine } from "spoor/internal/mcp/tool";
import { isShownId, shownId } from "../../ingest/content-id.ts";
import { POLICY_KIND } from "../../stages/project-rules.ts";
import { parseReleaseName, readRuns, releaseRuns } from "../../stages/stored-traces.ts";
import type { Store, StoredRun } from "../../store/store.ts";

export interface Fetched {
  readonly fence: Fence;
  /** Which run is called what in the words of an answer. */
  readonly runs: readonly NamedRun[];
}

export interface NamedRun {
  readonly id: string;
  readonly trace: string;
  readonly path?: string;
}

/** Runs of one question, and bytes of their recordings as they are kept: what fits into the memory of one process. */
const MOST_RUNS = 1_000;
const MOST_BYTES = 64e6;

export async function fetchNamed(store: Store, projectId: number, line: CommandLine): Promise<Fetched> {
  const { runs: asked = [], policy, baseline, report } = line.names;
  const given = new Map(Object.entries(line.given ?? {}));
  if (policy !== undefined && !policy.startsWith("spoor:"))
    given.set(policy, await policyText(store, projectId, policy));
  if (baseline !== undefined) given.set(byRun.baseline.file(baseline), await baselineText(store, projectId, baseline));
  if (report !== undefined) given.set(report, await reportText(store, projectId, report));

  const named = new Map<string, readonly string[]>();
  const traces = new Map<string, Trace>();
  for (const name of new Set(asked)) {
    const runs = await runsNamed(store, projectId, name);
    if (traces.size + runs.length > MOST_RUNS) throw tooMany();
    const read = await readRuns(store, projectId, runs, MOST_BYTES);
    const found = read.map(({ run, trace }) => [shownId(run.contentId), trace] as const);
    named.set(
      name,
      found.map(([id]) => id),
    );
    for (const [id, trace] of found) traces.set(id, trace);
  }
  return {
    fence: { roots: [], mostBytes: 0, given: byEveryName(given), runs: { named, traces } },
    runs: [...traces].map(
      ([
        id,
        {
          name,
          source: { path },
        },
      ]) => ({
        id,
        trace: name,
        ...(path === undefined ? {} : { path }),
      }),
    ),
  };
}

/** Where a command looks for a text: under the name as it was said, and under the one it has in the folder of no files. */
function byEveryName(texts: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  return new Map([...texts].flatMap(([name, text]) => [[name, text] as const, [`${NOWHERE}${name}`, text] as const]));
}

/** The folder in which commands believe to work. */
export const NOWHERE = "/";

async function runsNamed(store: Store, projectId: number, name: string): Promise<readonly StoredRun[]> {
  const id = name.toLowerCase();
  if (isShownId(id)) {
    const runs = await store.runs.named(projectId, id);
    return runs.length > 0 ? runs : notThere(store, projectId, id);
  }
  const release = parseReleaseName(name);
  if (release !== undefined) return releaseRuns(store, projectId, release, MOST_RUNS);
  throw new SpoorError("mcp.refused", `${JSON.stringify(name)} is no run, and files are not read here.`, {
    consequence: "Nothing was read.",
    hint: "A service knows runs by their ids and by AGENT@RELEASE: search_runs finds them.",
  });
}

function tooMany(): SpoorError {
  return new SpoorError("server.too-many-runs", `These are more than ${MOST_RUNS} runs.`, {
    consequence: "Nothing was looked at: leaving some out would answer another question.",
    hint: "Ask about fewer runs; search_runs finds those of one scenario.",
  });
}

async function notThere(store: Store, projectId: number, id: string): Promise<never> {
  const arrival = await store.inbox.find(projectId, Buffer.from(id, "hex"));
  if (arrival === "waiting")
    throw new SpoorError("server.waiting", `Run ${id} has arrived and was not evaluated yet.`, {
      hint: "Ask again in a moment.",
    });
  if (arrival === undefined)
    throw new SpoorError("request.not-found", `There is no run ${id} here.`, {
      hint: "search_runs lists what there is.",
    });
  throw new SpoorError("request.not-found", `What arrived as ${id} could not be read: ${arrival.message}`, {
    hint: `Its code is ${arrival.code}; send it again when it is mended.`,
  });
}

async function policyText(store: Store, projectId: number, name: string): Promise<string> {
  const policy = await store.configs.current(projectId, POLICY_KIND, name);
  if (policy !== undefined) return policy.body;
  const known = (await store.configs.list(projectId, POLICY_KIND)).map((one) => one.name);
  throw new SpoorError("policy.missing", `The service has no policy ${JSON.stringify(name)}.`, {
    consequence: "Nothing was checked.",
    hint: known.length === 0 ? "It has none; send a draft as policy_text." : `It has ${known.slice(0, 20).join(", ")}.`,
  });
}

async function baselineText(store: Store, projectId: number, agent: string): Promise<string> {
  const row = await store.baselines.approved(projectId, agent);
  if (row !== undefined) return row.body;
  throw new SpoorError("baseline.missing", `There is no approved baseline of ${JSON.stringify(agent)} here.`, {
    consequence: "Nothing was compared.",
    hint: "A person proposes one and approves it: docs/server.md.",
  });
}

async function reportText(store: Store, projectId: number, number: string): Promise<string> {
  const report = /^\d{1,15}$/.test(number) ? await store.reports.get(projectId, Number(number)) : undefined;
  if (report !== undefined) return report.body;
  throw new SpoorError("request.not-found", `There is no report ${JSON.stringify(number)} here.`, {
    hint: "Reports have numbers; resources/list shows the newest.",
  });
}
