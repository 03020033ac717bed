/** What is watched along a series: each watch looks at every labelling once and gives its signals. */
import { Interner } from "../../stats/intern.ts";
import type { SeriesSignal, SignalForm } from "./answer.ts";
import { type Column, column, shift, spike, sumByPoint } from "./contrasts.ts";
import { countNovelty, type PathNovelty } from "./path-novelty.ts";
import { type ResponseVector, responseShift } from "./response-shift.ts";

export interface Watch {
  look(labels: Uint16Array, labelling: number): void;
  signals(): readonly SeriesSignal[];
}

/** A number of each run; NaN where it was not recorded. */
export interface ColumnWatch extends Watch {
  readonly column: Column;
}

/** With two points a spike is a shift. */
const hasSpikes = (points: number) => points > 2;

export function watchColumn(values: Float64Array, points: number, labellings: number): ColumnWatch {
  const watched = column(values);
  const [sums, counts] = [new Float64Array(points), new Float64Array(points)];
  const [shifts, spikes] = [new Float64Array(labellings), new Float64Array(labellings)];
  let [shiftPoint, spikePoint] = [0, 0];
  return {
    column: watched,
    look(labels, labelling) {
      if (watched.deviation === 0) return;
      sumByPoint(watched, labels, sums, counts);
      const stays = shift(watched.deviation, sums, counts);
      const alone = spike(watched.deviation, sums, counts);
      shifts[labelling] = stays.size;
      spikes[labelling] = alone.size;
      if (labelling === 0) [shiftPoint, spikePoint] = [stays.point, alone.point];
    },
    signals: () => formsOf(points, shifts, shiftPoint, spikes, spikePoint),
  };
}

export interface ToolWatch extends Watch {
  /** The tools, by index, whose use moved at least so much as observed, and how. */
  moved(form: SignalForm, atLeast: number): { readonly tool: number; readonly point: number }[];
}

/** The tool whose use moved most is the signal. `use[t][run]` is 1 when the run used tool t, else 0. */
export function watchTools(use: readonly Float64Array[], points: number, labellings: number): ToolWatch {
  const watches = use.map((values) => watchColumn(values, points, labellings));
  const signalsOf = (form: SignalForm) =>
    watches.map((watch) => watch.signals().find((signal) => signal.form === form)).filter((one) => one !== undefined);
  const strongest = (form: SignalForm): SeriesSignal => {
    const values = new Float64Array(labellings);
    let point = 0;
    for (const signal of signalsOf(form)) {
      if (signal.values[0]! > values[0]!) point = signal.point;
      for (let at = 0; at < labellings; at++) values[at] = Math.max(values[at]!, signal.values[at]!);
    }
    return { form, values, point };
  };
  return {
    look(labels, labelling) {
      for (const watch of watches) watch.look(labels, labelling);
    },
    moved: (form, atLeast) =>
      signalsOf(form).flatMap(({ values, point }, tool) => (values[0]! >= atLeast - 1e-9 ? [{ tool, point }] : [])),
    signals: () => (hasSpikes(points) ? [strongest("shift"), strongest("spike")] : [strongest("shift")]),
  };
}

export interface PathWatch extends Watch {
  novelty(): PathNovelty;
}

export function watchPaths(paths: readonly string[], points: number, labellings: number): PathWatch {
  const counter = countNovelty(new Interner<string>().internAll(paths), points, labellings);
  return {
    look: counter.count,
    novelty: counter.result,
    signals() {
      const { after, afterPoint, at, atPoint } = counter.result();
      return formsOf(points, after, afterPoint, at, atPoint);
    },
  };
}

export function watchResponses(units: readonly (readonly ResponseVector[])[], last: number, labellings: number): Watch {
  const measured = responseShift(units, last);
  const values = new Float64Array(labellings);
  return {
    look(labels, labelling) {
      values[labelling] = measured.of(labels);
    },
    signals: () => [{ form: "shift", values, point: last }],
  };
}

function formsOf(
  points: number,
  shifts: Float64Array,
  shiftPoint: number,
  spikes: Float64Array,
  spikePoint: number,
): SeriesSignal[] {
  const stays: SeriesSignal = { form: "shift", values: shifts, point: shiftPoint };
  return hasSpikes(points) ? [stays, { form: "spike", values: spikes, point: spikePoint }] : [stays];
}
