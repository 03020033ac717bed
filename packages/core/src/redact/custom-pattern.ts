import { RE2JS, RE2JSException } from "re2js";
import { SpoorError } from "../errors.ts";
import type { RedactionPattern } from "./patterns.ts";

/** A user's own pattern: a name for the placeholder and an expression in RE2 syntax. */
export interface CustomPattern {
  readonly name: string;
  readonly pattern: string;
}

/** User expressions run on RE2, whose time is linear in the text; it knows no lookaround and no back-references. */
export function compileCustomPattern({ name, pattern }: CustomPattern): RedactionPattern {
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(name)) {
    throw new SpoorError("redact.bad_name", `"${name}" cannot name a redaction pattern.`, {
      hint: "Use letters, digits, _ and -, at most 64.",
    });
  }
  const compiled = compile(name, pattern);
  if (compiled.matcher("").find()) {
    throw new SpoorError(
      "redact.bad_pattern",
      `The redaction pattern ${name} matches the empty text, so it would match everywhere.`,
      {
        hint: "Use + where it says *.",
      },
    );
  }
  return {
    name,
    replace: (text, replacement) => compiled.matcher(text).replaceAll(RE2JS.quoteReplacement(replacement)),
  };
}

function compile(name: string, pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    throw new SpoorError("redact.bad_pattern", `The redaction pattern ${name} is not valid: ${error.message}.`, {
      hint: "Patterns are RE2 syntax: no lookaround, no back-references.",
      cause: error,
    });
  }
}
