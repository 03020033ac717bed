/** What a push came to, in words: the address of each run, how many were new, and what was not taken. */
import { SpoorError } from "@spoor/core/internal/errors";
import { count } from "../document/words.ts";
import type { PushedFile, PushProblem, PushResult } from "./push-files.ts";
import type { PushedPaths } from "./push-paths.ts";

/** How many addresses are worth reading. */
const SHOWN = 10;

export function pushedWords({ pushed }: PushResult, server: string): string {
  if (pushed.length === 0) return "";
  const lines = pushed.slice(0, SHOWN).map((one) => `${one.created ? "sent" : "known"}  ${runAddress(one, server)}\n`);
  const more = pushed.length > SHOWN ? `… and ${pushed.length - SHOWN} more\n` : "";
  return `${lines.join("")}${more}${pushedCount({ pushed })}.\n`;
}

/** `3 recordings sent, 2 the service had already`. */
export function pushedCount({ pushed }: Pick<PushResult, "pushed">): string {
  const fresh = pushed.filter(({ created }) => created).length;
  const known = pushed.length - fresh;
  const parts = [
    ...(fresh > 0 ? [`${count(fresh, "recording")} sent`] : []),
    ...(known > 0 ? [`${known} the service had already`] : []),
  ];
  return parts.join(", ");
}

export function runAddress({ id }: PushedFile, server: string): string {
  return `${server}/api/v1/runs/${id}`;
}

/** Undefined when everything was taken. */
export function notTaken({ problems, total }: PushedPaths): SpoorError | undefined {
  if (problems.length === 0) return undefined;
  const [first] = problems as readonly [PushProblem, ...PushProblem[]];
  if (total === 1) return first.error;
  return new SpoorError(
    "server.refused",
    `${problems.length} of ${count(total, "recording")} ${problems.length === 1 ? "was" : "were"} not taken.`,
    {
      problems: problems.map(({ file, error }) => ({ at: { ...error.at, file }, message: error.message })),
      hint: "The others are with the service. When these are mended, push again: nothing is sent twice.",
    },
  );
}
