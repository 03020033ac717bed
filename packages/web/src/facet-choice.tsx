/** A facet to choose by: its values with how many traces have each. Of very many the commonest, and those that match what is typed. */
import { integer } from "@spoor/core/internal/text/amounts";
import { printable } from "@spoor/core/internal/text/printable";
import { useState } from "preact/hooks";

interface Props {
  title: string;
  values: readonly CountedValue[];
  /** The one that is chosen; empty where the chosen ones stand elsewhere. */
  value: string;
  words: (value: string) => string;
  onChoose: (value: string) => void;
}

type CountedValue = readonly [value: string, traces: number];

/** More in one list nobody reads; typing reaches the others. */
const MOST_VALUES = 200;

export function FacetChoice({ title, values, value, words, onChoose }: Props) {
  const [typed, setTyped] = useState("");
  const isLong = values.length > MOST_VALUES;
  const wanted = isLong ? typed.trim().toLowerCase() : "";
  const matching = wanted === "" ? values : values.filter(([one]) => words(one).toLowerCase().includes(wanted));
  const first = matching.slice(0, MOST_VALUES);
  const chosen = first.some(([one]) => one === value) ? undefined : values.find(([one]) => one === value);
  const listed = chosen === undefined ? first : [chosen, ...first];
  const more = matching.length - first.length;
  const choice = (
    <label>
      <span>{title}</span>
      <select
        aria-label={title}
        value={value}
        onChange={(event: Event) => onChoose((event.target as HTMLSelectElement).value)}
      >
        <option value="">any</option>
        {listed.map(([one, amount]) => (
          <option key={one} value={one}>
            {`${printable(words(one))} (${integer(amount)})`}
          </option>
        ))}
      </select>
    </label>
  );
  if (!isLong) return choice;
  return (
    <>
      {choice}
      <label>
        <span className="vh">{`Find in ${title}`}</span>
        <input
          type="search"
          value={typed}
          placeholder="type to find"
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
        <small role="status">
          {more > 0
            ? `the commonest ${integer(first.length)} of ${integer(matching.length)}`
            : `${integer(matching.length)} of ${integer(values.length)}`}
        </small>
      </label>
    </>
  );
}

/** The values that tell traces apart, the commonest first; none where all traces have the same. */
export function countValues<T>(traces: readonly T[], valuesOf: (trace: T) => Iterable<string>): CountedValue[] {
  const amounts = new Map<string, number>();
  for (const trace of traces)
    for (const value of new Set(valuesOf(trace))) amounts.set(value, (amounts.get(value) ?? 0) + 1);
  const tells = amounts.size > 1 || [...amounts.values()].some((amount) => amount < traces.length);
  return tells ? [...amounts].sort((one, other) => other[1] - one[1]) : [];
}
