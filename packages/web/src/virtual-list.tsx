/**
 * A list of any length of which only the rows in sight exist. All rows are equally high; the space of the others is held by two empty
 * pictures, because the page's policy allows no style attributes.
 */
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

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
}

/** Rows that exist above and below the ones in sight. */
const SPARE = 6;
const MOST_ROWS = 60;

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
  } = props;
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 700 });
  const measure = () => {
    const element = box.current;
    if (element === null) return;
    const { scrollTop: top, clientHeight: height } = element;
    setView((old) => (old.top === top && old.height === height ? old : { top, height }));
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: reads nothing but the element
  useLayoutEffect(() => {
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(box.current!);
    return () => observer.disconnect();
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `jump` asks for the same row once more
  useEffect(() => {
    const element = box.current;
    if (element === null || selected < 0) return;
    const top = selected * rowHeight;
    const isInSight = top >= element.scrollTop && top + rowHeight <= element.scrollTop + element.clientHeight;
    if (!isInSight) element.scrollTop = Math.max(0, top - (element.clientHeight - rowHeight) / 2);
    measure();
  }, [selected, jump, count]);
  const first = Math.max(0, Math.min(count - 1, Math.floor(view.top / rowHeight)) - SPARE);
  const amount = Math.min(MOST_ROWS, Math.ceil(view.height / rowHeight) + 2 * SPARE, Math.max(0, count - first));
  const shown = Array.from({ length: amount }, (_, at) => first + at);
  const move = (to: number) => onSelect(Math.max(0, Math.min(count - 1, to)));
  const page = Math.max(1, Math.floor(view.height / rowHeight) - 1);
  const moves = new Map([
    ["ArrowDown", () => move(selected + 1)],
    ["ArrowUp", () => move(selected - 1)],
    ["PageDown", () => move(selected + page)],
    ["PageUp", () => move(selected - page)],
    ["Home", () => move(0)],
    ["End", () => move(count - 1)],
    ["Enter", () => (selected < 0 ? undefined : onOpen(selected))],
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
      onKeyDown={(event: KeyboardEvent) => {
        const act = event.ctrlKey || event.metaKey || event.altKey ? undefined : moves.get(event.key);
        if (act === undefined) return;
        event.preventDefault();
        event.stopPropagation();
        act();
      }}
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

function Space({ height }: { height: number }) {
  return height <= 0 ? null : <svg className="space" width="1" height={height} aria-hidden="true" />;
}
