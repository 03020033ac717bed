/** A real Chromium for the report's tests. `npm test` installs one on Debian as root; elsewhere these suites are skipped and say so. */
import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

export const chromiumPath = [
  process.env["CHROMIUM_PATH"],
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
].find((path) => path !== undefined && existsSync(path));

export function inChromium(name: string): string {
  return chromiumPath === undefined ? `${name} (skipped: no Chromium; set CHROMIUM_PATH)` : name;
}

export function openChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: chromiumPath!,
    timeout: 120_000,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--disable-quic",
    ],
  });
}
