import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { listFixtures, readSample } from "../../test/fixtures.ts";
import { formats, rankFormats } from "./formats.ts";

const fixtures = listFixtures();

describe("recognition by content", () => {
  it.each(formats.map((format) => ({ name: format.name })))("there is a sample of $name", ({ name }) => {
    expect(fixtures.filter((fixture) => fixture.format === name)).not.toEqual([]);
  });

  it.each(fixtures)("$name is $format and nothing else", ({ format, path }) => {
    const [first, second] = rankFormats(readSample(readFileSync(path)));
    expect(first!.format.name).toBe(format);
    expect(first!.recognition.score).toBeGreaterThanOrEqual(0.5);
    expect(second!.recognition.score).toBeLessThan(first!.recognition.score);
  });

  it.each([
    { name: "an object of nobody", value: { hello: "world" } },
    { name: "a number", value: 7 },
    { name: "null", value: null },
    { name: "an empty list", value: [] },
    { name: "an empty object", value: {} },
    { name: "a chart", value: { data: { messages: 3 }, type: "chart" } },
    { name: "messages that are numbers", value: { messages: [1, 2, 3] } },
  ])("$name is no trace", ({ value }) => {
    const [first] = rankFormats({ document: value, lines: [value] });
    expect(first!.recognition.score).toBeLessThan(0.5);
  });
});
