/** A value as a tree; what differs from another side is marked at its own path, and what is looked for in place, never by colour alone. */
import { integer } from "@spoor/core/internal/text/amounts";
import { printable } from "@spoor/core/internal/text/printable";
import { useState } from "preact/hooks";
import { MarkedQuery } from "./marked-query.tsx";

interface Props {
  value: unknown;
  other?: unknown;
  /** False when there is nothing to compare with. */
  compare?: boolean;
  showWas?: boolean;
  query?: string;
  /** Where this value stands: `refund`, so that its members are found as `refund.amount`. */
  path?: string;
}

const MAX_TEXT = 600;
/** Members of one level that are shown at first. */
const MAX_MEMBERS = 60;

export function ArgumentTree({ value, other, compare = false, showWas = false, query = "", path = "" }: Props) {
  const [most, setMost] = useState(MAX_MEMBERS);
  if (value === undefined) return null;
  if (!isTree(value))
    return (
      <Leaf
        name=""
        value={value}
        other={other}
        changed={compare && !same(value, other)}
        showWas={showWas}
        query={query}
        path={path}
      />
    );
  const entries = Object.entries(value);
  if (entries.length === 0)
    return path === "" && !compare ? <p className="muted">{Array.isArray(value) ? "[]" : "{}"}</p> : null;
  const hidden = entries.length - most;
  return (
    <>
      <ul className="tree">
        {(hidden > 0 ? entries.slice(0, most) : entries).map(([key, item]) => {
          const counterpart = isTree(other) && Object.hasOwn(other, key) ? other[key] : undefined;
          const own = Array.isArray(value) ? `${path}[${key}]` : path === "" ? key : `${path}.${key}`;
          if (isTree(item) && Object.keys(item).length > 0) {
            return (
              <li key={key}>
                <div className="kv">
                  <span className="key">
                    <MarkedQuery text={printable(key)} query={query} />
                  </span>
                </div>
                <ArgumentTree
                  value={item}
                  other={counterpart}
                  compare={compare}
                  showWas={showWas}
                  query={query}
                  path={own}
                />
              </li>
            );
          }
          return (
            <li key={key}>
              <Leaf
                name={key}
                value={item}
                other={counterpart}
                changed={compare && !same(item, counterpart)}
                showWas={showWas}
                query={query}
                path={own}
              />
            </li>
          );
        })}
      </ul>
      {hidden > 0 ? (
        <button type="button" className="more" onClick={() => setMost(most * 10)}>
          {`Show ${integer(Math.min(hidden, most * 9))} more of ${integer(entries.length)}`}
        </button>
      ) : null}
    </>
  );
}

interface LeafProps extends Required<Pick<Props, "query" | "path" | "showWas">> {
  name: string;
  value: unknown;
  other: unknown;
  changed: boolean;
}

function Leaf({ name, value, other, changed, showWas, query, path }: LeafProps) {
  const [whole, setWhole] = useState(false);
  const text = printable(JSON.stringify(value) ?? "");
  const isCut = text.length > MAX_TEXT && !whole;
  // The reader may look for the path as Spoor prints it, of which the name is only the end.
  const isFound = query !== "" && query.includes(".") && path.toLowerCase().includes(query.toLowerCase());
  return (
    <div className={changed ? "kv chg" : "kv"}>
      {name === "" ? null : (
        <span className="key">
          {isFound ? <mark>{printable(name)}</mark> : <MarkedQuery text={printable(name)} query={query} />}
        </span>
      )}
      <span className="val">
        <MarkedQuery text={isCut ? text.slice(0, MAX_TEXT) : text} query={query} />
        {isCut ? "…" : ""}
      </span>
      {isCut ? (
        <button type="button" className="more" onClick={() => setWhole(true)}>
          {`Show ${integer(text.length - MAX_TEXT)} more characters`}
        </button>
      ) : null}
      {changed && showWas && other !== undefined && !isTree(other) ? (
        <span className="was">was {shown(other)}</span>
      ) : null}
      {changed ? <span className="vh">(changed)</span> : null}
    </div>
  );
}

function isTree(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function same(left: unknown, right: unknown): boolean {
  return left === right || JSON.stringify(left) === JSON.stringify(right);
}

function shown(value: unknown): string {
  const text = printable(JSON.stringify(value) ?? "");
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}… (${text.length - MAX_TEXT} more characters)` : text;
}
