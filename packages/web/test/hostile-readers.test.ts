/**
 * Text stays text, whichever format it came in. A sample of every format has the attack in every text field it can hold without being another
 * file: tool names, argument keys and values, results, models, stop reasons, ids, errors; its file name too. Each is shown and compared with the
 * unharmed one; nothing that is written may run, fetch, link, mention, hide or reorder. `hostile.test.ts` does the same for every report.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runInMemory } from "../../spoor/src/cli/run-in-memory.ts";
import { formats } from "../../spoor/src/formats/formats.ts";
import { listFixtures } from "../../spoor/test/fixtures.ts";
import { chromiumPath, inChromium, openChromium } from "./open-chromium.ts";
import { ATTACK, MARKDOWN_TAGS, poisonOther, poisonSample, SEEN, UNSEEN } from "./poison-sample.ts";

/** What a file may be called: no slash, no line break. */
const FILE = "t@acme <img src=x> [x](y) ::error `t` \u202e";
const ENDINGS = ["md", "html", "xml", "sarif"] as const;
/** The page of the run itself. */
const RUN = "run.html";

/** Where what is printed would be read as commands, too. */
const env = { GITHUB_ACTIONS: "true" };

interface Story {
  readonly format: string;
  readonly keys: readonly string[];
  readonly shown: string;
  readonly compared: string;
  readonly file: (ending: (typeof ENDINGS)[number] | typeof RUN) => string;
  /** Runs that are called otherwise now have no counterpart to be compared with. */
  readonly hasReport: boolean;
}

const folder = mkdtempSync(join(tmpdir(), "spoor-hostile-readers-"));
const stories: Story[] = [];
const unpoisoned: string[] = [];

