// `npm run build` and npm's own `prepare`: everything that `npx spoor` runs. Where the compiler is not installed
// (`npm ci --omit=dev`) there is nothing to do: published packages come built.
import { existsSync } from "node:fs";
import { ensureBuilt, root } from "./ensure-installed.mjs";

if (existsSync(`${root}node_modules/typescript/bin/tsc`)) ensureBuilt();
