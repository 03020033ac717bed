import type { RunCall, RunView } from "@spoor/core/internal/report/run-view";
import { duration } from "@spoor/core/internal/text/amounts";
import { printable } from "@spoor/core/internal/text/printable";
import { ArgumentTree } from "./argument-tree.tsx";
import { beganWords } from "./began-words.ts";
import { MarkedQuery } from "./marked-query.tsx";
import { ResultBody } from "./result-body.tsx";

interface Props {
  run: RunView;
  call: RunCall;
  query: string;
  /** The address of the call, where it stands below its turn. */
  href?: string;
}

/** One call: what it was asked, what it returned, how it failed, when it ran. */
export function CallDetail({ run, call, query, href }: Props) {
  const name = <MarkedQuery text={printable(call.name) || "(no name)"} query={query} />;
  const agent = call.starts === undefined ? undefined : run.lanes[call.starts]!.agent;
  return (
    <div className="call">
      <p className="tool">
        {href === undefined ? name : <a href={href}>{name}</a>}
        <span className="call-facts">{callWords(call)}</span>
      </p>
      {call.input === undefined ? (
        <p className="muted">No arguments recorded.</p>
      ) : (
        <ArgumentTree value={call.input} query={query} />
      )}
      {agent === undefined ? null : (
        <p className="muted">
          It started the sub-agent <code>{printable(agent)}</code>.
        </p>
      )}
      <Result call={call} query={query} />
    </div>
  );
}

function Result({ call, query }: { call: RunCall; query: string }) {
  if (call.status === "unknown") return <p className="label muted">No result was recorded.</p>;
  const failed = call.status === "error";
  const output = call.output ?? call.error?.message ?? "";
  return (
    <div className={failed ? "result failed" : "result"}>
      <p className="label">
        {failed ? (
          <span className="bad">✗ Failed{call.error?.kind ? `: ${printable(call.error.kind)}` : ""}</span>
        ) : (
          "Result"
        )}
      </p>
      <ResultBody output={output} query={query} />
    </div>
  );
}

const EVIDENCE: Readonly<Record<NonNullable<RunCall["evidence"]>, string>> = {
  ran: "seen running",
  told: "told by the next request",
  replayed: "replayed from a recording",
  stand_in: "stood in for by the replay",
};

function callWords(call: RunCall): string {
  return [
    call.ms === undefined ? "" : duration(call.ms),
    call.at === undefined
      ? ""
      : call.at.earliest
        ? `${beganWords(call.at.start)} at the earliest; when was not recorded`
        : beganWords(call.at.start),
    call.group === undefined ? "" : "side by side with others",
    call.evidence === undefined || call.evidence === "ran" ? "" : EVIDENCE[call.evidence],
    call.refused ? "never ran: it was refused" : "",
    call.approvals === undefined ? "" : `allowed by a person: ${call.approvals.map(printable).join(", ")}`,
  ]
    .filter((words) => words !== "")
    .join(", ");
}
