import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { readTraceFile } from "./read-trace-file.ts";
import { recogniseDocument } from "./recognise-document.ts";

const fixtures = fileURLToPath(new URL("../../test/fixtures/", import.meta.url));
const files = readdirSync(fixtures, { recursive: true, encoding: "utf8" })
  .map((name) => join(fixtures, name))
  .filter((file) => statSync(file).isFile());

describe("a document that is only recognised", () => {
  it("is of the format in which every fixture is read, or is left to the reader", async () => {
    let recognised = 0;
    for (const file of files) {
      const bytes = readFileSync(file);
      const found = recogniseDocument(file, bytes);
      if (found === undefined) continue;
      recognised++;
      expect((await readTraceFile(file, { bytes })).format, file).toBe(found);
    }
    expect(recognised).toBeGreaterThan(20);
  });

  it.each(["", "hello", '{"a":1}', '{"messages": [', '{"a":1}\n{"a":2}\n', "\u0000{}", "[".repeat(5000)])(
    "is left to the reader when it is %j",
    (text) => {
      expect(recogniseDocument("x", Buffer.from(text))).toBeUndefined();
    },
  );
});
