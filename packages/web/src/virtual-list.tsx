/**
 * A list of any length of which only the rows in sight exist. All rows are equally high; the space of the others is held by two empty
 * pictures, because the page's policy allows no style attributes.
 */
import { useEffect, useRef } from "preact/hooks";
import { ownKeys } from "./keys.ts";
import { bringIntoSight, useWindow } from "./use-window.ts";

interface Props {
  label: string;
  count: number;
  rowHeight: number;
  className?: string;
  /** Place of the row that is chosen; -1 for none. */
  selected: number;
  /** Rises whenever the chosen row is to be brought into sight. */
  jump: number;
  idOf: (index: number) => string;
  classOf: (index: number) => string;
  render: (index: number) => preact.ComponentChildren;
  onSelect: (index: number) => void;
  /** With Enter. */
  onOpen: (index: number) => void;
  onClick: (index: number) => void;
  /** The last row that exists now: whoever has more rows elsewhere asks for them. */
  onShown?: (last: number) => void;
}

export function VirtualList(props: Props) {
  const {
    label,
    count,
    rowHeight,
    className = "",
    selected,
    jump,
    idOf,
    classOf,
    render,
    onSelect,
    onOpen,
    onClick,
    onShown,
  } = props;
  const { box, first, amount, fitting, measure } = useWindow(count, rowHeight);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `jump` asks for the same row once more
  useEffect(() => {
    if (box.current === null || selected < 0) return;
    bringIntoSight(box.current, selected, rowHeight);
    measure();
    // Rows that are added at the end while somebody scrolls are no reason to go back to the chosen one.
  }, [selected, jump, onShown === undefined ? count : 0]);
  const lastShown = first + amount - 1;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is told changes with the rows alone
  useEffect(() => {
    onShown?.(lastShown);
  }, [lastShown, count]);
  const shown = Array.from({ length: amount }, (_, at) => first + at);
  // Keys may come faster than a choice is drawn: each goes on from where the last one went.
  const drawn = useRef(selected);
  const latest = useRef(selected);
  if (drawn.current !== selected) {
    drawn.current = selected;
    latest.current = selected;
  }
  const move = (to: number) => {
    latest.current = Math.max(0, Math.min(count - 1, to));
    onSelect(latest.current);
  };
  const page = Math.max(1, fitting - 1);
  const moves = new Map([
    ["ArrowDown", () => move(latest.current + 1)],
    ["ArrowUp", () => move(latest.current - 1)],
    ["PageDown", () => move(latest.current + page)],
    ["PageUp", () => move(latest.current - page)],
    ["Home", () => move(0)],
    ["End", () => move(count - 1)],
    ["Enter", () => (latest.current < 0 ? undefined : onOpen(latest.current))],
  ]);
  return (
    <div
      ref={box}
      className={`vlist ${className}`}
      role="listbox"
      tabIndex={0}
      aria-label={label}
      aria-activedescendant={selected >= first && selected < first + amount ? idOf(selected) : undefined}
      onScroll={measure}
      onKeyDown={ownKeys(moves)}
    >
      <Space height={first * rowHeight} />
      {shown.map((index) => (
        // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus and names its row
        // biome-ignore lint/a11y/useKeyWithClickEvents: the list listens to keys
        <div
          key={index}
          id={idOf(index)}
          className={classOf(index)}
          role="option"
          aria-selected={index === selected}
          aria-setsize={count}
          aria-posinset={index + 1}
          onClick={() => onClick(index)}
        >
          {render(index)}
        </div>
      ))}
      <Space height={(count - first - amount) * rowHeight} />
    </div>
  );
}

export function Space({ height }: { height: number }) {
  return height <= 0 ? null : <svg className="space" width="1" height={height} aria-hidden="true" />;
}
