import { shellWord } from "../../document/shell-word.ts";
import { type ChoiceArgs, choiceWords } from "../choose-cases.ts";

/** Everything that decides which runs there are is repeated; the rest is a matter of taste. */
export function resumeCommand(args: ResumeArgs, results: string): string {
  const words = [
    ...args.files,
    ...(args.targets === undefined ? [] : ["--targets", args.targets]),
    ...args.target.flatMap((name) => ["--target", name]),
    ...choiceWords(args),
    ...(args.repeat === undefined ? [] : ["--repeat", String(args.repeat)]),
    ...(args.threshold === undefined ? [] : ["--threshold", String(args.threshold)]),
    ...(args.results === undefined ? [] : ["--results", results]),
  ];
  return `spoor eval ${words.map(shellWord).join(" ")} --resume`;
}

export interface ResumeArgs extends ChoiceArgs {
  readonly files: readonly string[];
  readonly targets: string | undefined;
  readonly target: readonly string[];
  readonly repeat: number | undefined;
  readonly threshold: number | undefined;
  readonly results: string | undefined;
}
