// `npm run demo`: from a fresh clone to the story in one command.
import { ensureBuilt, ensureInstalled, root, run } from "./ensure-installed.mjs";

ensureInstalled();
ensureBuilt();
run(process.execPath, [`${root}packages/spoor/bin/spoor.js`, "demo", ...process.argv.slice(2)]);
