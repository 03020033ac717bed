import { defineConfig, type UserConfig } from "vite";

const shared = {
  resolve: { conditions: ["spoor-source", "browser", "module", "import", "default"] },
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  define: { "process.env.NODE_ENV": '"production"' },
} satisfies UserConfig;

/** One script and one style, without names of their own: the HTML report carries both inside itself. */
const report: UserConfig = {
  ...shared,
  build: {
    outDir: "../spoor/dist/web",
    emptyOutDir: true,
    cssCodeSplit: false,
    target: "es2022",
    lib: {
      entry: "src/main.tsx",
      formats: ["iife"],
      name: "spoor",
      fileName: () => "report.js",
      cssFileName: "report",
    },
  },
};

/** A page of the service: script and style under names that change with their content, nothing inside the page itself. */
const dashboard: UserConfig = {
  ...shared,
  root: "src/dashboard",
  build: {
    outDir: "../../../server/dist/web",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: false,
  },
};

export default defineConfig(({ mode }) => (mode === "dashboard" ? dashboard : report));
