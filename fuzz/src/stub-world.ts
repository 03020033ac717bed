/** Damaged files name commands and addresses. None of them is run or asked here: a program says one line, a server is not there. */
import childProcess, { type SpawnOptions } from "node:child_process";
import { syncBuiltinESMExports } from "node:module";

/** What really starts a program. */
export const { spawnSync: startForReal } = childProcess;

/** To be called before anything of Spoor is loaded. */
export function stubWorld(): void {
  const { spawn, spawnSync } = childProcess;
  const line = '{"score":1}';
  const harmless = ({ cwd: _cwd, shell: _shell, ...options }: SpawnOptions = {}) => options;
  Object.assign(childProcess, {
    spawn: (_command: string, args?: unknown, options?: SpawnOptions) =>
      spawn("/bin/echo", [line], harmless(Array.isArray(args) ? options : (args as SpawnOptions | undefined))),
    spawnSync: () => spawnSync("/bin/echo", [line]),
    execFileSync: () => Buffer.from(line),
    execSync: () => Buffer.from(line),
  });
  syncBuiltinESMExports();
  globalThis.fetch = () => Promise.reject(new TypeError("fetch failed"));
}
