/** Where nothing matches: what does. Filters left out one at a time, and what a bare word may be the name of. */
import { count, integer } from "@spoor/core/internal/text/amounts";
import { printable } from "@spoor/core/internal/text/printable";
import { useEffect, useState } from "preact/hooks";
import { ask } from "./ask.ts";
import { type Filter, filterWord, queryOf, wordFilters } from "./filters.ts";
import { hrefOf, runHref } from "./place.ts";
import type { RunsAnswer } from "./run-shape.ts";

/** Without each of the filters: how many runs there would be. */
export function Nearest({ filters }: { filters: readonly Filter[] }) {
  const ways = filters.map((left) => ({
    key: left.name,
    words: `without ${filterWord(left.name)} ${printable(left.value)}`,
    filters: filters.filter((filter) => filter !== left),
  }));
  const counts = useCounts(ways.map((way) => way.filters));
  const found = ways.filter((_, index) => (counts[index]?.count ?? 0) > 0);
  return (
    <div className="empty">
      <p>No run matches{filters.length > 1 ? " all of these filters" : ""}.</p>
      <Ways ways={found} counts={found.map((way) => counts[ways.indexOf(way)])} />
    </div>
  );
}

/** A text that is looked for: all runs that have it as the name of a tool, an agent, a scenario … Names are found among all runs, however many there are. */
export function Found({ word }: { word: string }) {
  const ways = wordFilters.map((name) => ({
    key: name,
    words: `${name} ${printable(word)}`,
    filters: [{ name, value: word }] as readonly Filter[],
  }));
  const counts = useCounts(ways.map((way) => way.filters));
  const found = ways.filter((_, index) => (counts[index]?.count ?? 0) > 0);
  const isId = /^[0-9a-f]{32}$/i.test(word);
  return (
    <div className="found">
      <p className="sub" role="status">
        {counts.length === 0
          ? "Looking …"
          : found.length === 0 && !isId
            ? `No tool, agent, scenario, rule, release or model is called ${printable(word)}.`
            : `${printable(word)} is the name of:`}
      </p>
      {isId ? (
        <p>
          <a href={runHref(word)}>the run {printable(word)}</a>
        </p>
      ) : null}
      <Ways ways={found} counts={found.map((way) => counts[ways.indexOf(way)])} />
    </div>
  );
}

interface Way {
  readonly key: string;
  readonly words: string;
  readonly filters: readonly Filter[];
}

function Ways({ ways, counts }: { ways: readonly Way[]; counts: readonly (RunsAnswer | undefined)[] }) {
  if (ways.length === 0) return null;
  return (
    <ul className="ways-list">
      {ways.map(({ key, words, filters }, index) => (
        <li key={key}>
          <a href={hrefOf("/runs", Object.fromEntries(filters.map(({ name, value }) => [name, value])))}>{words}</a>{" "}
          <span className="muted">{countWords(counts[index])}</span>
        </li>
      ))}
    </ul>
  );
}

export function countWords(answer: Pick<RunsAnswer, "count" | "more"> | undefined): string {
  if (answer?.count === undefined) return "";
  return answer.more ? `more than ${integer(answer.count)} runs` : count(answer.count, "run");
}

/** How many runs each of the questions has; empty while they are asked. */
export function useCounts(questions: readonly (readonly Filter[])[], version = 0): readonly RunsAnswer[] {
  const [counts, setCounts] = useState<{ key: string; answers: readonly RunsAnswer[] }>({ key: "", answers: [] });
  const key = JSON.stringify(questions);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key is all of the questions; the version asks again
  useEffect(() => {
    let isWanted = true;
    Promise.all(
      questions.map((filters) => ask<RunsAnswer>(`/runs?${queryOf(filters, { limit: "1", count: "1" })}`)),
    ).then(
      (answers) => isWanted && setCounts({ key, answers }),
      // The list beside it says what is wrong.
      () => undefined,
    );
    return () => {
      isWanted = false;
    };
  }, [key, version]);
  return counts.key === key ? counts.answers : [];
}
