/** What went into a turn that had not gone into the turn of the same agent before it. */
import type { RunTurn, RunView } from "@spoor/core/internal/report/run-view";
import { lcsPairs } from "@spoor/core/internal/stats/lcs";
import { printable } from "@spoor/core/internal/text/printable";
import { ArgumentTree } from "./argument-tree.tsx";

export function RequestChanges({ run, turn, query }: { run: RunView; turn: RunTurn; query: string }) {
  const before = previousOf(run, turn);
  if (turn.changed === undefined || before === undefined) return null;
  return (
    <>
      {turn.changed.map((part) => (
        <div key={part} className="went-in">
          {part === "system" ? (
            <>
              <p className="label">The system prompt is another one than in turn {before.index + 1}</p>
              <LinePatch from={run.systems[before.system!]!} to={run.systems[turn.system!]!} />
            </>
          ) : part === "tools" ? (
            <>
              <p className="label">Other tools are offered than in turn {before.index + 1}</p>
              <ToolChanges run={run} from={before.tools!} to={turn.tools!} />
            </>
          ) : part === "model" ? (
            <p className="label">
              Another model is asked: <code>{printable(before.requestedModel!)}</code> →{" "}
              <code>{printable(turn.requestedModel!)}</code>
            </p>
          ) : (
            <>
              <p className="label">Other settings than in turn {before.index + 1}</p>
              <ArgumentTree value={turn.settings} other={before.settings} compare={true} showWas={true} query={query} />
            </>
          )}
        </div>
      ))}
    </>
  );
}

function previousOf({ turns }: RunView, { index, lane }: RunTurn): RunTurn | undefined {
  for (let at = index - 1; at >= 0; at--) if (turns[at]!.lane === lane) return turns[at];
  return undefined;
}

/** Longer prompts are shown whole, one after the other: the comparison is quadratic in their lines. */
const MOST_LINES = 1_000;

function LinePatch({ from, to }: { from: string; to: string }) {
  const old = from.split("\n");
  const now = to.split("\n");
  const isLong = old.length > MOST_LINES || now.length > MOST_LINES;
  const common = isLong ? [] : lcsPairs(old, now);
  const kept = [new Set(common.map(([at]) => at)), new Set(common.map(([, at]) => at))] as const;
  return (
    <div className="patch">
      {old.map((line, at) =>
        kept[0].has(at) ? null : (
          <del key={`b${at}`}>
            <b>-</b>
            <span>{printable(line)}</span>
          </del>
        ),
      )}
      {now.map((line, at) =>
        kept[1].has(at) ? null : (
          <ins key={`c${at}`}>
            <b>+</b>
            <span>{printable(line)}</span>
          </ins>
        ),
      )}
    </div>
  );
}

function ToolChanges({ run, from, to }: { run: RunView; from: number; to: number }) {
  const [old, now] = [from, to].map(
    (place) => new Map(run.toolSets[place]!.map(({ name, definition }) => [name, JSON.stringify(definition)])),
  );
  const lists = [
    ["new", [...now!.keys()].filter((name) => !old!.has(name))],
    ["gone", [...old!.keys()].filter((name) => !now!.has(name))],
    ["defined otherwise", [...now!.keys()].filter((name) => old!.has(name) && old!.get(name) !== now!.get(name))],
  ] as const;
  const said = lists.filter(([, names]) => names.length > 0);
  if (said.length === 0) return <p className="muted">The same tools in another order.</p>;
  return (
    <ul>
      {said.map(([what, names]) => (
        <li key={what}>
          {what}: <code>{names.map(printable).join(", ")}</code>
        </li>
      ))}
    </ul>
  );
}
