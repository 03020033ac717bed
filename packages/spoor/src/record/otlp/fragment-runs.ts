/**
 * Traces without a root as they come: calls of a model or of tools that nobody put a span around. They are joined to runs as the readers of files join them
 * (formats/activities/join-runs.ts), one after the other. What was joined is held for a while; later it is looked up where it was kept.
 */
import { byStart, FragmentPlacer, isRootless } from "../../formats/activities/join-runs.ts";
import { adviceForGroups, type SpanGroup } from "../../formats/otel/records.ts";
import { KEPT_MS } from "./otlp-traces.ts";

export interface FragmentRun {
  /** Its traces by their ids; undefined for what is not in memory any more. */
  readonly members: Map<string, SpanGroup | undefined>;
  /** In the order in which they began. */
  groups(): SpanGroup[];
}

export interface LonelyTraces {
  readonly count: number;
  readonly advice: string;
}

interface HeldRun extends FragmentRun {
  lastMs: number;
}

export class FragmentRuns {
  private readonly placer = new FragmentPlacer();
  private readonly runs = new Map<unknown, HeldRun>();
  private readonly homes = new Map<string, HeldRun>();

  /** The run that a fragment belongs to, which holds it from now on. */
  place(traceId: string, group: SpanGroup, nowMs: number): FragmentRun {
    const run = this.homes.get(traceId) ?? this.runFor(this.placer.runOf(group));
    run.members.set(traceId, group);
    run.lastMs = nowMs;
    this.homes.set(traceId, run);
    return run;
  }

  /** A trace that turned out to be more than a fragment leaves the run it was in; the run that lost it. */
  leave(traceId: string): FragmentRun | undefined {
    const run = this.homes.get(traceId);
    this.homes.delete(traceId);
    run?.members.delete(traceId);
    return run;
  }

  forget(nowMs: number): void {
    for (const { members, lastMs } of this.runs.values()) {
      if (nowMs - lastMs < KEPT_MS) continue;
      for (const id of members.keys()) members.set(id, undefined);
    }
  }

  /** Traces that nothing ties to another, where that is more than one; with the line that would. */
  alone(): LonelyTraces | undefined {
    const lonely = [...this.runs.values()].flatMap(({ members }) => (members.size === 1 ? [...members.values()] : []));
    const known = lonely.filter((group) => group !== undefined && isRootless(group)) as SpanGroup[];
    return known.length < 2 ? undefined : { count: known.length, advice: adviceForGroups(known) };
  }

  private runFor(key: unknown): HeldRun {
    const known = this.runs.get(key);
    if (known !== undefined) return known;
    const members = new Map<string, SpanGroup | undefined>();
    const run: HeldRun = {
      members,
      lastMs: 0,
      groups: () => [...members.values()].filter((group) => group !== undefined).sort(byStart),
    };
    this.runs.set(key, run);
    return run;
  }
}
