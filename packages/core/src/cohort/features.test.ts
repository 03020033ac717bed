import { describe, expect, it } from "vitest";
import { run } from "../../test/cohort.ts";
import { absentMeans, featureName, runFeatures } from "./features.ts";

const call = (name: string, args?: unknown) => ({ name, ...(args === undefined ? {} : { args: args as never }) });

describe("arguments", () => {
  const features = runFeatures(
    run("s", "baseline", [], { calls: [call("f", { a: "héé", b: [1, 2, 3] }), call("f", { a: -3 })] }),
  );
  const named = Object.fromEntries(
    [...features.args].map(([identity, value]) => [featureName("args", identity), value]),
  );

  it("gives the share of calls that have the key with that type", () => {
    expect(named).toMatchObject({ "f.a:str": 0.5, "f.a:num": 0.5, "f.b:arr": 0.5 });
  });

  it("averages sizes over all calls of the tool, those without the key as 0", () => {
    expect(named["f.a:size"]).toBeCloseTo((Math.log2(4) + Math.log2(4)) / 2, 12);
    expect(named["f.b:size"]).toBeCloseTo(Math.log2(4) / 2, 12);
  });

  it("takes arguments that are not an object as one key with the empty name", () => {
    const { args } = runFeatures(run("s", "baseline", [], { calls: [call("f", "text")] }));
    expect([...args.keys()].map((identity) => featureName("args", identity))).toEqual(["f.:str", "f.:size"]);
  });

  it("keeps a tool with a dot apart from a key with a dot", () => {
    const first = runFeatures(run("s", "baseline", [], { calls: [call("a.b", { c: 1 })] })).args;
    const second = runFeatures(run("s", "baseline", [], { calls: [call("a", { "b.c": 1 })] })).args;
    expect([...first.keys()]).not.toEqual([...second.keys()]);
  });

  it.each(["__proto__", "constructor", "hasOwnProperty"])("counts %s as an ordinary key", (key) => {
    const args = JSON.parse(`{"${key}": 1}`) as never;
    const features = runFeatures(run("s", "baseline", [key], { calls: [{ name: key, args }] }));
    expect(features.args.size).toBe(2);
    expect(features.tools.get(`has:${key}`)).toBe(1);
  });

  it("measures integers beyond 2^53 and texts with half a surrogate pair without failing", () => {
    const features = runFeatures(run("s", "baseline", [], { calls: [call("f", { n: 2n ** 80n, t: "\ud800" })] }));
    const sizes = [...features.args].filter(([identity]) => identity.endsWith(":size")).map(([, size]) => size);
    expect(sizes).toEqual([80, 1]);
  });
});

it("orders tools by code point, whichever was called first", () => {
  const { order } = runFeatures(run("s", "baseline", ["b", "a", "b"]));
  expect([...order].map(([identity, value]) => [featureName("order", identity), value])).toEqual([["a<b", 0]]);
});

it("counts calls that occurred before as repeats, whatever the order of their keys", () => {
  const calls = [call("f", { a: 1, b: 2 }), call("f", { b: 2, a: 1 }), call("f", { a: 1 })];
  expect(runFeatures(run("s", "baseline", [], { calls })).effort.get("repeats")).toBe(Math.log2(2));
});

it.each([
  ["tools", "has:f", "zero"],
  ["order", "a\u0000b", "unknown"],
  ["args", "f\u0000k\u0000:str", "dependent"],
  ["args", "f\u0000k\u0000:size", "unknown"],
  ["effort", "tokens", "unknown"],
  ["effort", "turns", "zero"],
] as const)("in %s, the absence of %s means %s", (group, identity, expected) => {
  expect(absentMeans(group, identity)).toBe(expected);
});
