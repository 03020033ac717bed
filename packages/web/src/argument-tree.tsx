/** Arguments as a tree; what differs from the other side is marked at its own path, never by colour alone. */
interface Props {
  value: unknown;
  other: unknown;
  /** False when there is nothing to compare with. */
  compare: boolean;
  showWas: boolean;
}

const MAX_TEXT = 600;

export function ArgumentTree({ value, other, compare, showWas }: Props) {
  if (value === undefined) return null;
  if (!isTree(value))
    return <Leaf name="" value={value} other={other} changed={compare && !same(value, other)} showWas={showWas} />;
  const entries = Object.entries(value);
  if (entries.length === 0) return null;
  return (
    <ul className="tree">
      {entries.map(([key, item]) => {
        const counterpart = isTree(other) && Object.hasOwn(other, key) ? other[key] : undefined;
        if (isTree(item) && Object.keys(item).length > 0) {
          return (
            <li key={key}>
              <div className="kv">
                <span className="key">{key}</span>
              </div>
              <ArgumentTree value={item} other={counterpart} compare={compare} showWas={showWas} />
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
            />
          </li>
        );
      })}
    </ul>
  );
}

function Leaf({
  name,
  value,
  other,
  changed,
  showWas,
}: {
  name: string;
  value: unknown;
  other: unknown;
  changed: boolean;
  showWas: boolean;
}) {
  return (
    <div className={changed ? "kv chg" : "kv"}>
      {name === "" ? null : <span className="key">{name}</span>}
      <span className="val">{shown(value)}</span>
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
  const text = JSON.stringify(value) ?? "";
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}… (${text.length - MAX_TEXT} more characters)` : text;
}
