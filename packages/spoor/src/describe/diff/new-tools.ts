/** Tools that no baseline run called, in words. */
import type { NewTool } from "@spoor/core/internal/diff/new-tools";
import type { Text } from "../../document/document.ts";
import { joined, name, say } from "../../document/text.ts";
import { count, integer } from "../../document/words.ts";

const PLACES = 3;

/** "delete_database, which may change something: task 3, turn 5" */
export function newToolText({ tool, effect, calls, traces, places }: NewTool): Text {
  const shown = places
    .slice(0, PLACES)
    .map((place) =>
      joined([[name(place.name)], [place.turnIndex === undefined ? "" : `turn ${place.turnIndex + 1}`]], ", "),
    );
  const more = traces > PLACES ? ` and ${integer(traces - PLACES)} more` : "";
  const what = effect ? "may change something" : "only reads";
  return say`${name(tool)}, ${count(calls, "call")}, ${what}: ${joined(shown, "; ")}${more}`;
}

/** "Tools never seen in the baseline: delete_database (may change something)." */
export function newToolsSentence(tools: readonly Pick<NewTool, "tool" | "effect">[]): Text {
  if (tools.length === 0) return ["Every tool was seen in the baseline."];
  const shown = tools.map(({ tool, effect }) => say`${name(tool)}${effect ? " (may change something)" : ""}`);
  return say`Tools never seen in the baseline: ${joined(shown, ", ")}.`;
}
