/** Times: near ones as people say them, all of them in full when pointed at. */
import { useEffect, useState } from "preact/hooks";

const full = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium" });
const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `4 s ago`, `2 min ago`, `3 h ago`, then the date. */
function agoWords(at: number, now: number): string {
  const past = Math.max(0, now - at);
  if (past < MINUTE) return `${Math.floor(past / 1000)} s ago`;
  if (past < HOUR) return `${Math.floor(past / MINUTE)} min ago`;
  if (past < DAY) return `${Math.floor(past / HOUR)} h ago`;
  return day.format(at);
}

export function Ago({ at }: { at: number }) {
  const now = useNow();
  return (
    <time dateTime={new Date(at).toISOString()} title={full.format(at)}>
      {agoWords(at, now)}
    </time>
  );
}

export function When({ at }: { at: number }) {
  return (
    <time dateTime={new Date(at).toISOString()} title={full.format(at)}>
      {day.format(at)}
    </time>
  );
}

const TICK = 15_000;

function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK);
    return () => clearInterval(timer);
  }, []);
  return now;
}
