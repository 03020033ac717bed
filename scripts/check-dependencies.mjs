// What an installation of the published packages brings along: which packages, under which licences, how many and how large. A new one, or a
// larger one, is a decision: whoever makes it changes the numbers here and says why. Also holds the lock file to digests.
import { existsSync, lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./ensure-installed.mjs";

const LICENCES = new Set(["MIT", "ISC", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0", "0BSD"]);
const MOST_PACKAGES = 32;
const MOST_MEGABYTES = 20;
const PUBLISHED = ["core", "record", "spoor"];

const lock = JSON.parse(readFileSync(`${root}package-lock.json`, "utf8")).packages;
const problems = [];

const closure = new Set();
for (const name of PUBLISHED) {
  const own = JSON.parse(readFileSync(`${root}packages/${name}/package.json`, "utf8"));
  for (const [dependency, range] of Object.entries({ ...own.dependencies, ...own.optionalDependencies })) {
    if (!/^\d+\.\d+\.\d+$/.test(range))
      problems.push(`packages/${name}: ${dependency} is not named by its exact version`);
    follow(dependency, `packages/${name}`);
  }
  if (own.publishConfig?.provenance !== true) problems.push(`packages/${name}: publishConfig.provenance is not true`);
  for (const script of ["preinstall", "install", "postinstall"])
    if (own.scripts?.[script] !== undefined) problems.push(`packages/${name}: it runs a script when it is installed`);
}

let bytes = 0;
for (const place of closure) {
  const entry = lock[place];
  if (entry.integrity === undefined) problems.push(`${place}: the lock file has no digest of it`);
  if (entry.hasInstallScript) problems.push(`${place}: it runs a script when it is installed`);
  const folder = join(root, place);
  if (!existsSync(folder)) continue;
  const { license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  if (!LICENCES.has(license)) problems.push(`${place}: its licence is ${license}`);
  bytes += sizeOf(folder);
}
const megabytes = Math.ceil(bytes / 1e5) / 10;
if (closure.size > MOST_PACKAGES) problems.push(`${closure.size} packages are installed, ${MOST_PACKAGES} are allowed`);
if (megabytes > MOST_MEGABYTES) problems.push(`they take ${megabytes} MB, ${MOST_MEGABYTES} are allowed`);

// A digest may lack only where the registry at hand has no such package: binaries of other platforms.
for (const [place, entry] of Object.entries(lock)) {
  if (!place.includes("node_modules/") || entry.link) continue;
  if (entry.resolved !== undefined) problems.push(`${place}: the lock file names a registry`);
  if (entry.integrity === undefined && !(entry.optional && (entry.os ?? entry.cpu) !== undefined))
    problems.push(`${place}: the lock file has no digest of it`);
  if (entry.integrity !== undefined && !entry.integrity.startsWith("sha512-"))
    problems.push(`${place}: its digest is not SHA-512`);
}

for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exit(1);
console.log(`${closure.size} packages of others, ${megabytes} MB`);

/** As Node finds a package: beside whoever asks for it, else further up. */
function follow(name, from) {
  for (let folder = from; ; folder = folder.replace(/\/?(node_modules\/)?(@[^/]+\/)?[^/]+$/, "")) {
    const place = `${folder === "" ? "" : `${folder}/`}node_modules/${name}`;
    const entry = lock[place];
    if (entry === undefined && folder !== "") continue;
    if (entry === undefined || entry.link || closure.has(place)) return;
    closure.add(place);
    for (const next of Object.keys({ ...entry.dependencies, ...entry.optionalDependencies })) follow(next, place);
    return;
  }
}

function sizeOf(path) {
  const status = lstatSync(path);
  if (!status.isDirectory()) return status.size;
  return readdirSync(path)
    .filter((name) => name !== "node_modules")
    .reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}
