/** The comparison's components under React: the same sources, another runtime, as a dashboard would use them. */
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { expect, it, onTestFinished, vi } from "vitest";
import type { ComparisonView } from "../../core/src/gate/comparison-view.ts";

const source = fileURLToPath(new URL("../src/comparison.tsx", import.meta.url));

const view: ComparisonView = {
  noun: "ticket",
  baseline: "main",
  candidate: "branch",
  first: 0,
  cards: [
    {
      number: 1,
      title: "confirm no longer called",
      kind: "calls",
      blocks: true,
      runs: 1,
      rules: [],
      first: ["candidate/ticket-1042.agentlog"],
    },
  ],
  traces: [
    {
      key: "candidate/ticket-1042.agentlog",
      name: "ticket-1042",
      outcome: "blocks",
      damage: 1,
      card: 1,
      kind: "calls",
      ask: "The lamp arrived broken.",
      changes: 1,
      omitted: 0,
      rows: [
        { kind: "same", baseline: { turn: 1 }, candidate: { turn: 1, text: "Let me look." } },
        { kind: "only_baseline", baseline: { turn: 2, calls: [{ name: "confirm", input: { amount: 40 } }] } },
        {
          kind: "changed",
          baseline: { turn: 3, calls: [{ name: "refund", input: { amount: 40 } }] },
          candidate: { turn: 2, calls: [{ name: "refund", input: { amount: 89 } }] },
        },
      ],
    },
  ],
};

it("renders under React without a complaint", async () => {
  const { build } = await import("vite");
  // Inside the package, so that the built module finds React.
  const folder = mkdtempSync(join(fileURLToPath(new URL("..", import.meta.url)), ".react-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  await build({
    configFile: false,
    logLevel: "silent",
    resolve: { conditions: ["spoor-source"], alias: [{ find: "preact/hooks", replacement: "react" }] },
    oxc: { jsx: { runtime: "automatic", importSource: "react" } },
    build: {
      outDir: folder,
      minify: false,
      lib: { entry: source, formats: ["es"], fileName: () => "comparison.mjs" },
      rolldownOptions: { external: ["react", "react/jsx-runtime"] },
    },
  });
  const complaints = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const { Comparison } = (await import(pathToFileURL(join(folder, "comparison.mjs")).href)) as {
    Comparison: Parameters<typeof createElement>[0];
  };
  const html = renderToString(
    createElement(Comparison, { view, query: "", place: "", onPlace: () => undefined } as never),
  );
  for (const text of ["ticket-1042", "First divergence", "No such turn", "The lamp arrived broken."])
    expect(html).toContain(text);
  expect(complaints).not.toHaveBeenCalled();
});
