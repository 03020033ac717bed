import { randomBytes } from "node:crypto";
import { printable } from "@spoor/core/internal/text/printable";
import { count } from "../../document/words.ts";
import { loadHtmlAssets } from "../../load/load-html-assets.ts";
import { loadPolicies } from "../../load/load-policy.ts";
import { openBrowser } from "../../view/open-browser.ts";
import { openTraceShelf } from "../../view/trace-shelf.ts";
import { createViewPages } from "../../view/view-pages.ts";
import { openViewServer } from "../../view/view-server.ts";
import { type CommonValues, defineCommand } from "../command.ts";
import { interruptedCode } from "../exit-code.ts";
import { type Io, isCi } from "../io.ts";
import { loadOptions } from "../load-options.ts";
import { option, usageError } from "../option.ts";
import { findProject, tracesOf } from "../project.ts";
import { onStopSignals } from "../stop-signals.ts";

/** How often files are looked at. */
const LOOK_MS = 500;

export const viewCommand = defineCommand({
  description:
    "Shows runs in a browser, from files: a list, each run with its time axis, arguments and results, and any two of them side by side. The page follows " +
    "files that grow, such as recordings of an agent that is at work. It is served to this machine alone (127.0.0.1, with a random word in its address), " +
    "loads nothing from elsewhere and writes nothing but what you decide: in a project, its review accepts and rejects what changed, as spoor review does. Without TRACES those of the project's configuration are shown. Ctrl-C ends it.",
  positionals: ["[traces...]"],
  options: {
    policy: option.path("show what this policy finds, at the turns where it does (default: that of the configuration)"),
    port: option.optionalInteger("the port to listen on (default: any that is free)", { min: 1, max: 65_535 }),
    noOpen: option.flag("print the address and open no browser"),
  },
  examples: [
    { run: "spoor view recordings/", does: "Look at the runs of a folder, live." },
    { run: "spoor view baseline candidate --policy policies/refunds.yaml", does: "With what the rules find." },
  ],
  async run(args, io) {
    const given = await tracesOf(args.traces, "view", args, io);
    if (given.includes("-")) throw usageError("view cannot read standard input: it looks at files again and again.");
    const policy = await policyOf(args, io);
    const shelf = await openTraceShelf(given, loadOptions(args, io));
    const pages = createViewPages({
      shelf,
      assets: loadHtmlAssets(),
      paths: given,
      policy,
      today: io.now().toISOString().slice(0, 10),
      review: await reviewOf(args, io),
    });
    const server = await openViewServer({ pages, token: randomBytes(16).toString("hex"), port: args.port });
    const ended = new Promise<void>((resolve) => {
      const forget = onStopSignals(() => {
        forget();
        resolve();
      });
    });
    let isLooking = true;
    const looking = (async () => {
      while (isLooking) {
        await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, LOOK_MS).unref())]);
        if (isLooking && (await shelf.refresh())) server.announce(shelf.version);
      }
    })();
    try {
      io.out(`${server.url}\n`);
      if (!args.quiet) io.err(`${saying(shelf.traces.length, given)} Ctrl-C ends it.\n`);
      if (io.stdoutIsTerminal && !args.noOpen && !isCi(io)) openBrowser(server.url, process.platform);
      await ended;
    } finally {
      isLooking = false;
      await server.close();
    }
    await looking;
    return interruptedCode;
  },
});

/** Where the project's configuration compares with anything, what changed can be decided about. */
async function reviewOf(args: CommonValues, io: Io) {
  const project = await findProject(args, io);
  const { diff, policy, baseline } = project?.config ?? {};
  if (diff === undefined && policy === undefined && baseline === undefined) return undefined;
  const { createViewReview } = await import("../view-review.ts");
  return createViewReview(args, io);
}

function saying(traces: number, paths: readonly string[]): string {
  return `${count(traces, "trace")} of ${paths.map(printable).join(", ")}, for this machine alone.`;
}

/** The one that is named, else the project's. */
async function policyOf(args: CommonValues & { readonly policy: string | undefined }, io: Io) {
  if (args.policy !== undefined) return loadPolicies([args.policy], io).policy;
  const project = await findProject(args, io);
  if (project === undefined) return undefined;
  const { policyPaths } = await import("../../config/configured-policy.ts");
  const files = policyPaths(project, io.cwd);
  return files.length === 0 ? undefined : loadPolicies(files, io).policy;
}
