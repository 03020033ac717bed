/** `spoor eval add` in words: which case was added where, and what it passes and fails. */
import type { Document, Text } from "../document/document.ts";
import { shellWord } from "../document/shell-word.ts";
import { name, say } from "../document/text.ts";
import { count } from "../document/words.ts";

export interface EvalAddReport {
  readonly id: string;
  readonly file: string;
  readonly trace: string;
  /** As a command takes it. */
  readonly path: string;
  /** The very case was there before. */
  readonly known: boolean;
  /** Whether the case fails the run it is made of. */
  readonly fails: boolean;
  /** Runs that show what should be done; none where the run shows it itself. */
  readonly good: number;
  readonly evaluators: readonly string[];
}

export function describeEvalAdd(report: EvalAddReport): Document {
  const { id, file, known, path } = report;
  return {
    id: "spoor:eval-add",
    subject: [name(id)],
    blocks: [
      {
        kind: "verdict",
        mark: "passed",
        headline: known
          ? say`${name(file)} has this case already, as ${name(id)}`
          : say`Added ${name(id)} to ${name(file)}`,
        detail: meaning(report),
      },
      {
        kind: "closing",
        next: [`spoor score ${shellWord(path)} --evaluators ${shellWord(file)} --case ${shellWord(id)}`],
      },
    ],
    footer: [],
  };
}

function meaning({ trace, fails, good, evaluators }: EvalAddReport): Text {
  const by = ` It asks for ${evaluators.join(" and ")}.`;
  if (fails) return say`It fails ${name(trace)} and passes ${count(good, "run")} of the baseline.${by}`;
  if (good > 0) return say`It passes ${name(trace)}, which does what the baseline does.${by}`;
  return say`It expects what ${name(trace)} itself does: there is no run of a baseline to compare it with.${by}`;
}
