/** The nine axes in the order of the report. */
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

export const axes: readonly Axis[] = [
  semanticAxis,
  trajectoryAxis,
  safetyAxis,
  verbosityAxis,
  latencyAxis,
  costAxis,
  reasoningAxis,
  judgeAxis,
  conformanceAxis,
];
