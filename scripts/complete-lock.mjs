// Completes package-lock.json after `npm install`: a registry that carries only this platform's binaries makes npm leave the
// other platforms' optional packages out of the lock file, and `npm ci` then refuses it everywhere. Each missing one is
// entered with its exact version and what the registry says about it: integrity and platform. Where the registry does not
// have it, the platform is the one its name states, and it stays without integrity until a run with a fuller registry fills
// it in; npm skips it wherever it does not fit.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { root } from "./ensure-installed.mjs";

const OS = ["android", "darwin", "freebsd", "linux", "netbsd", "openbsd", "openharmony", "sunos", "aix", "win32"];
const CPU = ["arm64", "x64", "arm", "ia32", "riscv64", "s390x", "ppc64", "loong64", "mips64el", "wasm32"];

const file = `${root}package-lock.json`;
const lock = JSON.parse(readFileSync(file, "utf8"));
const missing = [];
for (const [path, entry] of Object.entries(lock.packages)) {
  for (const [name, range] of Object.entries(entry.optionalDependencies ?? {})) {
    // The lowest version of a range always satisfies it.
    const version = range.replace(/^[~^]/, "");
    const inside = `${path}/node_modules/${name}`;
    const hoisted = `node_modules/${name}`;
    if (lock.packages[inside] !== undefined || lock.packages[hoisted]?.version === version) continue;
    const place = lock.packages[hoisted] === undefined ? hoisted : inside;
    lock.packages[place] = { version, ...platformOf(name), ...(entry.dev ? { dev: true } : {}), optional: true };
    missing.push(place);
  }
}
if (process.argv.includes("--check")) {
  if (missing.length === 0) process.exit(0);
  console.error(`package-lock.json lacks ${missing.join(", ")}. Run: node scripts/complete-lock.mjs`);
  process.exit(1);
}

let without = 0;
for (const [path, entry] of Object.entries(lock.packages)) {
  if (!path.includes("node_modules/") || entry.link || entry.integrity !== undefined) continue;
  const facts = askRegistry(path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length), entry.version);
  if (facts === undefined) without++;
  else Object.assign(entry, facts);
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([left], [right]) => (left < right ? -1 : 1)));
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
console.log(
  `${missing.length} packages of other platforms entered; ${without} have no integrity: the registry lacks them.`,
);

/** What the registry says about one version; undefined where it does not have it. */
function askRegistry(name, version) {
  const asked = spawnSync("npm", ["view", `${name}@${version}`, "dist.integrity", "os", "cpu", "libc", "--json"], {
    encoding: "utf8",
  });
  if (asked.status !== 0 || asked.stdout.trim() === "") return undefined;
  const answer = JSON.parse(asked.stdout);
  // A single fact comes bare, several as an object.
  const { "dist.integrity": integrity, ...platform } =
    typeof answer === "string" ? { "dist.integrity": answer } : answer;
  return integrity === undefined ? undefined : { integrity, ...platform };
}

function platformOf(name) {
  const words = name.split(/[/-]/);
  const os = OS.filter((word) => words.includes(word) || (word === "darwin" && name === "fsevents"));
  const cpu = CPU.filter((word) => words.includes(word));
  const libc = words.includes("musl") ? ["musl"] : words.includes("gnu") && os.includes("linux") ? ["glibc"] : [];
  return { ...(os.length > 0 ? { os } : {}), ...(cpu.length > 0 ? { cpu } : {}), ...(libc.length > 0 ? { libc } : {}) };
}
