/** Decides as the page of `spoor view` does: looks at the cards, accepts one and rejects another, and says what was written. */
import { writeSync } from "node:fs";
import { Readable } from "node:stream";
import { reportError } from "spoor/internal/cli/report-error";
import { createViewReview } from "spoor/internal/cli/view-review";

const io = {
  cwd: process.cwd(),
  program: "spoor",
  env: { HOME: process.env["HOME"] ?? "", GIT_AUTHOR_NAME: "Ada" },
  stdin: Readable.from([]),
  interactive: false,
  stdoutIsTerminal: false,
  stderrIsTerminal: false,
  columns: 80,
  out: (text: string) => void writeSync(1, text),
  err: (text: string) => void writeSync(2, text),
  now: () => new Date(0),
};
const review = createViewReview({} as never, io);
try {
  const { stamp, cards } = await review.look();
  const decisions = cards.map(({ number }, index) => ({ card: number, decision: index === 0 ? "accept" : "reject" }));
  // A second run has nothing left to decide.
  if (decisions.length > 0) await review.decide({ stamp, decisions, reason: "meant", removeRules: false });
} catch (error) {
  process.exitCode = reportError(error, [], io);
}
