/**
 * Commands of ours are written `spoor show …` wherever they are made, and printed as the reader would type them. Where nobody
 * knows how the reader starts the tool (a page, a comment), `npx spoor` works in every project that has it.
 */
export const ANYWHERE = "npx spoor";

/** A whole command, as it is typed with `program`. */
export function typedCommand(command: string, program: string): string {
  return command.replace(/^(?:npx )?spoor(?= |$)/, () => program);
}

/** The commands inside a sentence: `spoor` followed by the name of a command. */
export function typedCommands(sentence: string, program: string): string {
  return sentence.replace(/(?<![\w./@-])(?:npx )?spoor(?= [a-z]+\b)/g, () => program);
}
