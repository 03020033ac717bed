/** A shell script as it is written, before anything in it has a value: statements, words and the parts of words. */

export type Script = readonly Statement[];

export type Statement =
  | {
      readonly kind: "command";
      readonly assignments: readonly Assignment[];
      readonly words: readonly Word[];
      readonly redirects: readonly Redirect[];
    }
  | { readonly kind: "pipeline"; readonly stages: Script }
  /** `( … )` has its own folder and variables, `{ … }` has not. */
  | { readonly kind: "group"; readonly body: Script; readonly isOwn: boolean; readonly redirects: readonly Redirect[] }
  /** What may not run at all: a branch, or all that stands behind `&&` and `||`. */
  | { readonly kind: "branch"; readonly body: Script }
  /** What may run any number of times; `for` gives a variable one word after the other. */
  | {
      readonly kind: "loop";
      readonly body: Script;
      readonly variable?: { readonly name: string; readonly words: readonly Word[] };
    }
  | { readonly kind: "function"; readonly name: Word; readonly body: Script }
  /** `(( … ))`: the variables it sets, and scripts inside it. */
  | { readonly kind: "arithmetic"; readonly sets: readonly string[]; readonly scripts: readonly Script[] };

export interface Assignment {
  readonly name: string;
  /** `X=`, `X+=`, `X[1]=`. */
  readonly mode: "set" | "append" | "element";
  /** One word; the elements where it is a list. */
  readonly values: readonly Word[];
}

export interface Redirect {
  readonly kind: "reads" | "writes" | "text" | "descriptor";
  /** The file, or for `text` (`<<`, `<<<`) what is read. */
  readonly target: Word;
}

export type Word = readonly Part[];

/** A quoted part is never split into several words. */
export type Part =
  | { readonly kind: "text"; readonly text: string; readonly isQuoted: boolean }
  | {
      readonly kind: "variable";
      readonly name: string;
      readonly fallback?: Word;
      /** `${X:=word}` */
      readonly isSet?: true;
      readonly isQuoted: boolean;
    }
  | { readonly kind: "output"; readonly script: Script; readonly isQuoted: boolean }
  /** `<( … )`: a file with what the script prints. */
  | { readonly kind: "process"; readonly script: Script }
  /** One word for each: `{a,b}`. A single one is only held together. */
  | { readonly kind: "alternatives"; readonly words: readonly Word[] }
  /** Something that only the shell can work out; scripts inside it run, and variables it sets change, all the same. */
  | {
      readonly kind: "unknown";
      readonly scripts: readonly Script[];
      readonly sets?: readonly string[];
      readonly isQuoted: boolean;
    };

/** A script that no shell would take, or that goes beyond what is understood here. */
export class ShellSyntaxError extends Error {
  override readonly name = "ShellSyntaxError";
  readonly at: number;

  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}
