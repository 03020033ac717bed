import type { Place } from "./place.ts";
import type { Me } from "./session.tsx";

/** What every page is given. */
export interface PageProps {
  readonly place: Place;
  readonly me: Me;
  /** Rises when something happened in the service. */
  readonly version: number;
}
