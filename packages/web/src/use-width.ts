/** How wide an element is, now and whenever that changes; 0 until it is there. */
import { useLayoutEffect, useRef, useState } from "preact/hooks";

export function useWidth(): { readonly box: { current: HTMLDivElement | null }; readonly width: number } {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const measure = () => setWidth(box.current?.clientWidth ?? 0);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(box.current!);
    return () => observer.disconnect();
  }, []);
  return { box, width };
}
