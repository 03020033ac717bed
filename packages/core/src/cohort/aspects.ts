/** The eight aspects people see, and the signals behind them; how runs ended (endings.ts) is one more, tested apart. */
import { type DistanceName, distanceNames } from "./distances.ts";
import { type Group, groups } from "./features.ts";

export const aspects = ["tools", "order", "args", "effects", "effort", "rhythm", "outcome", "text"] as const;
export type Aspect = (typeof aspects)[number];

export type SignalKind = "shift" | "scenario" | "novel" | "gone" | "joint" | "ended";

/** A signal's name: `shift:style` is the shift of the style features, shown under the aspect *text*. */
export interface SignalName {
  readonly kind: SignalKind;
  readonly of: Group | DistanceName | typeof BEHAVIOUR;
  /** Undefined for the joint signal, which belongs to several. */
  readonly aspect: Aspect | undefined;
}

/** What the joint signal is about: what the agent does, without what it says. */
const BEHAVIOUR = "behaviour";

/** The groups that the joint signal takes together. Order and arguments are left out: there, most columns apply to few runs. */
export const jointGroups = [
  "tools",
  "steps",
  "effects",
  "effort",
  "rhythm",
  "outcome",
] as const satisfies readonly Group[];

/** Every signal, in the order of the report: shift of each group, then scenario distances, new and gone tools, all together. */
export const signalNames: readonly SignalName[] = [
  ...groups.map((group): SignalName => ({ kind: "shift", of: group, aspect: aspectOfGroup(group) })),
  ...distanceNames.map((distance): SignalName => ({ kind: "scenario", of: distance, aspect: distance })),
  { kind: "novel", of: "tools", aspect: "tools" },
  { kind: "gone", of: "tools", aspect: "tools" },
  { kind: "joint", of: BEHAVIOUR, aspect: undefined },
];

/** How things are said is shown with the words, what directly follows what with the order. */
export function aspectOfGroup(group: Group): Aspect {
  if (group === "style") return "text";
  return group === "steps" ? "order" : group;
}

/**
 * Two signals take in the whole course of a run, which step follows which and every word, and see most changes of prompt or model first.
 * They count double, so that the many narrow questions beside them do not drown them.
 */
export function weightOfSignal({ kind, of }: SignalName): number {
  return kind === "shift" && (of === "steps" || of === "text") ? 2 : 1;
}
