/** A loader hook for Node versions that do not strip types: runs in Node's loader thread, registered by import-module. */
import { readFile } from "node:fs/promises";
import type { LoadHook } from "node:module";
import { fileURLToPath } from "node:url";
import { transform } from "sucrase";

export const load: LoadHook = async (url, context, nextLoad) => {
  if (!/^file:.*\.[cm]?ts$/.test(url)) return nextLoad(url, context);
  const file = fileURLToPath(url);
  const { code } = transform(await readFile(file, "utf8"), {
    transforms: ["typescript"],
    disableESTransforms: true,
    preserveDynamicImport: true,
    keepUnusedImports: false,
    filePath: file,
  });
  return { format: "module", source: code, shortCircuit: true };
};
