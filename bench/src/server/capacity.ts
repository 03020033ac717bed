/** How much a machine holds, worked out from what this run measured: the table of docs/operations.md. */
import type { ServerFigures } from "./server-figures.ts";

const DAY_S = 86_400;
const KEPT_DAYS = 30;
const YEAR_DAYS = 365;
/** Cores are planned half free. */
const LOAD = 0.5;
const A_DAY = [100_000, 1_000_000, 10_000_000];

/** Undefined where the file was not measured as a whole. */
export function capacityTable({ ingestMs, evaluationMs, bytes }: ServerFigures): string | undefined {
  const [taking, evaluating, file, database] = [ingestMs.libsql, evaluationMs.libsql, bytes.libsql, bytes.postgres];
  if (taking === undefined || evaluating === undefined || file === undefined) return undefined;
  const takingMost = Math.max(taking, ingestMs.postgres ?? 0);
  const evaluatingMost = Math.max(evaluating, evaluationMs.postgres ?? 0);
  const eachMs = takingMost + evaluatingMost;
  const months = (size: { readonly body: number; readonly all: number } | undefined, count: number) =>
    size === undefined ? "not measured" : sized(size.all * count * KEPT_DAYS);
  const years = (size: { readonly body: number; readonly all: number } | undefined, count: number) =>
    size === undefined ? "not measured" : sized((size.all - size.body) * count * YEAR_DAYS);
  const rows = A_DAY.map((count) => {
    const aSecond = count / DAY_S;
    const cores = (aSecond * eachMs) / 1000 / LOAD;
    const cells = [
      count.toLocaleString("en"),
      rounded(aSecond),
      rounded(cores),
      months(file, count),
      months(database, count),
      years(file, count),
      years(database, count),
    ];
    return `| ${cells.join(" | ")} |`;
  });
  const inDatabase = database === undefined ? "" : ` and ${kilobytes(database.all)} in PostgreSQL`;
  const bodyThere = database === undefined ? "" : ` and ${kilobytes(database.body)}`;
  return [
    `Processor time to take a recording: ${takingMost.toFixed(2)} ms. To evaluate it under twelve rules: ${evaluatingMost.toFixed(2)} ms. On the disk a run takes`,
    `${kilobytes(file.all)} in a file${inDatabase}; ${kilobytes(file.body)}${bodyThere} of that is the body, which goes after ${KEPT_DAYS} days. The rest stays. Cores are planned half free.`,
    "",
    `| recordings a day | a second, on average | cores | ${KEPT_DAYS} days in a file | ${KEPT_DAYS} days in PostgreSQL | each year after, file | each year after, PostgreSQL |`,
    "|---|---|---|---|---|---|---|",
    ...rows,
    "",
    `One service on a file evaluates on one core: about ${rounded((1000 / evaluating) * LOAD)} recordings a second at half load.`,
  ].join("\n");
}

/** Two digits that count. */
function rounded(value: number): string {
  return Number(value.toPrecision(2)).toLocaleString("en", { maximumFractionDigits: 3 });
}

function kilobytes(value: number): string {
  return `${(value / 1000).toFixed(1)} KB`;
}

function sized(value: number): string {
  return value < 1e12 ? `${rounded(value / 1e9)} GB` : `${rounded(value / 1e12)} TB`;
}
