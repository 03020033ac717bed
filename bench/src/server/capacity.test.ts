import { expect, it } from "vitest";
import { capacityTable } from "./capacity.ts";

const file = { ingestMs: { libsql: 1 }, evaluationMs: { libsql: 4 }, bytes: { libsql: { body: 5_000, all: 7_000 } } };

it("plans with the dearer engine, cores half free, bodies of thirty days and figures of a year", () => {
  const table = capacityTable({
    ingestMs: { ...file.ingestMs, postgres: 2 },
    evaluationMs: { ...file.evaluationMs, postgres: 3 },
    bytes: { ...file.bytes, postgres: { body: 6_000, all: 9_000 } },
  });
  // 8.64 million a day are 100 a second; here 10 million, at 6 ms each and twice that in cores.
  expect(table).toContain("| 10,000,000 | 120 | 1.4 | 2.1 TB | 2.7 TB | 7.3 TB | 11 TB |");
  expect(table).toContain("7.0 KB in a file and 9.0 KB in PostgreSQL; 5.0 KB and 6.0 KB of that is the body");
  expect(table).toContain("about 130 recordings a second at half load");
});

it("says what was not measured, and is none without the file", () => {
  expect(capacityTable(file)).toContain("| 100,000 | 1.2 | 0.012 | 21 GB | not measured | 73 GB | not measured |");
  expect(capacityTable({ ...file, bytes: {} })).toBeUndefined();
});
