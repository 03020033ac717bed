/** Redaction: its cost on ordinary text, that no text makes it more than linear, and what it finds of a labelled set and takes by mistake. */
import { redactText } from "@spoor/core/internal/redact/redact-records";
import { createRedaction } from "@spoor/core/internal/redact/redaction";
import { type Benchmark, type BenchmarkRow, cpuSeconds } from "./benchmark.ts";
import { coreOf, labelledSecrets, ordinaryIdentifiers, secretPlaces } from "./labelled-secrets.ts";

const HOSTILE = ["a.", "a@", "eyJ-", "AA11 ", "1 ", "::", "1.", "sk-", "a@a."];

export const redactionBenchmark: Benchmark = {
  name: "redaction",
  promise:
    "four times the text costs at most eight times the time, however hostile it is; 95 of 100 labelled secrets are found",
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
    return [...rows, ...labelledRows()];
  },
};

const EACH = 40;
const SHOWN = 20;

/** Set and shapes are by the same hand: this says that the shapes do what they say, on strings that they were not written from. */
function labelledRows(): BenchmarkRow[] {
  const redaction = createRedaction({ personal: false });
  const secrets = labelledSecrets(EACH, 20_261);
  const kinds = new Set(secrets.map(({ vendor }) => vendor)).size;
  const missed = new Map<string, number>();
  let [tried, found] = [0, 0];
  for (const { vendor, value } of secrets)
    for (const place of secretPlaces) {
      tried++;
      if (!redaction.text(place(value)).includes(coreOf(value))) found++;
      else missed.set(vendor, (missed.get(vendor) ?? 0) + 1);
    }
  const identifiers = ordinaryIdentifiers(EACH * 25, 20_262);
  const taken = identifiers.filter((one) => redaction.text(`got ${one} back`) !== `got ${one} back`);
  return [
    {
      what: `labelled secrets of ${kinds} kinds, in ${secretPlaces.length} places`,
      measured: `${found} of ${tried} found (${((100 * found) / tried).toFixed(2)} %)`,
      against: [...missed].map(([vendor, count]) => `${vendor}: ${count} missed`).join(", ") || "none missed",
      kept: found / tried >= 0.95,
    },
    {
      what: "ordinary identifiers",
      measured: `${taken.length} of ${identifiers.length} taken by mistake`,
      against: taken.slice(0, SHOWN).join(", ") || "none",
    },
  ];
}
