/**
 * What happens, as it happens. The browser resumes a broken stream with the last id it heard; where the service refused for a while, a new stream begins and
 * everything shown is asked for again. Events carry counts and ids alone.
 */
import { useEffect, useState } from "preact/hooks";

export interface Live {
  /** Rises when something happened; what is shown may be asked for again. */
  readonly version: number;
  /** Whether the service is heard. */
  readonly isHeard: boolean;
}

const eventKinds = ["run", "finding", "verdict", "cohort", "review", "reevaluation"] as const;

/** A stream that the browser has given up is begun again after so long. */
const AGAIN_MS = 3_000;
/** A page that is asked for at every event of a busy service would never rest. */
const REST_MS = 1_000;

export function useLive(isWanted: boolean): Live {
  const [live, setLive] = useState<Live>({ version: 0, isHeard: false });
  useEffect(() => {
    if (!isWanted) return undefined;
    let events: EventSource | undefined;
    let again: ReturnType<typeof setTimeout> | undefined;
    let resting: ReturnType<typeof setTimeout> | undefined;
    let isDue = false;
    const happened = () => {
      if (resting !== undefined) {
        isDue = true;
        return;
      }
      setLive((old) => ({ ...old, version: old.version + 1 }));
      resting = setTimeout(() => {
        resting = undefined;
        if (!isDue) return;
        isDue = false;
        happened();
      }, REST_MS);
    };
    let hadBreak = false;
    const begin = () => {
      events = new EventSource("/api/v1/events");
      for (const kind of eventKinds) events.addEventListener(kind, happened);
      events.onopen = () => {
        setLive((old) => ({ ...old, isHeard: true }));
        if (hadBreak) happened();
        hadBreak = false;
      };
      events.onerror = () => {
        hadBreak = true;
        setLive((old) => (old.isHeard ? { ...old, isHeard: false } : old));
        if (events?.readyState !== EventSource.CLOSED) return;
        again = setTimeout(begin, AGAIN_MS);
      };
    };
    begin();
    return () => {
      events?.close();
      clearTimeout(again);
      clearTimeout(resting);
    };
  }, [isWanted]);
  return live;
}
