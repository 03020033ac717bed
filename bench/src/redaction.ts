/** Redaction: its cost on ordinary text, and that no text makes it more than linear. */
import { redactText } from "@spoor/core/internal/redact/redact-records";
import { type Benchmark, type BenchmarkRow, cpuSeconds } from "./benchmark.ts";

const HOSTILE = ["a.", "a@", "eyJ-", "AA11 ", "1 ", "::", "1.", "sk-", "a@a."];

export const redactionBenchmark: Benchmark = {
  name: "redaction",
  promise: "four times the text costs at most eight times the time, however hostile it is",
  async run() {
    const log =
      "2026-01-05T09:00:00Z INFO user 42 opened /orders/1001 from 10.0.0.7 as bob@example.com in 12.5 ms\n".repeat(
        50_000,
      );
    const seconds = await cpuSeconds(() => redactText(log));
    const rows: BenchmarkRow[] = [
      {
        what: "ordinary log lines",
        measured: `${(log.length / 1e6 / seconds).toFixed(0)} MB per CPU second`,
        against: "the same run",
      },
    ];
    let worst = { piece: "", ratio: 0 };
    for (const piece of HOSTILE) {
      const short = await cpuSeconds(() => redactText(piece.repeat(400_000 / piece.length)), 5);
      const long = await cpuSeconds(() => redactText(piece.repeat(1_600_000 / piece.length)), 5);
      const ratio = long / Math.max(short, 1e-4);
      if (ratio > worst.ratio) worst = { piece, ratio };
    }
    rows.push({
      what: `hostile text, worst of ${HOSTILE.length} (${JSON.stringify(worst.piece)} repeated), 1.6 MB`,
      measured: `${worst.ratio.toFixed(1)} times`,
      against: "the same text of 0.4 MB",
      kept: worst.ratio <= 8,
    });
    return rows;
  },
};
