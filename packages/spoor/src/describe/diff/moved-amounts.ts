/** Numbers that moved in the calls the verdict speaks of: whoever refunds without asking may also refund more. */
import type { ArgumentChange } from "@spoor/core/internal/diff/call-changes";
import type { DiffReport } from "@spoor/core/internal/diff/diff-report";
import type { Text } from "../../document/document.ts";
import { name, say } from "../../document/text.ts";
import { count, integer } from "../../document/words.ts";

const NAMED = 3;

/** "In 2 tickets refund.amount changed as well: 40 → 89 and 25 → 50."; empty where no number did. */
export function movedAmounts({ verdict, traces, noun }: Pick<DiffReport, "verdict" | "traces" | "noun">): Text {
  if (verdict.code !== "order_broken") return [];
  // One change a trace: the first call is the one that is looked at.
  const byPath = new Map<string, ArgumentChange[]>();
  for (const { divergences } of traces) {
    const changes = divergences.flatMap(({ calls }) => calls?.arguments ?? []);
    const own = changes.filter((change) => change.tool === verdict.tool && isNumeric(change));
    for (const path of new Set(own.map((change) => change.path))) {
      const first = own.find((change) => change.path === path)!;
      byPath.set(path, [...(byPath.get(path) ?? []), first]);
    }
  }
  const [path, changes] = [...byPath].sort((one, other) => other[1].length - one[1].length)[0] ?? [];
  if (path === undefined || changes === undefined) return [];
  const pairs = changes.slice(0, NAMED).map(({ baseline, candidate }) => pairText(Number(baseline), Number(candidate)));
  const rest = changes.length - pairs.length;
  const listed: Text[] = [...pairs, ...(rest > 0 ? [[`${integer(rest)} more`]] : [])];
  return say`In ${count(changes.length, noun)} ${name(path)} changed as well: ${listText(listed)}.`;
}

function isNumeric({ baseline, candidate }: ArgumentChange): boolean {
  return typeof baseline === "number" && typeof candidate === "number";
}

function pairText(baseline: number, candidate: number): Text {
  return [`${baseline} → `, { kind: "styled", tone: "strong", text: [String(candidate)] }];
}

/** "a", "a and b", "a, b and c" */
function listText(texts: readonly Text[]): Text {
  return texts.flatMap((text, at) => [at === 0 ? "" : at === texts.length - 1 ? " and " : ", ", ...text]);
}
