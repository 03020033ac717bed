/** The dashboard's files as the service gives them out: to anybody, with a policy that lets nothing in, and kept by browsers as long as they are the same. */
import { gunzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { pagePaths } from "../src/routes/pages.ts";
import { startService } from "./service.ts";

it("every address of the dashboard is the page, which holds no script, no style and no data", async () => {
  const service = await startService();
  for (const path of pagePaths) {
    const { status, headers, text } = await service.ask("GET", path.replaceAll(/\{\w+\}/g, "a%20b"));
    expect([path, status, headers["content-type"]]).toEqual([path, 200, "text/html; charset=utf-8"]);
    expect(text).not.toMatch(/<script(?![^>]*\ssrc=")|<style|\son\w+=|\sstyle=/);
    for (const [, address] of text.matchAll(/(?:src|href)="([^"]*)"/g)) expect(address).toMatch(/^\/assets\/[\w.-]+$/);
    const policy = headers["content-security-policy"]!;
    for (const part of ["default-src 'none'", "script-src 'self'", "connect-src 'self'", "frame-ancestors 'none'"])
      expect(policy).toContain(part);
    expect(policy).not.toMatch(/unsafe|\*|http/);
    expect(headers["x-frame-options"]).toBe("DENY");
  }
});

it("script and style are kept for good under the name of their content, and the page is asked for again", async () => {
  const service = await startService();
  const page = await service.ask("GET", "/");
  expect(page.headers["cache-control"]).toBe("no-cache");
  const same = await service.ask("GET", "/", { headers: { "if-none-match": page.headers.etag! } });
  expect([same.status, same.text]).toEqual([304, ""]);
  const names = [...page.text.matchAll(/"(\/assets\/[^"]*)"/g)].map(([, name]) => name!);
  expect(names.map((name) => name.split(".").at(-1)).sort()).toEqual(["css", "js", "svg"]);
  for (const name of names) {
    const plain = await service.ask("GET", name);
    expect([name, plain.status, plain.headers["cache-control"]]).toEqual([
      name,
      200,
      "public, max-age=31536000, immutable",
    ]);
    expect(plain.headers["x-content-type-options"]).toBe("nosniff");
    const packed = await service.ask("GET", name, { headers: { "accept-encoding": "gzip" } });
    expect(gunzipSync(packed.bytes).equals(plain.bytes)).toBe(true);
    if (name.endsWith(".js")) expect(packed.bytes.length).toBeLessThan(150_000);
  }
});

it("nothing else of the disk is given out, and nothing is written there", async () => {
  const service = await startService();
  for (const path of [
    "/assets/nothing.js",
    "/assets/..%2findex.html",
    "/assets/%2e%2e%2f%2e%2e%2fpackage.json",
    "/page",
  ])
    expect((await service.ask("GET", path)).status).toBe(404);
  expect((await service.ask("POST", "/", { body: "x" })).status).toBe(404);
});
