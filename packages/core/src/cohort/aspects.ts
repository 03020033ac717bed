/** The seven aspects people see, and the fourteen signals behind them; how runs ended (endings.ts) is a fifteenth, tested apart. */
import { type DistanceName, distanceNames } from "./distances.ts";
import { type Group, groups } from "./features.ts";

export const aspects = ["tools", "order", "args", "effects", "effort", "outcome", "text"] as const;
export type Aspect = (typeof aspects)[number];

export type SignalKind = "shift" | "scenario" | "novel" | "ended";

/** A signal's name: `shift:style` is the shift of the style features, shown under the aspect *text*. */
export interface SignalName {
  readonly kind: SignalKind;
  readonly of: Group | DistanceName;
  readonly aspect: Aspect;
}

/** Every signal, in the order of the report: shift of each group, then scenario distances, then new tools. */
export const signalNames: readonly SignalName[] = [
  ...groups.map((group): SignalName => ({ kind: "shift", of: group, aspect: aspectOfGroup(group) })),
  ...distanceNames.map((distance): SignalName => ({ kind: "scenario", of: distance, aspect: distance })),
  { kind: "novel", of: "tools", aspect: "tools" },
];

/** `style` features are about how things are said, so they are shown with the words. */
export function aspectOfGroup(group: Group): Aspect {
  return group === "style" ? "text" : group;
}
