import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createToken, hashToken, isToken, prefixOf } from "./token.ts";

/** Bytes 0, 1, 2 …: what they become can be counted on one's fingers. */
const counting = (size: number) => Uint8Array.from({ length: size }, (_, index) => index);

describe("a token", () => {
  it("says what it opens, and ends in the checksum of the rest", () => {
    const token = createToken(["ingest"], counting);
    expect(token).toMatch(/^spoor_ingest_0123456789ABCDEFGHIJKL_[0-9A-Za-z]{6}$/);
    expect(isToken(token)).toBe(true);
  });

  it("names several scopes in one order, whoever asks for them", () => {
    expect(createToken(["admin", "ingest"], counting)).toMatch(/^spoor_ingest-admin_/);
  });

  it("leaves bytes out that would make some digits likelier", () => {
    let call = 0;
    const skewed = (size: number) => (call++ === 0 ? new Uint8Array(size).fill(255) : counting(size));
    expect(createToken(["read"], skewed)).toBe(createToken(["read"], counting));
  });

  it("is never the same twice", () => {
    expect(new Set(Array.from({ length: 100 }, () => createToken(["read"]))).size).toBe(100);
  });

  it.each([
    ["a digit changed", (token: string) => token.replace("5", "6")],
    ["two digits exchanged", (token: string) => token.replace("45", "54")],
    ["another scope", (token: string) => token.replace("ingest", "admin")],
    ["the checksum missing", (token: string) => token.slice(0, -7)],
    ["a line break after it", (token: string) => `${token}\n`],
    ["nothing", () => ""],
    ["a token of somebody else", () => "ghp_0123456789abcdefghijABCDEFGHIJ012345"],
  ])("is none with %s", (_, change) => {
    expect(isToken(change(createToken(["ingest"], counting)))).toBe(false);
  });

  it("is found by its first words and six digits, and kept as a plain digest", () => {
    const token = createToken(["ingest", "read"], counting);
    expect(prefixOf(token)).toBe("spoor_ingest-read_012345");
    expect(Buffer.from(hashToken(token)).equals(createHash("sha256").update(token).digest())).toBe(true);
  });
});
