import type { GateReport } from "@spoor/core/gate/gate-report";
import type { Check } from "../../document/check.ts";
import { markOf } from "./words.ts";

/** Every question of every lens, as the gate answered it. */
export function checksOfGate(report: GateReport): Check[] {
  return report.checks.map(({ lens, name, status, message, places, rule }) => ({
    suite: lens,
    name,
    mark: markOf(status),
    message: [message],
    places: places.map(({ trace, key, path, turnIndex, detail }) => ({
      trace,
      key,
      path,
      turnIndex,
      detail: detail === undefined ? undefined : [detail],
    })),
    ...(rule === undefined ? {} : { at: rule }),
  }));
}
