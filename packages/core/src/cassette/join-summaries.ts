/**
 * What several consumers of one cassette have to say together: the processes of a run, the proxy beside them, the sessions within. What
 * one of them asked for is asked for: only what none did is left over.
 */
import type { CassetteSummary } from "./cassette.ts";
import type { NamedCount, ReplayReport, ServedShare } from "./replay-report.ts";

type Joined = Pick<
  ReplayReport,
  "tools" | "models" | "misses" | "modelMisses" | "neverAsked" | "stale" | "redacted"
> & {
  readonly changedTools: CassetteSummary["changedTools"];
  readonly used: readonly string[];
  readonly recorded?: { readonly from: string; readonly to: string };
};

/** `tools`, `model`: whether recordings answered for them; what was never asked is told of those only. */
export function joinSummaries(
  all: readonly CassetteSummary[],
  { tools, model }: { readonly tools: boolean; readonly model: boolean },
): Joined {
  const scoped = all.filter(({ scope }) => scope.by !== "none");
  const times = scoped.flatMap(({ recorded }) => (recorded === undefined ? [] : [recorded]));
  const from = times.map((one) => one.from).sort()[0];
  const to = times
    .map((one) => one.to)
    .sort()
    .at(-1);
  return {
    tools: shareOf(all.map((one) => one.tools)),
    models: shareOf(all.map((one) => one.models)),
    misses: all.flatMap(({ misses }) =>
      misses.map(({ nearest, ...miss }) =>
        nearest === undefined ? miss : { ...miss, nearest: { differences: nearest.differences } },
      ),
    ),
    modelMisses: all.flatMap(({ modelMisses }) => modelMisses.map(({ served: _, ...miss }) => miss)),
    neverAsked: {
      tools: tools ? leftTools(scoped) : [],
      modelAnswers: model ? leftAnswers(scoped) : 0,
    },
    stale: counted(all.flatMap(({ stale }) => stale.map(({ name }) => name))),
    redacted: sum(all.map(({ redacted }) => redacted)),
    changedTools: {
      added: union(all.map(({ changedTools }) => changedTools.added)),
      removed: union(all.map(({ changedTools }) => changedTools.removed)),
      changed: union(all.map(({ changedTools }) => changedTools.changed)),
    },
    used: union(scoped.map(({ scope }) => scope.recordings)),
    ...(from === undefined || to === undefined ? {} : { recorded: { from, to } }),
  };
}

/** What is no answer of a recording. */
const NOT_SERVED: ReadonlySet<string> = new Set(["miss", "live"]);

function shareOf(counts: readonly Readonly<Record<string, number>>[]): ServedShare {
  const ways: Record<string, number> = {};
  for (const one of counts)
    for (const [way, count] of Object.entries(one)) if (count > 0) ways[way] = (ways[way] ?? 0) + count;
  const asked = sum(Object.values(ways));
  const unserved = sum(Object.entries(ways).map(([way, count]) => (NOT_SERVED.has(way) ? count : 0)));
  return { asked, served: asked - unserved, ways };
}

/** Consumers of the same recordings, together. */
function byRecordings(all: readonly CassetteSummary[]): CassetteSummary[][] {
  const groups = new Map<string, CassetteSummary[]>();
  for (const one of all) {
    const key = one.scope.recordings[0] ?? "";
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()];
}

function leftTools(all: readonly CassetteSummary[]): NamedCount[] {
  const left = byRecordings(all).flatMap(([first, ...others]) => {
    const keys = others.map(({ neverAsked }) => neverAsked.tools.map(keyOf));
    return (first?.neverAsked.tools ?? []).filter((call) => keys.every((one) => one.includes(keyOf(call))));
  });
  return counted(left.map(({ name }) => name));
}

function keyOf({ name, from }: CassetteSummary["neverAsked"]["tools"][number]): string {
  return `${from.trace}\n${from.turn}\n${name}`;
}

function leftAnswers(all: readonly CassetteSummary[]): number {
  return sum(byRecordings(all).map((group) => Math.min(...group.map(({ neverAsked }) => neverAsked.modelAnswers))));
}

function counted(names: readonly string[]): NamedCount[] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, count]) => ({ name, count }));
}

function union(lists: readonly (readonly string[])[]): string[] {
  return [...new Set(lists.flat())];
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
