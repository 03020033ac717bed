/** `npm run bench [-- NAME…]`: every benchmark, or the named ones, as a table of ratios measured in this run. */
import { benchmarks } from "./benchmarks.ts";

const wanted = process.argv.slice(2);
const chosen = wanted.length === 0 ? benchmarks : benchmarks.filter((benchmark) => wanted.includes(benchmark.name));
if (chosen.length === 0) {
  console.error(
    `No benchmark is called ${wanted.join(", ")}. There are: ${benchmarks.map((benchmark) => benchmark.name).join(", ")}`,
  );
  process.exit(2);
}
let broken = 0;
for (const benchmark of chosen) {
  console.log(`\n${benchmark.name}: ${benchmark.promise}`);
  for (const row of await benchmark.run()) {
    const mark = row.kept === undefined ? " " : row.kept ? "kept" : "BROKEN";
    if (row.kept === false) broken++;
    console.log(`  ${mark.padEnd(7)}${row.what}: ${row.measured}, against ${row.against}`);
  }
}
console.log(
  `\n${broken === 0 ? "Every promise was kept in this run." : `${broken} promises were not kept in this run.`}`,
);
