/** Every axis, in the order of the report. A new one is one file and one line here. */
import { conformanceAxis } from "./axes/conformance.ts";
import { costAxis } from "./axes/cost.ts";
import { judgeAxis } from "./axes/judge.ts";
import { latencyAxis } from "./axes/latency.ts";
import { reasoningAxis } from "./axes/reasoning.ts";
import { safetyAxis } from "./axes/safety.ts";
import { semanticAxis } from "./axes/semantic.ts";
import { trajectoryAxis } from "./axes/trajectory.ts";
import { verbosityAxis } from "./axes/verbosity.ts";
import type { Axis } from "./axis.ts";

const all = [
  semanticAxis,
  trajectoryAxis,
  safetyAxis,
  verbosityAxis,
  latencyAxis,
  costAxis,
  reasoningAxis,
  judgeAxis,
  conformanceAxis,
] as const;

export type AxisName = (typeof all)[number]["name"];
export type NamedAxis = Axis & { readonly name: AxisName };

export const axes: readonly NamedAxis[] = all;

/** The definition behind a row. */
export function axisNamed(name: AxisName): NamedAxis {
  return axes.find((axis) => axis.name === name)!;
}
