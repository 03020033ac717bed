/**
 * Every command that README, docs and examples show is run against the built binary, and what a page prints as output is
 * what the command prints. page.ts says how a page marks its blocks.
 */
import { describe, expect, it, onTestFinished } from "vitest";
import { matchesOutput, outputLines } from "./matches-output.ts";
import { type Block, loadPages, type Page } from "./page.ts";
import { type CommandRun, createDocsProject, type DocsProject } from "./project.ts";

/** Why a block may be left out, and what that stands for. */
const noRunReasons: Record<string, string> = {
  network: "needs the network or a model",
  terminal: "needs a person at a terminal",
  install: "installs packages",
  yours: "names files or programs of the reader",
  hours: "runs for long, in a clone of the repository",
};
/** Fences that show something a reader would type. Others (`bash`, `shell`) are refused, so that nothing escapes. */
const shown = ["sh", "console"];
const known = [...shown, "text", "yaml", "json", "toml", "ts", "js", "tsx", "markdown", "jsonc", ""];

const pages = loadPages();
const shells = pages.flatMap((page) =>
  page.blocks.filter((block) => isShell(block)).map((block) => ({ page: page.path, block })),
);
const left = shells.filter(({ block }) => block.info.startsWith("no-run"));
const pagesToRun = pages.filter((page) =>
  page.blocks.some((block) => isShell(block) && !block.info.startsWith("no-run")),
);

describe(`commands of the documentation (${shells.length - left.length} blocks run, ${left.length} not)`, () => {
  it.each(pagesToRun.map((page) => [page.path, page] as const))("%s", (_path, page) => {
    runPage(page);
  });

  it("a block that is not run says why", () => {
    const unclear = left.filter(({ block }) => !Object.hasOwn(noRunReasons, block.info.replace(/^no-run\s*/, "")));
    expect(unclear.map(({ page, block }) => `${page}:${block.line} ${block.info}`)).toEqual([]);
  });

  it("no block hides commands behind another language", () => {
    const strange = pages.flatMap((page) =>
      page.blocks
        .filter((block) => !known.includes(block.language))
        .map((block) => `${page.path}:${block.line} ${block.language}`),
    );
    expect(strange).toEqual([]);
  });
});

function isShell(block: Block): boolean {
  return shown.includes(block.language) || (block.language === "text" && block.text.startsWith("$ "));
}

function runPage(page: Page): void {
  let project: DocsProject | undefined;
  let last: CommandRun | undefined;
  const tried = new Set<string>();
  onTestFinished(() => project?.remove());
  for (const block of page.blocks) {
    const where = `${page.path}:${block.line}`;
    const runIn = block.directives.get("run in");
    if (runIn !== undefined) {
      project?.remove();
      project = createDocsProject(runIn);
    }
    const file = block.directives.get("file");
    if (file !== undefined) {
      project ??= createDocsProject("examples/refund");
      project.write(file, `${block.text}\n`);
    }
    if (isShell(block) && !block.info.startsWith("no-run")) {
      project ??= createDocsProject("examples/refund");
      const runs = runBlock(project, block, where);
      for (const command of runs.flatMap(nextCommands).filter((one) => !tried.has(one))) {
        tried.add(command);
        const [run] = project.run([command]);
        expect([0, 1], `${where}: what it says to type next, ${command}\n${run!.output}`).toContain(run!.code);
      }
      last = runs.at(-1);
    } else {
      if (block.language === "text" && block.follows && last !== undefined)
        expectOutput(last.output, block.text, `${where}, output of ${last.command}`);
      last = undefined;
    }
  }
}

function runBlock(project: DocsProject, block: Block, where: string): CommandRun[] {
  const steps = stepsOf(block);
  const codes = (block.directives.get("exit") ?? "0").split(",").map(Number);
  const runs = project.run(steps.map((step) => step.command));
  for (const [index, run] of runs.entries()) {
    const { expected, command } = steps[index]!;
    const wanted = Number(/#.*\bexit code (\d)/.exec(command)?.[1] ?? codes[index] ?? codes.at(-1));
    expect(run.code, `${where}: exit code of ${command}\n${run.output}`).toBe(wanted);
    if (expected !== undefined) expectOutput(run.output, expected, `${where}, output of ${command}`);
  }
  return runs;
}

/** The commands an output says to type next; not those with a part to fill in, and not those that ask questions. */
function nextCommands({ output }: CommandRun): string[] {
  const commands = [...output.matchAll(/^\s*Next: (spoor .+?)(?:\s{2,}exit code \d)?$/gm)].map((match) => match[1]!);
  return commands.filter((command) => !/\b[A-Z]{3,}\b/.test(command) && !command.includes("baseline review"));
}

interface Step {
  readonly command: string;
  readonly expected?: string;
}

/** `sh`: one command per line, longer ones with a backslash. `console`: lines behind `$ ` and what they print. */
function stepsOf(block: Block): Step[] {
  const joined = block.text.replaceAll("\\\n", " ");
  if (block.language === "sh") {
    return joined
      .split("\n")
      .map((line) => line.replace(/^\$ /, ""))
      .filter((line) => line.trim() !== "" && !line.startsWith("#"))
      .map((command) => ({ command }));
  }
  return joined
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const [command, ...output] = part.split("\n");
      const expected = output.join("\n").trim();
      return { command: command!, ...(expected === "" ? {} : { expected: output.join("\n") }) };
    });
}

function expectOutput(printed: string, shown: string, where: string): void {
  if (matchesOutput(printed, shown)) return;
  expect(outputLines(printed).join("\n"), where).toBe(outputLines(shown).join("\n"));
}
