import { describe, expect, it } from "vitest";
import { isLoopback, requireOwnMachine, requireOwnPage } from "./own-machine.ts";

it.each([
  ["127.0.0.1", true],
  ["127.9.8.7", true],
  ["localhost", true],
  ["LocalHost", true],
  ["::1", true],
  ["0.0.0.0", false],
  ["::", false],
  ["10.0.0.1", false],
  ["128.0.0.1", false],
  ["127.0.0.1.evil.example", false],
  ["localhost.evil.example", false],
  ["::ffff:10.0.0.1", false],
])("listening on %s is for this machine alone: %s", (host, expected) => {
  expect(isLoopback(host)).toBe(expected);
});

describe("a request without a token", () => {
  it.each(["127.0.0.1:4319", "localhost:4319", "[::1]:4319", "localhost", "127.0.0.1"])(
    "is for this machine: Host %s",
    (host) => {
      expect(() => requireOwnMachine(host)).not.toThrow();
    },
  );

  it.each([
    undefined,
    "",
    "evil.example",
    "evil.example:4319",
    "127.0.0.1.evil.example",
    "127.0.0.1@evil.example",
    "localhost evil.example",
    "[::1].evil.example",
    "192.168.0.7:4319",
    "127.0.0.1:4319:80",
    "0x7f000001",
    "2130706433",
  ])("is refused: Host %s", (host) => {
    expect(() => requireOwnMachine(host)).toThrow(expect.objectContaining({ code: "auth.host" }));
  });
});

describe("a write", () => {
  const own = { origin: "http://127.0.0.1:4319", host: "127.0.0.1:4319", site: "same-origin", marked: true };
  const bare = { origin: undefined, host: "127.0.0.1:4319", site: undefined, marked: false };

  it("of a program that is no browser needs neither Origin nor mark, without a cookie", () => {
    expect(() => requireOwnPage(bare, false)).not.toThrow();
    expect(() => requireOwnPage(own, true)).not.toThrow();
  });

  it.each([
    ["of a page elsewhere", { ...own, origin: "https://evil.example" }],
    ["of a page elsewhere that marks it", { ...own, origin: "http://127.0.0.1:8080" }],
    ["of a page without an origin", { ...own, origin: "null" }],
    ["without the mark", { ...own, marked: false }],
    ["whose browser says that it crosses sites", { ...bare, site: "cross-site" }],
    ["whose browser says that it is of a neighbour", { ...bare, site: "same-site" }],
    ["with a path in its origin", { ...own, origin: "http://127.0.0.1:4319/x" }],
  ])("%s is refused", (_, headers) => {
    expect(() => requireOwnPage(headers, false)).toThrow(expect.objectContaining({ code: "auth.origin" }));
  });

  it("with a cookie needs an Origin", () => {
    expect(() => requireOwnPage(bare, true)).toThrow(expect.objectContaining({ code: "auth.origin" }));
  });
});
