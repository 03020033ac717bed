/** Which rows of a long list exist: those in sight of a scrolled element and a few around them. */
import { useLayoutEffect, useRef, useState } from "preact/hooks";

/** Rows that exist above and below the ones in sight. */
const SPARE = 6;
const MOST_ROWS = 60;

export interface RowWindow {
  readonly box: { current: HTMLDivElement | null };
  readonly first: number;
  readonly amount: number;
  readonly rowHeight: number;
  /** Rows that fit in sight. */
  readonly fitting: number;
  readonly width: number;
  measure(): void;
}

/** All rows are equally high; how high may depend on the width. */
export function useWindow(count: number, heightOf: number | ((width: number) => number)): RowWindow {
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 700, width: 800 });
  const measure = () => {
    const element = box.current;
    if (element === null) return;
    const { scrollTop: top, clientHeight: height, clientWidth: width } = element;
    setView((old) => (old.top === top && old.height === height && old.width === width ? old : { top, height, width }));
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: reads nothing but the element
  useLayoutEffect(() => {
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(box.current!);
    return () => observer.disconnect();
  }, []);
  const rowHeight = typeof heightOf === "number" ? heightOf : heightOf(view.width);
  const first = Math.max(0, Math.min(count - 1, Math.floor(view.top / rowHeight)) - SPARE);
  const amount = Math.min(MOST_ROWS, Math.ceil(view.height / rowHeight) + 2 * SPARE, Math.max(0, count - first));
  const fitting = Math.max(1, Math.floor(view.height / rowHeight));
  return { box, first, amount, rowHeight, fitting, width: view.width, measure };
}

/** Scrolls as far as the row needs to be seen. */
export function bringIntoSight(element: HTMLElement, row: number, rowHeight: number): void {
  const top = row * rowHeight;
  const isInSight = top >= element.scrollTop && top + rowHeight <= element.scrollTop + element.clientHeight;
  if (!isInSight) element.scrollTop = Math.max(0, top - (element.clientHeight - rowHeight) / 2);
}
