// Exit codes and every stable error code, from the table that types them.
import { code, referencePage, table } from "./reference-page.mjs";

const packages = new URL("../packages/", import.meta.url);

export async function errorReference() {
  const { errorCodes, errorPages } = await import(new URL("core/dist/error-codes.js", packages));
  const pageOf = (name) => errorPages[name.split(".")[0]];
  return referencePage(
    "Exit codes and error codes",
    "What to do with them: [exit codes](../exit-codes.md).",
    "",
    table(["exit code", "meaning"], await exitCodeMeanings()),
    "## Error codes",
    "",
    "The last line of an error ends with one of these. They do not change between releases; the words around them may. Codes that begin",
    "with `provider.` exit with 3, all others with 2; a judge that cannot be reached also ends a run with 3.",
    "",
    table(
      ["code", "meaning", "more"],
      Object.entries(errorCodes)
        .sort(([left], [right]) => (left < right ? -1 : 1))
        .map(([name, meaning]) => [code(name), meaning, `[${pageOf(name)}](${linkTo(pageOf(name))})`]),
    ),
  );
}

/** [number, meaning] of each. */
export async function exitCodeMeanings() {
  const { exitCode } = await import(new URL("spoor/dist/cli/exit-code.js", packages));
  const meanings = {
    ok: "passed, or nothing was asked to block",
    gateTripped: "a gate tripped: the report says what and where",
    couldNotRun: "could not run: usage, configuration, unreadable input, or nothing to evaluate",
    internal: "no verdict: a bug of Spoor's, or a provider that could not be reached",
  };
  return Object.entries(exitCode).map(([name, number]) => [number, meanings[name]]);
}

/** From docs/reference, where the page stands. */
function linkTo(page) {
  return page.startsWith("reference/") ? page.slice("reference/".length) : `../${page}`;
}
