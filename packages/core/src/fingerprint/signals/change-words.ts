import type { SignalFinding } from "./signal.ts";

/** ` (+51 %)`; nothing where there is no relative change. */
export function changeWords({ changePercent }: SignalFinding): string {
  return changePercent === null ? "" : ` (${changePercent > 0 ? "+" : ""}${Math.round(changePercent)} %)`;
}
