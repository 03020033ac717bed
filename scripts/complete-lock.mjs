// Completes package-lock.json after `npm install`: a registry mirror that carries only this platform's binaries makes npm
// leave the other platforms' optional packages out of the lock file, and `npm ci` then refuses it everywhere. Each missing
// one is entered with its exact version and the platform its name states; npm skips it wherever it does not fit.
import { readFileSync, writeFileSync } from "node:fs";
import { root } from "./ensure-installed.mjs";

const OS = ["android", "darwin", "freebsd", "linux", "netbsd", "openbsd", "openharmony", "sunos", "aix", "win32"];
const CPU = ["arm64", "x64", "arm", "ia32", "riscv64", "s390x", "ppc64", "loong64", "mips64el", "wasm32"];

const file = `${root}package-lock.json`;
const lock = JSON.parse(readFileSync(file, "utf8"));
let added = 0;
for (const [path, entry] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    const inside = `${path}/node_modules/${name}`;
    const hoisted = `node_modules/${name}`;
    if (lock.packages[inside] !== undefined || lock.packages[hoisted]?.version === version.replace(/^[~^]/, ""))
      continue;
    const place = lock.packages[hoisted] === undefined ? hoisted : inside;
    // The lowest version of a range always satisfies it.
    lock.packages[place] = {
      version: version.replace(/^[~^]/, ""),
      ...platformOf(name),
      ...(entry.dev ? { dev: true } : {}),
      optional: true,
    };
    added++;
  }
}
if (added > 0 && process.argv.includes("--check")) {
  console.error(`package-lock.json lacks ${added} packages of other platforms. Run: node scripts/complete-lock.mjs`);
  process.exit(1);
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([left], [right]) => (left < right ? -1 : 1)));
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
console.log(added === 0 ? "package-lock.json is complete." : `${added} packages of other platforms entered.`);

function platformOf(name) {
  const words = name.split(/[/-]/);
  const os = OS.filter((word) => words.includes(word) || (word === "darwin" && name === "fsevents"));
  const cpu = CPU.filter((word) => words.includes(word));
  const libc = words.includes("musl") ? ["musl"] : words.includes("gnu") && os.includes("linux") ? ["glibc"] : [];
  return { ...(os.length > 0 ? { os } : {}), ...(cpu.length > 0 ? { cpu } : {}), ...(libc.length > 0 ? { libc } : {}) };
}
