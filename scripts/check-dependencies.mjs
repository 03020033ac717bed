// What an installation of the published packages brings along: which packages, under which licences, how many and how large. A new one, or a
// larger one, is a decision: whoever makes it changes the numbers here and says why. Also holds the lock file to digests.
import { existsSync, lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./ensure-installed.mjs";

const LICENCES = new Set(["MIT", "ISC", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0", "0BSD"]);
/** What may be installed: the tool, and beside it, only for who runs the service, its database drivers and HTTP. */
const BUDGETS = [
  { published: ["core", "record", "spoor"], packages: 32, megabytes: 20 },
  { published: ["core", "record", "spoor", "server"], packages: 64, megabytes: 42 },
];

const lock = JSON.parse(readFileSync(`${root}package-lock.json`, "utf8")).packages;
const problems = [];

for (const { published, packages, megabytes: allowed } of BUDGETS) {
  const closure = new Set();
  for (const name of published) followOwn(name, closure);
  let bytes = 0;
  for (const place of closure) bytes += inspect(place);
  const megabytes = Math.ceil(bytes / 1e5) / 10;
  const who = published.at(-1);
  if (closure.size > packages) problems.push(`${who}: ${closure.size} packages are installed, ${packages} are allowed`);
  if (megabytes > allowed) problems.push(`${who}: they take ${megabytes} MB, ${allowed} are allowed`);
  console.log(`${who}: ${closure.size} packages of others, ${megabytes} MB`);
}

// A digest may lack only where the registry at hand has no such package: binaries of other platforms.
for (const [place, entry] of Object.entries(lock)) {
  if (!place.includes("node_modules/") || entry.link) continue;
  if (entry.resolved !== undefined) problems.push(`${place}: the lock file names a registry`);
  if (entry.integrity === undefined && !isElsewhere(entry))
    problems.push(`${place}: the lock file has no digest of it`);
  if (entry.integrity !== undefined && !entry.integrity.startsWith("sha512-"))
    problems.push(`${place}: its digest is not SHA-512`);
}

for (const problem of new Set(problems)) console.error(problem);
if (problems.length > 0) process.exit(1);

function followOwn(name, closure) {
  const own = JSON.parse(readFileSync(`${root}packages/${name}/package.json`, "utf8"));
  for (const [dependency, range] of Object.entries({ ...own.dependencies, ...own.optionalDependencies })) {
    if (!/^\d+\.\d+\.\d+$/.test(range))
      problems.push(`packages/${name}: ${dependency} is not named by its exact version`);
    follow(dependency, `packages/${name}`, closure);
  }
  if (own.publishConfig?.provenance !== true) problems.push(`packages/${name}: publishConfig.provenance is not true`);
  for (const script of ["preinstall", "install", "postinstall"])
    if (own.scripts?.[script] !== undefined) problems.push(`packages/${name}: it runs a script when it is installed`);
}

/** Its licence, its digest, its scripts; and how many bytes it takes here. */
function inspect(place) {
  const entry = lock[place];
  if (entry.integrity === undefined && !isElsewhere(entry))
    problems.push(`${place}: the lock file has no digest of it`);
  if (entry.hasInstallScript) problems.push(`${place}: it runs a script when it is installed`);
  const folder = join(root, place);
  if (!existsSync(folder)) return 0;
  const { license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  // "(MIT OR CC0-1.0)" lets us choose.
  const offered = license.replace(/^\((.*)\)$/, "$1").split(" OR ");
  if (!offered.some((one) => LICENCES.has(one))) problems.push(`${place}: its licence is ${license}`);
  return sizeOf(folder);
}

/** A binary of one platform: the registry at hand may have none of the others. */
function isElsewhere(entry) {
  return entry.optional && (entry.os ?? entry.cpu) !== undefined;
}

/** As Node finds a package: beside whoever asks for it, else further up. */
function follow(name, from, closure) {
  for (let folder = from; ; folder = folder.replace(/\/?(node_modules\/)?(@[^/]+\/)?[^/]+$/, "")) {
    const place = `${folder === "" ? "" : `${folder}/`}node_modules/${name}`;
    const entry = lock[place];
    if (entry === undefined && folder !== "") continue;
    if (entry === undefined || entry.link || closure.has(place)) return;
    closure.add(place);
    for (const next of Object.keys({ ...entry.dependencies, ...entry.optionalDependencies }))
      follow(next, place, closure);
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
