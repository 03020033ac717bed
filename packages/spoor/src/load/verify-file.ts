/** Streams a file through the verifier: an agent log of any size in constant memory per record. */
import { SpoorError } from "@spoor/core/internal/errors";
import { JsonSyntaxError, parseJson } from "@spoor/core/internal/trace/parse-json";
import { present } from "@spoor/core/internal/trace/present";
import { createRecordVerifier, type RecordVerifier } from "@spoor/core/internal/verify/verify-records";
import { shellWord } from "../document/shell-word.ts";
import { agentlog, parseRecord } from "../formats/agentlog.ts";
import type { ReadContext } from "../formats/format.ts";
import { openInput } from "./input.ts";
import { forEachLine } from "./lines.ts";
import { badJson } from "./trace-errors.ts";

export interface VerifiedFile {
  readonly verifier: RecordVerifier;
  readonly skippedLines: number;
  readonly truncated: boolean;
}

/** Undefined when the content is not an agent log; such files have no ids to check. */
export async function verifyFile(file: string, options: { lenient: boolean }): Promise<VerifiedFile | undefined> {
  const input = openInput(file, options);
  const verifier = createRecordVerifier();
  let isAgentlog: boolean | undefined;
  let skippedLines = 0;
  const reject = (error: SpoorError) => {
    if (!options.lenient) throw error;
    skippedLines++;
  };
  const context: ReadContext = {
    file,
    lenient: options.lenient,
    fail(message, at) {
      throw new SpoorError("trace.bad-record", `${file}:${at?.line ?? 1} ${message}.`, { at: { file, ...at } });
    },
  };
  await forEachLine(
    file,
    input.chunks,
    (text, line, ended) => {
      if (/^\s*$/.test(text)) return true;
      try {
        const value = parseJson(text);
        isAgentlog ??= agentlog.recognise({ lines: [value] }).score >= 0.5;
        if (!isAgentlog) return false;
        verifier.add(parseRecord(value, line, context), line);
      } catch (error) {
        if (error instanceof JsonSyntaxError) {
          // A document over many lines is no agent log; let the ordinary reader judge it.
          if (isAgentlog === undefined) return false;
          const bad = badJson(file, text, error, line, verifier.records());
          reject(ended ? bad : withHint(bad, `To cut it off: spoor verify --repair ${shellWord(file)}`));
        } else if (error instanceof SpoorError) reject(error);
        else throw error;
      }
      return true;
    },
    (error) => {
      if (isAgentlog !== undefined) reject(error);
    },
  );
  return isAgentlog ? { verifier, skippedLines, truncated: input.truncated() } : undefined;
}

function withHint(
  { code, message, at, excerpt, excerptNote, consequence, cause }: SpoorError,
  hint: string,
): SpoorError {
  return new SpoorError(code, message, { ...present({ at, excerpt, excerptNote, consequence, cause }), hint });
}
