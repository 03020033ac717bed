/** What changed, card by card, with a decision about each: nothing is written before the one button, and then all of it or nothing. */
import type { ReviewCard, ReviewView } from "@spoor/core/internal/gate/review-view";
import { count } from "@spoor/core/internal/text/amounts";
import { printable } from "@spoor/core/internal/text/printable";
import { useState } from "preact/hooks";

type Choice = "accept" | "accept_own" | "reject";

export interface Decisions {
  readonly stamp: string;
  readonly decisions: readonly { readonly card: number; readonly decision: Choice }[];
  readonly reason: string;
  readonly removeRules: boolean;
}

interface Props {
  changes: ReviewView;
  /** The address of the runs of a card. */
  hrefOf: (card: number) => string;
  /** Writes it; words where that was refused. */
  onWrite: (decisions: Decisions) => Promise<string | undefined>;
}

export function Review({ changes, hrefOf, onWrite }: Props) {
  const [chosen, setChosen] = useState<ReadonlyMap<number, Choice>>(new Map());
  const [reason, setReason] = useState("");
  const [removeRules, setRemoveRules] = useState(false);
  const [trouble, setTrouble] = useState<string | undefined>(undefined);
  const [isWriting, setIsWriting] = useState(false);
  const decisions = [...chosen].map(([card, decision]) => ({ card, decision }));
  const accepted = changes.cards.filter(({ number }) => chosen.get(number)?.startsWith("accept"));
  const rules = [...new Set(accepted.flatMap((card) => card.rules))];
  const stuck = removeRules ? undefined : accepted.find(({ onlyRules }) => onlyRules);
  const missing =
    decisions.length === 0
      ? "Nothing is decided yet."
      : stuck !== undefined
        ? `Nothing but rules stands against card ${stuck.number}: take them out, or decide otherwise.`
        : reason.trim() === ""
          ? "Say why: whoever reads the decision later will want to know."
          : "";
  const choose = (card: number, choice: Choice | undefined) =>
    setChosen((old) => {
      const next = new Map(old);
      if (choice === undefined) next.delete(card);
      else next.set(card, choice);
      return next;
    });
  const write = async () => {
    if (missing !== "" || isWriting) return;
    setIsWriting(true);
    setTrouble(undefined);
    setTrouble(
      await onWrite({ stamp: changes.stamp, decisions, reason, removeRules: removeRules && rules.length > 0 }),
    );
    setIsWriting(false);
  };
  if (changes.cards.length === 0) return <p className="empty">Nothing changed that needs a decision.</p>;
  return (
    <form
      className="review"
      onSubmit={(event: Event) => {
        event.preventDefault();
        void write();
      }}
    >
      <ol>
        {changes.cards.map((card) => (
          <li key={card.number} className={card.blocks ? "change blocks" : "change"}>
            <fieldset disabled={changes.closed !== undefined}>
              <legend>
                <span className="n">{card.number}</span> <b>{printable(card.title)}</b>
              </legend>
              <p className="say">
                <a href={hrefOf(card.number)}>{count(card.runs, "run")}</a>
                {card.blocks ? ", blocks" : ""}
              </p>
              <Option card={card} choice="accept" chosen={chosen} choose={choose} disabled={card.refused}>
                Accept <small>{printable(card.accept)}</small>
              </Option>
              {card.own ? (
                <Option card={card} choice="accept_own" chosen={chosen} choose={choose} disabled={card.refused}>
                  Accept, with its path as a behaviour of its own
                </Option>
              ) : null}
              <Option card={card} choice="reject" chosen={chosen} choose={choose} disabled={false}>
                Reject <small>{printable(card.reject)}</small>
              </Option>
              <Option card={card} choice={undefined} chosen={chosen} choose={choose} disabled={false}>
                Decide later
              </Option>
            </fieldset>
          </li>
        ))}
      </ol>
      {changes.closed !== undefined ? (
        <p className="why">{printable(changes.closed)}</p>
      ) : (
        <>
          {rules.length === 0 ? null : (
            <label className="check">
              <input
                type="checkbox"
                checked={removeRules}
                onChange={(event: Event) => setRemoveRules((event.target as HTMLInputElement).checked)}
              />{" "}
              {`Also take out ${rules.map(printable).join(", ")}, with the examples; otherwise it goes on blocking.`}
            </label>
          )}
          <label className="reason">
            <span>Why</span>
            <input
              type="text"
              value={reason}
              autocomplete="off"
              onInput={(event: Event) => setReason((event.target as HTMLInputElement).value)}
            />
          </label>
          <p>
            <button type="submit" className="btn" disabled={missing !== "" || isWriting}>
              {isWriting ? "Writing …" : `Write ${count(decisions.length, "decision")}`}
            </button>{" "}
            <span className="say" role="status">
              {trouble === undefined ? missing : printable(trouble)}
            </span>
          </p>
        </>
      )}
    </form>
  );
}

interface OptionProps {
  card: ReviewCard;
  choice: Choice | undefined;
  chosen: ReadonlyMap<number, Choice>;
  choose: (card: number, choice: Choice | undefined) => void;
  disabled: boolean;
  children: preact.ComponentChildren;
}

function Option({ card, choice, chosen, choose, disabled, children }: OptionProps) {
  return (
    <label className="check">
      <input
        type="radio"
        name={`card-${card.number}`}
        checked={chosen.get(card.number) === choice}
        disabled={disabled}
        onChange={() => choose(card.number, choice)}
      />{" "}
      <span>{children}</span>
    </label>
  );
}
