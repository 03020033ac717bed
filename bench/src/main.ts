/**
 * `npm run bench [-- NAME…] [--write] [--peers FOLDER] [--only NAME,…] [--resume FILE]`: every benchmark, or the named ones, as ratios
 * measured in this run. `--write` also puts their tables into bench/README.md, and the capacity of the service into docs/operations.md;
 * `--peers` says where other tools are installed to be measured beside; `--only` measures some rows of `formats` or parts of `calibration`
 * and `server`, which makes no whole table; `--resume` keeps the parts of `calibration` that are done in a file, and goes on with the
 * others when the file is there.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { Benchmark, BenchmarkRow, PublishedTable } from "./benchmark.ts";
import { benchmarks } from "./benchmarks.ts";
import { beginConditions } from "./conditions.ts";
import { putTable, renderTable } from "./tables.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    write: { type: "boolean", default: false },
    peers: { type: "string" },
    only: { type: "string" },
    resume: { type: "string" },
  },
});
if (values.write && values.only !== undefined) {
  console.error("--write puts whole tables into bench/README.md; leave out --only.");
  process.exit(2);
}
const options = {
  ...(values.only === undefined ? {} : { only: values.only.split(",") }),
  ...(values.peers === undefined ? {} : { peers: values.peers }),
  ...(values.resume === undefined ? {} : { resume: values.resume }),
};
let broken = 0;
for (const benchmark of chosenOf(positionals)) {
  console.log(`\n${benchmark.name}: ${benchmark.promise}`);
  const endConditions = beginConditions();
  const published: PublishedTable[] = [];
  const rows = await benchmark.run({ ...options, publish: (table) => published.push(table) });
  for (const row of rows) print(row);
  if (rows.length === 0) console.log("  not run: what it needs is not here");
  // After each, so that a run that is broken off keeps what it measured.
  if (values.write && rows.length > 0) {
    const conditions = endConditions();
    write({ page: "bench/README.md", name: benchmark.name, text: renderTable(benchmark, rows, conditions) });
    for (const table of published) write({ ...table, text: `${table.text}\n\n${conditions}.` });
  }
}
console.log(
  `\n${broken === 0 ? "Every promise was kept in this run." : `${broken} promises were not kept in this run.`}`,
);

function chosenOf(wanted: readonly string[]): readonly Benchmark[] {
  const known = new Set(benchmarks.map(({ name }) => name));
  const unknown = wanted.filter((name) => !known.has(name));
  if (unknown.length > 0) {
    console.error(`No benchmark is called ${unknown.join(", ")}. There are: ${[...known].join(", ")}`);
    process.exit(2);
  }
  return wanted.length === 0 ? benchmarks : benchmarks.filter(({ name }) => wanted.includes(name));
}

function write({ page, name, text }: PublishedTable): void {
  const file = `${root}${page}`;
  writeFileSync(file, putTable(readFileSync(file, "utf8"), name, text));
}

function print(row: BenchmarkRow): void {
  const mark = row.kept === undefined ? " " : row.kept ? "kept" : "BROKEN";
  if (row.kept === false) broken++;
  console.log(`  ${mark.padEnd(7)}${row.what}: ${row.measured}, against ${row.against}`);
}
