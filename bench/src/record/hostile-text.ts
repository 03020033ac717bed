/** Redaction of texts that were made to be slow to look through. */
import { defaultPatterns } from "@spoor/core/internal/redact/patterns";
import { createRedaction } from "@spoor/core/internal/redact/redaction";
import { type BenchmarkRow, cpuSeconds } from "../benchmark.ts";

const LENGTH = 100_000;
const PIECES = [
  ...[
    "a.",
    "a@",
    "x@a.a.",
    "eyJ-",
    "AA11 ",
    "1 ",
    "::",
    "1.",
    "sk-",
    "+1",
    "Bearer ",
    "?a=",
    "://a:",
    "password=",
    '{"a":',
    "[",
    "\\",
  ],
  ...["basic dXNl", "&token", "-----BEGIN ", "4111 ", "ghp_a", "AKIA"],
];

export async function hostileRows(): Promise<BenchmarkRow[]> {
  const redaction = createRedaction({ known: new Map([["a secret of the environment", "TOKEN"]]) });
  let worst = { name: "", piece: "", seconds: 0 };
  let whole = { piece: "", seconds: 0 };
  for (const piece of PIECES) {
    const text = piece.repeat(Math.ceil(LENGTH / piece.length)).slice(0, LENGTH);
    for (const { name, replace } of defaultPatterns) {
      const seconds = await perRun(() => replace(text, "[REDACTED]"));
      if (seconds > worst.seconds) worst = { name, piece, seconds };
    }
    const seconds = await perRun(() => redaction.text(text));
    if (seconds > whole.seconds) whole = { piece, seconds };
  }
  return [
    {
      what: `hostile text of 100 KB, the worst of ${defaultPatterns.length} patterns on ${PIECES.length} texts (${worst.name}, ${JSON.stringify(worst.piece)} repeated)`,
      measured: milliseconds(worst.seconds),
      against: "1 ms",
      kept: worst.seconds <= 0.001,
    },
    {
      what: `the same through everything that is redacted (${JSON.stringify(whole.piece)} repeated)`,
      measured: milliseconds(whole.seconds),
      against: "100 KB",
    },
  ];
}

/** A look at 100 KB is short: ten at once. */
async function perRun(work: () => unknown): Promise<number> {
  return (await cpuSeconds(() => times(10, work), 5)) / 10;
}

function milliseconds(seconds: number): string {
  return `${(seconds * 1000).toFixed(2)} ms`;
}

function times(count: number, work: () => unknown): void {
  for (let index = 0; index < count; index++) work();
}
