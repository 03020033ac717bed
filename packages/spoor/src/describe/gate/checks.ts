import type { GateReport } from "@spoor/core/internal/gate/gate-report";
import type { Check } from "../../document/check.ts";
import { checkMessage, placeDetail } from "./check-words.ts";
import { markOf } from "./words.ts";

/** Every question of every lens, as the gate answered it. */
export function checksOfGate(report: GateReport): Check[] {
  return report.checks.map((check) => ({
    suite: check.lens,
    name: check.name,
    // An idle rule weighs nothing; that all of them are idle is what its lens says.
    mark: check.status === "idle" ? "skipped" : markOf(check.status),
    message: checkMessage(check, report),
    places: check.places.map((place) => {
      const { trace, key, path, turnIndex } = place;
      const detail = placeDetail(place);
      return { trace, key, path, turnIndex, detail: detail === undefined ? undefined : [detail] };
    }),
    ...(check.rule === undefined ? {} : { at: check.rule }),
  }));
}
