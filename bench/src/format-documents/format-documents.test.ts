import { buildTrace, type Json } from "@spoor/core";
import { documentSample, formatNamed, formatOf, linesSample } from "spoor/internal/formats/choose-format";
import { formats } from "spoor/internal/formats/formats";
import { describe, expect, it } from "vitest";
import { databaseOf, importDocument } from "../formats.ts";
import { formatDocuments, notMeasured, writeDocument } from "./format-documents.ts";

const TURNS = 20;

it("every format has a document, or a reason why it has none", () => {
  const documented = new Set(formatDocuments.map(({ format }) => format));
  expect([...documented, ...Object.keys(notMeasured)].sort()).toEqual(formats.map(({ name }) => name).sort());
});

describe.each(formatDocuments.map((document) => ({ ...document, document })))(
  "$format $shape",
  ({ format, document }) => {
    const written = writeDocument(document, TURNS);
    const values = written.texts.map((text) => JSON.parse(text) as Json);

    it("is recognised as what it is", () => {
      const sample =
        document.table !== undefined
          ? { bytes: new Uint8Array(), tables: databaseOf(document.table, written).tables }
          : document.isLines
            ? linesSample(values)
            : documentSample(values[0]!);
      expect(formatOf(sample)?.name).toBe(format);
    });

    it("tells the whole run", () => {
      const traces = importDocument(formatNamed(format), document, written).map(({ records }) => buildTrace(records));
      const calls = traces.flatMap((trace) => trace.toolCalls);
      expect(calls.map((call) => JSON.stringify(call.input)).filter((input) => /step[- ]\d/.test(input))).toHaveLength(
        TURNS,
      );
      // Logs of requests do not see what became of the last call of a conversation; a guard keeps no results.
      const answered = calls.filter((call) => JSON.stringify(call.output ?? "").length > 2000).length;
      const unseen =
        document.shape === "requests that repeat the history" || format === "bedrock-log" ? traces.length : 0;
      expect(answered).toBe(format === "decision-log" ? 0 : TURNS - unseen);
    });
  },
);
