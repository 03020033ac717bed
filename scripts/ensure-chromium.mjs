// The report's tests run in a real Chromium. On Debian as root it is installed when missing; elsewhere those suites are
// skipped and say so.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

const PATHS = [process.env.CHROMIUM_PATH, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

export function ensureChromium() {
  if (PATHS.some((path) => path && existsSync(path))) return;
  const isRoot = process.getuid?.() === 0;
  if (!isRoot || !existsSync("/etc/debian_version")) {
    console.error(
      "Notice: no Chromium found; the tests of the HTML report are skipped. Set CHROMIUM_PATH to run them.",
    );
    return;
  }
  console.error("Installing Chromium for the tests of the HTML report (apt-get) …");
  const apt = (...args) =>
    spawnSync("apt-get", args, { stdio: "ignore", env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } })
      .status === 0;
  const install = () => apt("install", "-y", "--no-install-recommends", "chromium");
  if (!install() && !(apt("update") && install())) {
    console.error("Notice: Chromium could not be installed; the tests of the HTML report are skipped.");
  }
}
