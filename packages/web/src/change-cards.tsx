/** What changed in few pieces: runs that changed alike on one card, each number a way to the runs that it counts. */
import type { CardView, ComparisonView } from "@spoor/core/internal/gate/comparison-view";
import { writeTraceFilter } from "@spoor/core/internal/gate/trace-filter";
import { count, integer } from "@spoor/core/internal/text/amounts";
import { printable } from "@spoor/core/internal/text/printable";
import { useMemo } from "preact/hooks";
import { facetWords } from "./outcome-words.ts";
import { SomeFirst } from "./some-first.tsx";

interface Props {
  view: ComparisonView;
  hrefOf: (place: string, only: string) => string;
}

const SHOWN = 6;

export function ChangeCards({ view, hrefOf }: Props) {
  const names = useMemo(() => new Map(view.traces.map(({ key, name }) => [key, name])), [view]);
  if (view.cards.length === 0) return null;
  return (
    <section className="changes" aria-label="What changed">
      <h3>{`What changed: ${count(view.cards.length, "card")}`}</h3>
      <SomeFirst rows={view.cards} first={SHOWN}>
        {(shown) => (
          <ol>
            {shown.map((card) => (
              <Card key={card.number} card={card} noun={view.noun} names={names} hrefOf={hrefOf} />
            ))}
          </ol>
        )}
      </SomeFirst>
    </section>
  );
}

interface CardProps {
  card: CardView;
  noun: string;
  names: ReadonlyMap<string, string>;
  hrefOf: Props["hrefOf"];
}

function Card({ card, noun, names, hrefOf }: CardProps) {
  const only = writeTraceFilter({ tokens: [{ facet: "card", value: String(card.number) }] });
  const rest = card.runs - card.first.length;
  return (
    <li className={card.blocks ? "change blocks" : "change"}>
      <p className="card-title">
        <span className={card.blocks ? "bad" : "warn"} aria-hidden="true">
          {card.blocks ? "✗" : "!"}
        </span>
        <span className="n">{card.number}</span>
        <b>{printable(card.title)}</b>
      </p>
      <p className="say">
        <a href={hrefOf("traces", only)}>{count(card.runs, noun)}</a>
        {`, ${card.blocks ? "blocks" : "does not block"}; ${facetWords("kind", card.kind)}`}
        {card.rules.length === 0 ? "" : `; breaks ${card.rules.map(printable).join(", ")}`}
      </p>
      <p className="say who">
        {card.first.map((key, index) => (
          <span key={key}>
            {index === 0 ? "" : ", "}
            <a href={hrefOf(key, only)}>{printable(names.get(key) ?? key)}</a>
          </span>
        ))}
        {rest > 0 ? (
          <>
            {" and "}
            <a href={hrefOf("traces", only)}>{`${integer(rest)} more`}</a>
          </>
        ) : null}
      </p>
    </li>
  );
}
