/** The words for what a recording lacks, and for why there may be none. */
import type { MissingFromRecording, NothingRecordedCause } from "@spoor/core/internal/capture/record-report";
import type { Text } from "../../document/document.ts";
import { name, say } from "../../document/text.ts";
import { count } from "../../document/words.ts";

export function missingText({ code, count: amount, detail }: MissingFromRecording): Text {
  const more = detail === undefined ? [] : say`: ${name(detail)}`;
  return say`${MISSING[code](amount)}${more}`;
}

const MISSING: Readonly<Record<MissingFromRecording["code"], (amount: number) => string>> = {
  nothing: () => "no run was recorded",
  gap: (amount) => `${count(amount, "stretch", "stretches")} in which nothing could be written`,
  unclosed: (amount) => `${count(amount, "file")} without an end, because the program was ended`,
  not_understood: (amount) => `${count(amount, "call")} of a model that could not be read`,
  unreadable: (amount) => `${count(amount, "body", "bodies")} too large, or packed in an unknown way`,
  unwritable: (amount) => `${count(amount, "record")} that could not be written`,
  file: (amount) => `${count(amount, "file")} of the recording that cannot be read`,
  rootless: (amount) => `which of ${count(amount, "call")} are one run: each came in a trace of its own`,
};

export function causeText(cause: NothingRecordedCause): Text {
  return CAUSES[cause];
}

const CAUSES: Readonly<Record<NothingRecordedCause, Text>> = {
  command_failed: ["The command failed before it asked a model: see what it printed."],
  codex_not_adapted: say`Codex reads no variable: it needs ${name("-c openai_base_url=…")}, which spoor adds when the command begins with codex.`,
  upgrade_refused: ["It asked for a WebSocket, which cannot be recorded, and did not fall back to HTTP."],
  other_paths_only: ["It used the proxy, but for nothing that is known as a call of a model (see below)."],
  no_request: say`Its base URL is fixed in code, or it uses gRPC or an HTTP client that reads no variable: give it ${name("OPENAI_BASE_URL")}, ${name("ANTHROPIC_BASE_URL")} or ${name("GOOGLE_GEMINI_BASE_URL")}, or record from within (${name("@spoor/record/recorder")}).`,
  proxy_off: say`The proxy was off, and only programs that run in Node can be recorded from within: leave out ${name("--proxy off")}.`,
};
