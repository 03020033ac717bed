/**
 * The dashboard as it was built: one page for every address of it, and its script and style under names that change with their content. The page holds no
 * data and no script of its own; what it may do stands in its policy.
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { SpoorError } from "@spoor/core/internal/errors";
import type { Answer } from "./route.ts";

/** The addresses a person sees. Parts in braces are the page's own. */
export const pagePaths = [
  "/",
  "/runs",
  "/runs/{id}",
  "/compare",
  "/behaviours",
  "/cohorts",
  "/policies",
  "/baselines",
  "/settings",
] as const;

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const PAGE_HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": POLICY,
  "x-frame-options": "DENY",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};

const TYPES: Readonly<Record<string, string>> = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
};

interface BuiltFile {
  readonly plain: Uint8Array;
  readonly packed: Uint8Array;
  readonly tag: string;
}

export interface Pages {
  page(asked: AskedFile): Answer;
  asset(name: string, asked: AskedFile): Answer;
}

export interface AskedFile {
  readonly acceptEncoding: string | undefined;
  readonly ifNoneMatch: string | undefined;
}

/** Read when the first of them is asked for, and kept: all of it is smaller than one recording. */
export function createPages(folder: URL = new URL("../../dist/web/", import.meta.url)): Pages {
  let files: ReadonlyMap<string, BuiltFile> | undefined;
  const file = (name: string): BuiltFile => {
    files ??= readBuilt(folder);
    const found = files.get(name);
    if (found === undefined) throw new SpoorError("request.not-found", "There is no such file here.");
    return found;
  };
  return {
    // Asked for again each time: it names the newest script and style.
    page: (asked) => answerOf(file("index.html"), asked, { ...PAGE_HEADERS, "cache-control": "no-cache" }),
    asset: (name, asked) =>
      answerOf(file(`assets/${name}`), asked, {
        "content-type": TYPES[name.split(".").at(-1)!] ?? "application/octet-stream",
        "cache-control": "public, max-age=31536000, immutable",
        "cross-origin-resource-policy": "same-origin",
      }),
  };
}

function readBuilt(folder: URL): ReadonlyMap<string, BuiltFile> {
  try {
    const assets = readdirSync(new URL("assets/", folder)).map((name) => `assets/${name}`);
    return new Map(["index.html", ...assets].map((name) => [name, built(readFileSync(new URL(name, folder)))]));
  } catch (error) {
    throw new SpoorError("request.not-found", "The dashboard was not built.", {
      hint: "npm run build makes it; published packages have it. The API works without it.",
      cause: error,
    });
  }
}

function built(plain: Uint8Array): BuiltFile {
  const tag = `"${createHash("sha256").update(plain).digest("base64url").slice(0, 22)}"`;
  return { plain, packed: gzipSync(plain), tag };
}

function answerOf(file: BuiltFile, asked: AskedFile, given: Readonly<Record<string, string>>): Answer {
  const headers = { ...given, etag: file.tag, vary: "accept-encoding" };
  if (asked.ifNoneMatch === file.tag) return { status: 304, headers };
  return /\bgzip\b/.test(asked.acceptEncoding ?? "")
    ? { status: 200, headers: { ...headers, "content-encoding": "gzip" }, content: file.packed }
    : { status: 200, headers, content: file.plain };
}
