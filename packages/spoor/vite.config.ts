import { createHash } from "node:crypto";
import { builtinModules } from "node:module";
import { defineConfig } from "vite";

/**
 * The program as few files instead of hundreds: loading its parts one by one takes most of the time of a short command. They are scripts
 * and no modules, because only of a script can the compiled form be kept (bin/load-bundle.cjs).
 *
 * `--mode hook`: one file for `spoor hook`, which agents start twice for every tool call. `--mode cli`: everything else, with what
 * only some commands need in files of its own.
 */
export default defineConfig(({ mode }) => {
  const isHook = mode === "hook";
  return {
    // Without "node": loading Node's own hashes takes longer than hashing the few bytes of a hook.
    resolve: { conditions: ["spoor-source", ...(isHook ? [] : ["node"]), "module", "import", "default"] },
    // The loader says where the bundle stands.
    define: { "import.meta.url": "bundleUrl" },
    plugins: [importsOutside(), bundleId()],
    build: {
      outDir: `dist/bundled/${mode}`,
      emptyOutDir: true,
      target: "es2022",
      // Names stay: they are in the stack of an internal error.
      minify: false,
      rolldownOptions: {
        // What is installed beside the package is loaded when it is needed.
        external: [...builtinModules.flatMap((name) => [name, `node:${name}`]), /^protobufjs/, "sucrase", "fzstd"],
        output: {
          codeSplitting: !isHook,
          minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
          chunkFileNames: "[name]-[hash].cjs",
        },
      },
      lib: {
        entry: isHook
          ? { main: "src/cli/hook-main.ts" }
          : { main: "src/cli/main.ts", thread: "src/load/threads/thread-main.ts" },
        formats: ["cjs"],
        fileName: (_format, name) => `${name}.cjs`,
      },
    },
  };
});

/** What is not in the bundle is imported by its loader: bin/load-bundle.cjs says why. */
function importsOutside() {
  return {
    name: "imports-outside",
    renderChunk: (code: string) => code.replace(/(?<![\w$.])import\(/g, "importOutside("),
  };
}

/** A name for the compiled forms, so that nothing need be hashed at every start. */
function bundleId() {
  return {
    name: "bundle-id",
    generateBundle(
      this: { emitFile(file: { type: "asset"; fileName: string; source: string }): void },
      _options: unknown,
      bundle: Readonly<Record<string, { readonly type: string; readonly code?: string }>>,
    ) {
      const hash = createHash("sha256");
      for (const [name, { code = "" }] of Object.entries(bundle).sort(([left], [right]) => (left < right ? -1 : 1)))
        hash.update(`${name}\n${code}\n`);
      this.emitFile({ type: "asset", fileName: "bundle.id", source: hash.digest("hex") });
    },
  };
}
