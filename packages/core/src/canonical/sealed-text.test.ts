import { describe, expect, it } from "vitest";
import { sealText, unsealText } from "./sealed-text.ts";

const json = '{"a":[1,"x"],"b":{"c":null}}';

describe("a sealed text", () => {
  it("is JSON, and gives back what was sealed", () => {
    const sealed = sealText(json);
    expect(JSON.parse(sealed)).toMatchObject(JSON.parse(json));
    expect(unsealText(sealed)).toBe(json);
  });

  it.each([
    ["cut short", (text: string) => text.slice(0, -1)],
    ["with a value changed", (text: string) => text.replace("1", "2")],
    ["with a member gone", (text: string) => text.replace('"b":{"c":null},', "")],
    ["with a member twice", (text: string) => text.replace("{", '{"a":0,')],
    ["formatted anew", (text: string) => JSON.stringify(JSON.parse(text), undefined, 1)],
    ["with a line break after it", (text: string) => `${text}\n`],
    ["without its seal", () => json],
    ["with the seal of another", () => sealText('{"a":2}').replace("2", "1")],
  ])("%s is none", (_, damage) => {
    expect(unsealText(damage(sealText(json)))).toBeUndefined();
  });
});
