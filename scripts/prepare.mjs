// `npm ci` builds what `npx spoor` runs. Inside `npm ci --omit=dev` there is no compiler; the packages are then built already.

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

const tsc = new URL("../node_modules/typescript/bin/tsc", import.meta.url);
if (existsSync(tsc)) {
  const { status } = spawnSync(process.execPath, [tsc.pathname, "-b"], {
    stdio: "inherit",
    cwd: new URL("..", import.meta.url),
  });
  process.exit(status ?? 1);
}
