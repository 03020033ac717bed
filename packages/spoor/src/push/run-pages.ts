/** The service's list of runs, page by page from the newest on. */
import type { Json } from "@spoor/core";
import { member, stringMember } from "@spoor/core/internal/trace/json";
import { askService, type Destination, jsonOf, notOurs, type SendOptions } from "./ask-service.ts";

/** A run as the service lists it. */
export interface ListedRun {
  /** Its address. */
  readonly id: string;
  /** The service's own number for it, which never changes. */
  readonly number: number;
  readonly receivedAt: number;
  /** Everything that was said of it. */
  readonly facts: Json;
}

export async function* runPages(
  destination: Destination,
  filter: Readonly<Record<string, string>>,
  options: SendOptions,
): AsyncGenerator<readonly ListedRun[]> {
  for (let cursor: string | undefined; ; ) {
    const query = new URLSearchParams({ ...filter, ...(cursor === undefined ? {} : { cursor }) });
    const answer = jsonOf(await askService(destination, `/api/v1/runs?${query}`, options));
    const runs = member(answer, "runs");
    if (!Array.isArray(runs)) throw notOurs(destination.server);
    yield runs.map((run) => listedRun(run, destination.server));
    const next = stringMember(answer, "next");
    if (next === undefined) return;
    // A page after which the same page comes has no end.
    if (next === cursor) throw notOurs(destination.server);
    cursor = next;
  }
}

function listedRun(facts: Json, server: string): ListedRun {
  const id = stringMember(facts, "id");
  const number = member(facts, "number");
  const receivedAt = member(facts, "receivedAt");
  if (id === undefined || !/^[0-9a-f]{32,64}$/.test(id) || !isCount(number) || !isCount(receivedAt))
    throw notOurs(server);
  // Beyond it there are no days.
  if (receivedAt > LATEST_MS) throw notOurs(server);
  return { id, number, receivedAt, facts };
}

const LATEST_MS = Date.UTC(9999, 11, 31);

function isCount(value: Json | undefined): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

const AT_ONCE = 4;

/** Some at a time, in their order. */
export async function* fewAtOnce<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  for (let at = 0; at < items.length; at += AT_ONCE) yield* await Promise.all(items.slice(at, at + AT_ONCE).map(work));
}
