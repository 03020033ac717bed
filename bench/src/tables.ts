/**
 * The tables of bench/README.md. Each stands between two comments that name its benchmark and is replaced as a whole when that one is
 * run with --write; what stands around it is written by people and stays.
 */
import type { Benchmark, BenchmarkRow } from "./benchmark.ts";

export function renderTable(benchmark: Benchmark, rows: readonly BenchmarkRow[], conditions: string): string {
  const lines = rows.map((row) => {
    const cells = [row.what, row.kept === false ? `**${row.measured}**` : row.measured, row.against, markOf(row)];
    return `| ${cells.map(escapeCell).join(" | ")} |`;
  });
  return [
    `Promised: ${benchmark.promise}.`,
    "",
    "| what | measured | against | promise |",
    "|---|---|---|---|",
    ...lines,
    "",
    `${conditions}.`,
  ].join("\n");
}

/** The page with the table of a benchmark exchanged; one that has none yet gets a section at the end. */
export function putTable(page: string, name: string, table: string): string {
  const [begin, end] = [`<!-- bench:${name} -->`, `<!-- /bench:${name} -->`];
  const whole = `${begin}\n${table}\n${end}`;
  const from = page.indexOf(begin);
  if (from < 0) return `${page.trimEnd()}\n\n## ${name}\n\n${whole}\n`;
  const to = page.indexOf(end, from);
  if (to < 0) throw new Error(`bench/README.md has ${begin} without ${end}; put it after the table.`);
  return page.slice(0, from) + whole + page.slice(to + end.length);
}

function markOf(row: BenchmarkRow): string {
  if (row.kept === undefined) return "–";
  return row.kept ? "kept" : "**broken**";
}

function escapeCell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}
