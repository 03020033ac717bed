/**
 * Before every test file. Files share a process, because loading the sources anew for each took longer than most tests: what one file left behind
 * in the working folder or the environment is put back before the next.
 *
 * Property tests draw the same cases on every machine; SPOOR_TEST_SEED=random (or a number) explores others.
 */
import { fileURLToPath } from "node:url";
import fc from "fast-check";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
/** Kept on the process: this module is loaded again for every file. */
const FIRST_ENVIRONMENT = Symbol.for("spoor.test.environment");

const shared = globalThis as { [FIRST_ENVIRONMENT]?: NodeJS.ProcessEnv };
shared[FIRST_ENVIRONMENT] ??= { ...process.env };
const first = shared[FIRST_ENVIRONMENT];
for (const name of Object.keys(process.env)) if (!(name in first)) delete process.env[name];
Object.assign(process.env, first);
process.chdir(ROOT);

const wanted = process.env["SPOOR_TEST_SEED"];
const seed = wanted === undefined ? 20_261 : wanted === "random" ? undefined : Number(wanted);
fc.configureGlobal(seed === undefined ? {} : { seed });
