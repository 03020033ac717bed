// The store's tests also run against a real PostgreSQL, which they start themselves. On Debian as root it is installed when missing; elsewhere those
// suites are skipped and say so.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";

const ROOT = "/usr/lib/postgresql";

/** The folder with `initdb` and `postgres`: POSTGRES_BIN, or the newest one of the system. */
export function findPostgres() {
  const folders = [process.env.POSTGRES_BIN, ...systemFolders(), "/usr/local/bin", "/usr/bin", "/opt/homebrew/bin"];
  return folders.find((folder) => folder && existsSync(`${folder}/initdb`) && existsSync(`${folder}/postgres`));
}

function systemFolders() {
  if (!existsSync(ROOT)) return [];
  const versions = readdirSync(ROOT).sort((left, right) => Number(right) - Number(left));
  return versions.map((version) => `${ROOT}/${version}/bin`);
}

export function ensurePostgres() {
  if (findPostgres()) return;
  const isRoot = process.getuid?.() === 0;
  if (!isRoot || !existsSync("/etc/debian_version")) {
    console.error(
      "Notice: no PostgreSQL found; the store is tested in files only. Set POSTGRES_BIN to the folder of its programs to test it there too.",
    );
    return;
  }
  console.error("Installing PostgreSQL for the tests of the store (apt-get) …");
  const apt = (...args) =>
    spawnSync("apt-get", args, { stdio: "ignore", env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } })
      .status === 0;
  const install = () => apt("install", "-y", "--no-install-recommends", "postgresql");
  if (!install() && !(apt("update") && install())) {
    console.error("Notice: PostgreSQL could not be installed; the store is tested in files only.");
  }
}
