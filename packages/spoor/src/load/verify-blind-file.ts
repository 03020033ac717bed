/** The hash chain of a content-blind file, checked line by line. */
import type { Json } from "@spoor/core";
import { isBlindHeader } from "@spoor/core/internal/fingerprint/content-blind";
import { type ChainReport, verifyChain } from "@spoor/core/internal/fingerprint/hash-chain";
import { JsonSyntaxError, parseJson } from "@spoor/core/internal/trace/parse-json";
import { openInput } from "./input.ts";
import { forEachLine } from "./lines.ts";
import { badJson } from "./trace-errors.ts";

export interface VerifiedChain {
  readonly report: ChainReport;
  /** Steps the file holds, good or not. */
  readonly steps: number;
  /** Line of the first broken link, from 1; absent when the chain is whole. */
  readonly brokenLine?: number;
}

/** Undefined when the file is not content-blind. A line that is no JSON is an error: a chain has no gaps. */
export async function verifyBlindFile(file: string): Promise<VerifiedChain | undefined> {
  const values: Json[] = [];
  const lines: number[] = [];
  const input = openInput(file, { lenient: false });
  const isBlind = () => isBlindHeader(values[0]);
  await forEachLine(
    file,
    input.chunks,
    (text, line) => {
      if (/^\s*$/.test(text)) return true;
      try {
        values.push(parseJson(text));
      } catch (error) {
        if (!(error instanceof JsonSyntaxError)) throw error;
        if (!isBlind()) return false;
        throw badJson(file, text, error, line, values.length);
      }
      lines.push(line);
      return isBlind();
    },
    (error) => {
      // Bytes that are no text belong to some other format; the ordinary reader judges them.
      if (isBlind()) throw error;
    },
  );
  if (!isBlind()) return undefined;
  const report = verifyChain(values);
  const steps = values.filter((value) => !isBlindHeader(value)).length;
  return report.broken === undefined
    ? { report, steps }
    : { report, steps, brokenLine: lines[report.broken.index] ?? 1 };
}
