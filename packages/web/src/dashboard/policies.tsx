/** The rules by which runs are judged, and what an edited one would have said of the newest runs. */
import { count, integer } from "@spoor/core/internal/text/amounts";
import { printable } from "@spoor/core/internal/text/printable";
import { useEffect, useState } from "preact/hooks";
import { type AskError, ask, troubleTo, useAnswer } from "./ask.ts";
import type { PageProps } from "./page-props.ts";
import { hrefOf, runHref } from "./place.ts";
import { When } from "./time.tsx";
import { Answered, Trouble } from "./trouble.tsx";

interface Listed {
  readonly name: string;
  readonly hash: string;
  readonly createdAt: number;
}

export function Policies({ place, me, version }: PageProps) {
  const asked = useAnswer<{ readonly policies: readonly Listed[] }>("/policies", version);
  const wanted = place.query.get("policy");
  return (
    <section className="page" aria-label="Policies">
      <Answered asked={asked}>
        {({ policies }) => {
          const shown = policies.find(({ name }) => name === wanted) ?? (wanted === "" ? undefined : policies[0]);
          return (
            <>
              <h1>
                {policies.length === 0
                  ? "No rule judges the runs yet"
                  : `${count(policies.length, "policy", "policies")}`}
              </h1>
              <p className="lede">
                {policies.length === 0
                  ? "Write rules below and try them on the newest runs before they count. Rules that already hold in your runs: "
                  : "A new text judges what comes from then on; runs that are kept are judged again."}
                {policies.length === 0 ? <code>npx spoor policy suggest TRACES</code> : null}
              </p>
              {policies.length < 2 ? null : (
                <ul className="ways-list">
                  {policies.map(({ name, createdAt }) => (
                    <li key={name}>
                      <a href={hrefOf("/policies", { policy: name })} aria-current={name === shown?.name}>
                        {printable(name)}
                      </a>{" "}
                      <span className="muted">
                        since <When at={createdAt} />
                      </span>
                    </li>
                  ))}
                </ul>
              )}
              <Editor
                key={shown?.name ?? ""}
                name={shown?.name}
                hash={shown?.hash ?? ""}
                mayWrite={me.scopes.includes("admin")}
                onSaved={asked.again}
              />
            </>
          );
        }}
      </Answered>
    </section>
  );
}

interface EditorProps {
  /** Undefined for the first one. */
  name: string | undefined;
  hash: string;
  mayWrite: boolean;
  onSaved: () => void;
}

const FIRST = `rules:
  - id: confirm-before-refund
    kind: must_call_before
    params: { first: confirm_refund_amount, then: issue_refund }
`;

function Editor({ name, hash, mayWrite, onSaved }: EditorProps) {
  const asked = useAnswer<string>(name === undefined ? undefined : `/policies/${encodeURIComponent(name)}`);
  const stored = name === undefined ? "" : asked.answer;
  const [text, setText] = useState<string | undefined>(name === undefined ? FIRST : undefined);
  const [preview, setPreview] = useState<Preview | undefined>(undefined);
  const [trouble, setTrouble] = useState<AskError | undefined>(undefined);
  const [isAsking, setAsking] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what somebody else put is shown only where nothing was typed
  useEffect(() => {
    if (stored !== undefined && text === undefined) setText(stored);
  }, [stored, hash]);
  if (text === undefined) return <Answered asked={asked}>{() => null}</Answered>;
  const attempt = (work: () => Promise<void>) => () => {
    setAsking(true);
    work()
      .then(() => setTrouble(undefined), troubleTo(setTrouble))
      .finally(() => setAsking(false));
  };
  const tryIt = attempt(async () => setPreview(await ask<Preview>("/policies/preview", { method: "POST", text })));
  const save = attempt(async () => {
    await ask(`/policies/${encodeURIComponent(name ?? "policy.yaml")}`, { method: "PUT", text });
    onSaved();
    asked.again();
  });
  return (
    <section className="block" aria-labelledby="policy-title">
      <h2 id="policy-title">{printable(name ?? "policy.yaml")}</h2>
      <label className="vh" htmlFor="policy-text">
        The policy as YAML
      </label>
      <textarea
        id="policy-text"
        className="policy-text"
        spellcheck={false}
        rows={Math.min(30, Math.max(8, text.split("\n").length + 1))}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <p className="go">
        <button type="button" className="btn" disabled={isAsking} onClick={tryIt}>
          Try it on the newest runs
        </button>
        {mayWrite ? (
          <button type="button" className="btn quiet" disabled={isAsking || text === stored} onClick={save}>
            Put it in place
          </button>
        ) : (
          <span className="sub">
            Putting it in place needs the scope <code>admin</code>.
          </span>
        )}
      </p>
      <Trouble trouble={trouble} />
      {preview === undefined ? null : <Previewed preview={preview} />}
    </section>
  );
}

interface Preview {
  readonly rules: readonly {
    readonly id: string;
    readonly severity: string;
    readonly runs: number;
    readonly findings: number;
  }[];
  readonly checked: number;
  readonly notKept: number;
  readonly passed: number;
  readonly failed: number;
  readonly notEvaluated: number;
  readonly runs: readonly {
    readonly id: string;
    readonly name: string;
    readonly agent: string;
    readonly release?: string;
    readonly status: string;
    readonly would: string;
    readonly findings: readonly { readonly ruleId: string; readonly turnIndex?: number }[];
  }[];
  readonly next?: string;
}

function Previewed({ preview }: { preview: Preview }) {
  const { rules, checked, failed, passed, notEvaluated, notKept, runs, next } = preview;
  return (
    <div role="status" className="previewed">
      <p className="lede">
        {`${integer(failed)} of ${count(checked, "run")} would break a rule, ${integer(passed)} would pass, ${integer(notEvaluated)} could not be judged.`}
        {next === undefined ? "" : " These are the newest runs; there are older ones."}
        {notKept === 0 ? "" : ` The recordings of ${count(notKept, "run")} are not kept any more.`}
      </p>
      <ul className="ways-list">
        {rules.map(({ id, severity, runs: broken, findings }) => (
          <li key={id}>
            <code>{printable(id)}</code> <span className="muted">{printable(severity)}</span>{" "}
            {broken === 0 ? (
              "holds"
            ) : (
              <span className="bad">{`${count(findings, "time")} in ${count(broken, "run")}`}</span>
            )}
          </li>
        ))}
      </ul>
      {runs.length === 0 ? null : (
        <ul className="generations">
          {runs.map((run) => (
            <li key={run.id}>
              <a href={runHref(run.id, placeOf(run.findings))}>{printable(run.name)}</a> {printable(run.agent)}
              {run.release === undefined ? "" : `, ${printable(run.release)}`}:{" "}
              {run.would === run.status
                ? run.would.replaceAll("_", " ")
                : `${run.would.replaceAll("_", " ")} instead of ${run.status.replaceAll("_", " ")}`}
              {run.findings.length === 0
                ? ""
                : `, ${[...new Set(run.findings.map(({ ruleId }) => printable(ruleId)))].join(", ")}`}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function placeOf([first]: Preview["runs"][number]["findings"]): { place?: string } {
  return first?.turnIndex === undefined ? {} : { place: `turn-${first.turnIndex + 1}` };
}