beforeAll(async () => {
  for (const [index, { name: format }] of formats.entries()) {
    const samples = listFixtures().filter((fixture) => fixture.format === format);
    let story: Story | undefined;
    for (const [place, fixture] of samples.entries()) {
      const poisoned = story?.hasReport ? undefined : (poisonSample(fixture) ?? (await poisonOther(fixture)));
      if (poisoned !== undefined) story = await tell(`${index}-${place}`, format, poisoned);
    }
    if (story === undefined) unpoisoned.push(format);
    else stories.push(story);
  }
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function tell(
  index: string,
  format: string,
  sample: NonNullable<ReturnType<typeof poisonSample>>,
): Promise<Story> {
  const [before, after] = [`${index}-before`, `${index}-${FILE}`].map((name) =>
    join(folder, `${name}${sample.ending}`),
  );
  writeFileSync(before!, sample.before);
  writeFileSync(after!, sample.after);
  const file = (ending: string) => join(folder, `${index}.${ending}`);
  const files = ENDINGS.flatMap((ending) => ["-o", file(ending)]);
  const shown = await runInMemory(["show", after!, "--from", format, "--full", "-o", file(RUN)], { cwd: folder, env });
  const compared = await runInMemory(["diff", before!, after!, "--from", format, ...files], { cwd: folder, env });
  return {
    format,
    keys: sample.keys,
    shown: shown.out + shown.err,
    compared: compared.out + compared.err,
    file,
    hasReport: compared.code <= 1,
  };
}

it("every format is attacked, Markdown and protobuf too", () => {
  expect(unpoisoned).toEqual([]);
  expect(stories.filter(({ hasReport }) => !hasReport).map(({ format }) => format)).toEqual([
    "aider",
    "inspect",
    "tau2-bench",
    "decision-log",
  ]);
});

it("tool names, arguments, answers and more are poisoned in most of them", () => {
  // In protobuf nearly everything that anyone said stands under one name.
  const least = (format: string) => (format === "otlp-protobuf" ? 2 : 3);
  expect(
    stories.filter(({ format, keys }) => keys.length < least(format)).map(({ format, keys }) => [format, keys]),
  ).toEqual([]);
});

it.each(["shown", "compared"] as const)("a terminal that it is %s on gets no escapes, marks or commands", (how) => {
  for (const story of stories) {
    const text = story[how];
    expect([
      story.format,
      how === "compared" || SEEN.test(text),
      UNSEEN.exec(text)?.[0],
      /^\s*::|##\[/m.exec(unshielded(text))?.[0],
    ]).toEqual([story.format, true, undefined, undefined]);
  }
});

it("Markdown mentions, links, shows and hides nothing, and its tables stay whole", () => {
  for (const { format, file } of withReport()) {
    const markdown = readFileSync(file("md"), "utf8");
    expect([format, UNSEEN.exec(markdown)?.[0]]).toEqual([format, undefined]);
    const html = micromark(markdown, { allowDangerousHtml: true, extensions: [gfm()], htmlExtensions: [gfmHtml()] });
    const tags = [...html.matchAll(/<\/?([a-z][a-z0-9]*)/gi)].map((match) => match[1]!.toLowerCase());
    expect([format, tags.filter((tag) => !MARKDOWN_TAGS.has(tag))]).toEqual([format, []]);
    const prose = html.replace(/<code[^>]*>[\s\S]*?<\/code>/g, "");
    expect([format, /@(acme|octocat)|https?:\/\/|www\.evil|ftp:\/\/|#123|closes #7/i.exec(prose)?.[0]]).toEqual([
      format,
      undefined,
    ]);
    expect(html.replace(/<!-- spoor:[\w.:-]+ -->/g, "")).not.toContain("<!--");
    for (const row of html.match(/<table>[\s\S]*?<\/table>/g) ?? []) {
      const widths = [...row.matchAll(/<tr>([\s\S]*?)<\/tr>/g)].map((match) => match[1]!.match(/<t[hd]/g)?.length);
      expect([format, new Set(widths).size]).toEqual([format, 1]);
    }
  }
});

it("SARIF is JSON without live links or mentions in its messages", () => {
  for (const { format, file } of withReport()) {
    const sarif = JSON.parse(readFileSync(file("sarif"), "utf8")) as {
      runs: { results: { message: { text: string } }[] }[];
    };
    for (const { message } of sarif.runs.flatMap((run) => run.results))
      expect([format, UNSEEN.exec(message.text)?.[0], /@acme|(^|[^\\])\[click\]/.exec(message.text)?.[0]]).toEqual([
        format,
        undefined,
        undefined,
      ]);
  }
});

describe.skipIf(chromiumPath === undefined)(inChromium("pages of every format"), () => {
  it("run nothing and fetch nothing; XML is well-formed", async () => {
    const browser = await openChromium();
    try {
      const page = await browser.newPage();
      const seen: string[] = [];
      page.on("pageerror", (error) => seen.push(error.message));
      page.on("dialog", (dialog) => seen.push(dialog.message()));
      page.on("request", (request) => request.url().startsWith("file:") || seen.push(request.url()));
      for (const { format, file, hasReport } of stories) {
        for (const ending of hasReport ? (["html", RUN] as const) : [RUN]) {
          await page.goto(pathToFileURL(file(ending)).href);
          const found = await page.evaluate(
            (xml) => ({
              pwned: (window as unknown as { pwned?: number }).pwned ?? 0,
              foreign: document.querySelectorAll("img, iframe, object, embed, link, base, form[action]").length,
              links: document.querySelectorAll('a:not([href^="#"])').length,
              xml:
                new DOMParser().parseFromString(xml, "application/xml").querySelector("parsererror")?.textContent ?? "",
            }),
            hasReport ? readFileSync(file("xml"), "utf8") : "<none/>",
          );
          expect({ format, ending, ...found, seen }).toEqual({
            format,
            ending,
            pwned: 0,
            foreign: 0,
            links: 0,
            xml: "",
            seen: [],
          });
          if (ending !== RUN) continue;
          const said = await readRows(page);
          expect([format, SEEN.test(readFileSync(file(RUN), "utf8")), UNSEEN.exec(said)?.[0]]).toEqual([
            format,
            true,
            undefined,
          ]);
        }
      }
    } finally {
      await browser.close();
    }
  });
});

/** What the page says of the first rows of the first run, each opened after the other. */
function readRows(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const drawn = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    const texts = [document.body.querySelector("main")!.textContent];
    document.querySelector<HTMLElement>(".lrow")?.click();
    await drawn();
    for (let at = 0; at < 12; at++) {
      document.querySelectorAll<HTMLElement>(".rrow")[at]?.click();
      await drawn();
      for (const fold of document.querySelectorAll<HTMLDetailsElement>(".run-detail details")) fold.open = true;
      await drawn();
      texts.push(document.querySelector("#runs")!.textContent);
    }
    return texts.join("\n");
  });
}

function withReport(): readonly Story[] {
  return stories.filter(({ hasReport }) => hasReport);
}

/** Without what stands between the words that switch commands off and on again. */
function unshielded(text: string): string {
  return text.replaceAll(/^::stop-commands::(\S+)\n[\s\S]*?^::\1::$/gm, "");
}

it("the attack is worth the name", () => {
  expect(ATTACK).toMatch(UNSEEN);
  expect(micromark(ATTACK, { allowDangerousHtml: true })).toContain("<img");
});
