/** Of which agent a page speaks: in the address, or the first there is. */
import { printable } from "@spoor/core/internal/text/printable";
import { useAnswer } from "./ask.ts";
import { change, type Place } from "./place.ts";
import { Answered } from "./trouble.tsx";

interface Props {
  place: Place;
  version: number;
  children: (agent: string) => preact.ComponentChildren;
}

export function AgentChoice({ place, version, children }: Props) {
  const asked = useAnswer<{ readonly agents: readonly { readonly name: string; readonly runs: number }[] }>(
    "/agents",
    version,
  );
  return (
    <Answered asked={asked}>
      {({ agents }) => {
        const wanted = place.query.get("agent");
        const agent =
          agents.find(({ name }) => name === wanted)?.name ?? (wanted === null ? agents[0]?.name : undefined);
        if (agents.length === 0)
          return (
            <p className="empty">
              No agent has sent a run yet. <a href="/">The overview</a> says how.
            </p>
          );
        return (
          <>
            <p className="agent-choice">
              <label htmlFor="agent">Agent</label>
              <select
                id="agent"
                className="field"
                value={agent ?? ""}
                onChange={(event) => change({ agent: event.currentTarget.value })}
              >
                {agent === undefined ? <option value="">choose one</option> : null}
                {agents.map(({ name }) => (
                  <option key={name} value={name}>
                    {printable(name)}
                  </option>
                ))}
              </select>
            </p>
            {agent === undefined ? (
              <p className="empty">There is no agent {printable(wanted ?? "")}.</p>
            ) : (
              children(agent)
            )}
          </>
        );
      }}
    </Answered>
  );
}
