import type { SideView } from "@spoor/core/internal/gate/comparison-view";
import { integer } from "@spoor/core/internal/text/amounts";
import { printable } from "@spoor/core/internal/text/printable";
import { ArgumentTree } from "./argument-tree.tsx";
import { LongText } from "./long-text.tsx";
import { MarkedQuery } from "./marked-query.tsx";
import { MarkedText } from "./marked-text.tsx";
import { ResultBody } from "./result-body.tsx";

interface Props {
  side: SideView;
  /** The turn it is aligned with; what differs from it is marked. */
  other: SideView | undefined;
  isCandidate: boolean;
  query: string;
  /** The command that prints the whole run of this side. */
  show: string | undefined;
}

/** One turn in full: its calls with arguments and results as trees, its text, what the rules found. */
export function TurnCard({ side, other, isCandidate, query, show }: Props) {
  const paired = pairCalls(side, other);
  return (
    <div className={`card ${isCandidate ? "c" : "b"}`}>
      <div className="meta" data-side={isCandidate ? "Candidate" : "Baseline"}>
        <span>
          turn {side.turn}
          {side.offPath ? ", off the recorded path" : ""}
        </span>
        <span>{numbers(side)}</span>
      </div>
      {(side.calls ?? []).map((call, index) => (
        <div key={index}>
          <div className="tool">
            <MarkedQuery text={printable(call.name)} query={query} />
          </div>
          <ArgumentTree
            value={call.input}
            other={paired[index]?.input}
            compare={other !== undefined}
            showWas={isCandidate}
            query={query}
          />
          <CallResult call={call} other={paired[index]} showWas={isCandidate} query={query} />
          {call.resultCut === undefined ? null : <Rest characters={call.resultCut} show={show} turn={side.turn} />}
        </div>
      ))}
      {side.text === undefined ? null : (
        <p className="said">
          “<MarkedText text={side.text} other={other?.text} added={isCandidate} />”
        </p>
      )}
      {side.textCut === undefined ? null : <Rest characters={side.textCut} show={show} turn={side.turn} />}
      {side.stop !== undefined && other !== undefined && side.stop !== other.stop ? (
        <p className="stop">
          ends with <code>{printable(side.stop)}</code>
        </p>
      ) : null}
      {(side.findings ?? []).map((finding, index) => (
        <p key={index} className="note">
          <span className={finding.severity === "severe" ? "bad" : "warn"}>
            {finding.severity === "severe" ? "✗" : "!"}
          </span>
          <span>
            <b>
              <a href="#rules">{printable(finding.rule)}</a>
            </b>{" "}
            {printable(finding.message)}
          </span>
        </p>
      ))}
    </div>
  );
}

/** What is not on the page, and the way to it. */
function Rest({ characters, show, turn }: { characters: number; show: string | undefined; turn: number }) {
  return (
    <p className="muted cut">
      {`… ${integer(characters)} more characters${show === undefined ? "" : ": "}`}
      {show === undefined ? null : <code>{printable(`${show} --turn ${turn} --full`)}</code>}
    </p>
  );
}

type Call = NonNullable<SideView["calls"]>[number];

interface ResultProps {
  call: Call;
  other: Call | undefined;
  showWas: boolean;
  query: string;
}

/** What it returned, where the comparison carries it. */
function CallResult({ call, other, showWas, query }: ResultProps) {
  return (
    <>
      {call.error === undefined ? null : (
        <div className="result failed">
          <p className="label bad">✗ Failed</p>
          <LongText text={call.error} query={query} className="output" />
        </div>
      )}
      {call.output === undefined ? null : (
        <div className="result">
          <p className="label">{call.resultCut === undefined ? "Result" : "Result, its beginning"}</p>
          <ResultBody output={call.output} other={other?.output} showWas={showWas} query={query} />
        </div>
      )}
    </>
  );
}

/** The other side's call of the same tool, in order: what its arguments and its result are compared with. */
function pairCalls(side: SideView, other: SideView | undefined): readonly (Call | undefined)[] {
  const waiting = [...(other?.calls ?? [])];
  return (side.calls ?? []).map((call) => {
    const index = waiting.findIndex((candidate) => candidate.name === call.name);
    return index < 0 ? undefined : waiting.splice(index, 1)[0]!;
  });
}

function numbers(side: SideView): string {
  const parts = [
    side.ms === undefined ? "" : `${(side.ms / 1000).toFixed(2)} s`,
    side.inputTokens === undefined ? "" : `${side.inputTokens} in`,
    side.outputTokens === undefined ? "" : `${side.outputTokens} out`,
  ];
  return parts.filter((part) => part !== "").join(", ");
}
