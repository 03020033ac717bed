import type { SideView } from "@spoor/core/internal/gate/comparison-view";
import { resultText } from "@spoor/core/internal/text/brief-json";
import { ArgumentTree } from "./argument-tree.tsx";
import { LongText } from "./long-text.tsx";
import { MarkedText } from "./marked-text.tsx";

interface Props {
  side: SideView;
  /** The turn it is aligned with; what differs from it is marked. */
  other: SideView | undefined;
  isCandidate: boolean;
}

/** One turn in full: its calls with their arguments as trees, its text, what the rules found. */
export function TurnCard({ side, other, isCandidate }: Props) {
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
          <div className="tool">{call.name}</div>
          <ArgumentTree value={call.input} other={paired[index]} compare={other !== undefined} showWas={isCandidate} />
          <CallResult call={call} />
        </div>
      ))}
      {side.text === undefined ? null : (
        <p className="said">
          “<MarkedText text={side.text} other={other?.text} added={isCandidate} />”
          {side.textCut === undefined ? null : <span className="muted"> … {side.textCut} more characters</span>}
        </p>
      )}
      {side.stop !== undefined && other !== undefined && side.stop !== other.stop ? (
        <p className="stop">
          ends with <code>{side.stop}</code>
        </p>
      ) : null}
      {(side.findings ?? []).map((finding, index) => (
        <p key={index} className="note">
          <span className={finding.severity === "severe" ? "bad" : "warn"}>
            {finding.severity === "severe" ? "✗" : "!"}
          </span>
          <span>
            <b>
              <a href="#rules">{finding.rule}</a>
            </b>{" "}
            {finding.message}
          </span>
        </p>
      ))}
    </div>
  );
}

/** What it returned, where the comparison carries it. */
function CallResult({ call }: { call: NonNullable<SideView["calls"]>[number] }) {
  if (call.error !== undefined)
    return (
      <div className="result failed">
        <p className="label bad">✗ Failed</p>
        <LongText text={call.error} query="" className="output" />
      </div>
    );
  if (call.output === undefined) return null;
  return (
    <div className="result">
      <p className="label">Result</p>
      <LongText text={resultText(call.output)} query="" className="output" />
    </div>
  );
}

/** The other side's call of the same tool, in order: what its arguments are compared with. */
function pairCalls(side: SideView, other: SideView | undefined): readonly (unknown | undefined)[] {
  const waiting = [...(other?.calls ?? [])];
  return (side.calls ?? []).map((call) => {
    const index = waiting.findIndex((candidate) => candidate.name === call.name);
    return index < 0 ? undefined : waiting.splice(index, 1)[0]!.input;
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
