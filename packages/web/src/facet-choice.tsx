/** A facet to choose by: its values with how many traces have each. */
import { integer } from "@spoor/core/internal/text/amounts";
import { printable } from "@spoor/core/internal/text/printable";

interface Props {
  title: string;
  values: readonly CountedValue[];
  /** The one that is chosen; empty where the chosen ones stand elsewhere. */
  value: string;
  words: (value: string) => string;
  onChoose: (value: string) => void;
}

type CountedValue = readonly [value: string, traces: number];

/** More values of one facet are reached by searching. */
const MOST_VALUES = 200;

export function FacetChoice({ title, values, value, words, onChoose }: Props) {
  return (
    <label>
      <span>{title}</span>
      <select
        aria-label={title}
        value={value}
        onChange={(event: Event) => onChoose((event.target as HTMLSelectElement).value)}
      >
        <option value="">any</option>
        {values.map(([one, amount]) => (
          <option key={one} value={one}>
            {`${printable(words(one))} (${integer(amount)})`}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The values that tell traces apart, the commonest first; none where all traces have the same. */
export function countValues<T>(traces: readonly T[], valuesOf: (trace: T) => Iterable<string>): CountedValue[] {
  const amounts = new Map<string, number>();
  for (const trace of traces)
    for (const value of new Set(valuesOf(trace))) amounts.set(value, (amounts.get(value) ?? 0) + 1);
  const tells = amounts.size > 1 || [...amounts.values()].some((amount) => amount < traces.length);
  return tells ? [...amounts].sort((one, other) => other[1] - one[1]).slice(0, MOST_VALUES) : [];
}
