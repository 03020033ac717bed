import { SpoorError } from "../errors.ts";
import { compilePattern, type Pattern } from "../text/pattern.ts";
import type { RedactionPattern } from "./patterns.ts";

/** A user's own pattern: a name for the placeholder and an expression in RE2 syntax. */
export interface CustomPattern {
  readonly name: string;
  readonly pattern: string;
}

export function compileCustomPattern({ name, pattern }: CustomPattern): RedactionPattern {
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(name)) {
    throw new SpoorError("redact.bad-name", `"${name}" cannot name a redaction pattern.`, {
      hint: "Use letters, digits, _ and -, at most 64.",
    });
  }
  const compiled = compile(name, pattern);
  if (compiled.test("")) {
    throw new SpoorError(
      "redact.bad-pattern",
      `The redaction pattern ${name} matches the empty text, so it would match everywhere.`,
      {
        hint: "Use + where it says *.",
      },
    );
  }
  return {
    name,
    replace: (text, replacement) => compiled.replaceAll(text, replacement),
  };
}

function compile(name: string, pattern: string): Pattern {
  const compiled = compilePattern(pattern);
  if (typeof compiled !== "string") return compiled;
  throw new SpoorError("redact.bad-pattern", `The redaction pattern ${name} is not valid: ${compiled}.`, {
    hint: "Patterns are RE2 syntax: no lookaround, no back-references.",
  });
}
