// Lets a child process of a test run the sources: `node --conditions=spoor-source --import ./typescript-loader.mjs file.ts`.
import { readFile } from "node:fs/promises";
import { register } from "node:module";
import { fileURLToPath } from "node:url";
import { isMainThread } from "node:worker_threads";
import { transform } from "sucrase";

if (isMainThread) register(import.meta.url);

export async function load(url, context, nextLoad) {
  if (!/^file:.*\.ts$/.test(url)) return nextLoad(url, context);
  const source = await readFile(fileURLToPath(url), "utf8");
  const { code } = transform(source, { transforms: ["typescript"], disableESTransforms: true });
  return { format: "module", source: code, shortCircuit: true };
}
