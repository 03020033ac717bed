// Builds, then runs one of our own compiled programs: node scripts/with-build.mjs FILE ARGS…
import { ensureBuilt, ensureInstalled, root, run } from "./ensure-installed.mjs";

const [file, ...args] = process.argv.slice(2);
ensureInstalled();
ensureBuilt();
run(process.execPath, [`${root}${file}`, ...args], { cwd: process.env.INIT_CWD ?? root });
