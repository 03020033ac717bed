/**
 * What a browser gets for a token: a cookie that scripts cannot read, signed with the token's own hash. It needs no table, holds in every process
 * over one store, and ends with the token.
 */
import { createHmac, timingSafeEqual } from "node:crypto";

/** The prefix binds it to this host and to HTTPS; browsers count loopback addresses as safe. */
export const SESSION_COOKIE = "__Host-spoor";
export const SESSION_MS = 12 * 60 * 60 * 1000;

export function createSession(prefix: string, hash: Uint8Array, now: number): string {
  const said = `${prefix}.${(now + SESSION_MS).toString(36)}`;
  return `${said}.${signature(said, hash)}`;
}

export interface Session {
  readonly prefix: string;
  readonly isSignedWith: (hash: Uint8Array) => boolean;
}

/** Undefined when it is none, or over. Whether it is genuine only the token's hash says. */
export function parseSession(value: string, now: number): Session | undefined {
  const [, prefix, until, sign] = /^(spoor_[a-z-]+_[0-9A-Za-z]+)\.([0-9a-z]{1,12})\.([\w-]{43})$/.exec(value) ?? [];
  if (prefix === undefined || until === undefined || sign === undefined) return undefined;
  if (Number.parseInt(until, 36) <= now) return undefined;
  const isSignedWith = (hash: Uint8Array) =>
    timingSafeEqual(Buffer.from(sign), Buffer.from(signature(`${prefix}.${until}`, hash)));
  return { prefix, isSignedWith };
}

export function sessionCookie(value: string): string {
  const seconds = value === "" ? 0 : SESSION_MS / 1000;
  return `${SESSION_COOKIE}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; Secure; SameSite=Strict`;
}

export function sessionOf(cookies: string | undefined): string | undefined {
  for (const part of (cookies ?? "").split(";")) {
    const [name, value] = part.split("=", 2);
    if (name?.trim() === SESSION_COOKIE && value !== undefined) return value.trim();
  }
  return undefined;
}

function signature(said: string, hash: Uint8Array): string {
  return createHmac("sha256", hash).update(`spoor session\n${said}`).digest("base64url");
}
