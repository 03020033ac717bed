/** How long, and over whom, a rule counts: `per: hour`, `per: user`, `per: { seconds: 90, user: true }`. */
import { custom, oneOf } from "../read/collections.ts";
import { optional } from "../read/field.ts";
import { named } from "../read/json-schema.ts";
import { mapping } from "../read/mapping.ts";
import { boolean, choice, number } from "../read/scalars.ts";
import type { Shape } from "../read/shape.ts";
import { countOf } from "../text/words.ts";

export interface Rate {
  /** The length of the window that slides over the events; absent: all of them. */
  readonly seconds?: number;
  /** Counted over all sessions of one user. */
  readonly user?: boolean;
  /** Counted in each session on its own. */
  readonly session?: boolean;
}

const WINDOWS = { minute: 60, hour: 3_600, day: 86_400 } as const;

const word = custom(choice(["minute", "hour", "day", "session", "user"]), (written): Rate => {
  if (written === "session" || written === "user") return { [written]: true };
  return { seconds: WINDOWS[written] };
});

const lengths = custom(
  mapping(
    "per",
    {
      seconds: optional(number({ above: 0 }), "the length of the window in seconds"),
      user: optional(boolean, "count over all sessions of the user"),
    },
    { atLeastOne: [["seconds", "user"]] },
  ),
  (read): Rate => read,
);

/** What is counted against a limit: a window that slides over recorded times, a session, or everything a user does. */
const rateShape: Shape<Rate> = named("rate", oneOf(word, lengths));

/** The parameter, as every rule with a limit has it. */
export const perField = optional(
  rateShape,
  "what the limit is for: any minute, hour or day, a session, a user (over all sessions), or `{seconds: 90, user: true}`",
);

/** ` in any 60 seconds, over all sessions of a user`; empty where the limit is for the whole trace. */
export function rateWords({ seconds, user }: Rate = {}): string {
  const long = seconds === undefined ? "" : ` in any ${lengthWords(seconds)}`;
  return `${long}${user === true ? `${long === "" ? "" : ","} over all sessions of a user` : ""}`;
}

function lengthWords(seconds: number): string {
  const known = Object.entries(WINDOWS).find(([, length]) => length === seconds);
  return known === undefined ? countOf(seconds, "second") : known[0];
}

/** Whether a limit needs more than a number that grows: times, or what other sessions did. */
export function isRate(per: Rate | undefined): per is Rate {
  return per?.seconds !== undefined || per?.user === true;
}
