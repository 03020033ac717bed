import type { RunTurn, RunView } from "@spoor/core/internal/report/run-view";
import type { Wait } from "@spoor/core/internal/report/run-waits";
import { dollars, duration, integer } from "@spoor/core/internal/text/amounts";
import { printable } from "@spoor/core/internal/text/printable";
import { useState } from "preact/hooks";
import { ArgumentTree } from "./argument-tree.tsx";
import { beganWords } from "./began-words.ts";
import { CallDetail } from "./call-detail.tsx";
import { LongText } from "./long-text.tsx";
import { RequestChanges } from "./request-changes.tsx";

interface Props {
  run: RunView;
  turn: RunTurn;
  wait: Wait | undefined;
  query: string;
  hrefOf: (place: string) => string;
}

/** Everything of one turn: what went in, what came out, what the rules found, and the record itself. */
export function TurnDetail({ run, turn, wait, query, hrefOf }: Props) {
  const system = turn.system === undefined ? undefined : run.systems[turn.system]!;
  const tools = turn.tools === undefined ? undefined : run.toolSets[turn.tools]!;
  return (
    <>
      <p className="turn-facts">{turnWords(turn, wait)}</p>
      {(turn.findings ?? []).map(({ rule, severity, message }, index) => (
        <p key={index} className="note">
          <span className={severity === "severe" ? "bad" : "warn"}>{severity === "severe" ? "✗" : "!"}</span>
          <span>
            <b>{printable(rule)}</b> {printable(message)}
          </span>
        </p>
      ))}
      {turn.user === undefined ? null : (
        <div className="ask">
          <b>User</b>
          <LongText text={turn.user} query={query} className="user-said" />
        </div>
      )}
      <RequestChanges run={run} turn={turn} query={query} />
      {turn.text === undefined ? null : <LongText text={turn.text} query={query} className="said" />}
      {turn.text === undefined && turn.calls.length === 0 ? <p className="muted">No text, no call.</p> : null}
      {turn.calls.map((call) => (
        <CallDetail
          key={call.position}
          run={run}
          call={call}
          query={query}
          href={hrefOf(`call-${call.position + 1}`)}
        />
      ))}
      {(turn.thinking ?? []).some((text) => text !== "") ? (
        <Fold title="What it thought">
          <LongText text={(turn.thinking ?? []).join("\n\n")} query={query} />
        </Fold>
      ) : null}
      {turn.messages === undefined ? null : <Messages turn={turn} query={query} />}
      {system === undefined ? null : (
        <Fold title={`System prompt, ${integer(system.length)} characters`}>
          <LongText text={system} query={query} />
        </Fold>
      )}
      {tools === undefined ? null : (
        <Fold title={`Tools offered: ${integer(tools.length)}`}>
          <ArgumentTree
            value={Object.fromEntries(tools.map(({ name, definition }) => [name, definition]))}
            query={query}
          />
        </Fold>
      )}
      {turn.settings === undefined ? null : (
        <Fold title="Settings">
          <ArgumentTree value={turn.settings} query={query} />
        </Fold>
      )}
      {turn.raw === undefined ? null : (
        <Fold title="The response as it was recorded">
          <ArgumentTree value={turn.raw} query={query} />
        </Fold>
      )}
    </>
  );
}

function Messages({ turn, query }: { turn: RunTurn; query: string }) {
  const { total, fresh, rewritten } = turn.messages!;
  const news = fresh.length === 0 ? "none new" : `${integer(fresh.length)} new`;
  return (
    <Fold
      title={`Messages going in: ${integer(total)}, ${news}${rewritten ? ", not a sequel of the request before" : ""}`}
    >
      {fresh.length === 0 ? (
        <p className="muted">Answers of the model and results of tools stand with their turns and calls.</p>
      ) : (
        <ArgumentTree value={fresh} query={query} />
      )}
    </Fold>
  );
}

/** What is folded exists only while it is open: a record may be large. */
function Fold({ title, children }: { title: string; children: preact.ComponentChildren }) {
  const [open, setOpen] = useState(false);
  return (
    <details
      className="fold"
      open={open}
      onToggle={(event) => setOpen((event.currentTarget as HTMLDetailsElement).open)}
    >
      <summary>{title}</summary>
      {open ? children : null}
    </details>
  );
}

const WAITED: Readonly<Record<Wait["for"], string>> = {
  user: "waiting for the user before it",
  tools: "before it while tools ran whose times were not recorded",
  unknown: "before it in which nothing was recorded",
};

function turnWords(turn: RunTurn, wait: Wait | undefined): string {
  const { usage = {} } = turn;
  const cached = (usage.cachedInputTokens ?? 0) + (usage.cachedWrite5mTokens ?? 0) + (usage.cachedWrite1hTokens ?? 0);
  return [
    turn.at === undefined ? "" : beganWords(turn.at.start),
    turn.ms === undefined ? "" : `took ${duration(turn.ms)}`,
    wait === undefined ? "" : `${duration(wait.ms)} ${WAITED[wait.for]}`,
    usage.inputTokens === undefined ? "" : `${integer(usage.inputTokens)} tokens in`,
    cached === 0 ? "" : `${integer(cached)} cached`,
    usage.outputTokens === undefined ? "" : `${integer(usage.outputTokens)} out`,
    usage.thinkingTokens === undefined ? "" : `${integer(usage.thinkingTokens)} thinking`,
    turn.costUsd === undefined ? "" : dollars(turn.costUsd),
    turn.stop === undefined ? "" : `ended with ${printable(turn.stop)}`,
    turn.offPath ? "off the recorded path" : "",
  ]
    .filter((words) => words !== "")
    .join(", ");
}
