/**
 * Text stays text. Tool names, arguments, trace and file names, rule ids, descriptions and case ids are full of mentions, images,
 * links, escapes, tags and workflow commands; every report is made from them and written in every format it has.
 */
import { cpSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { reportKinds } from "../../spoor/src/cli/reports/report-kinds.ts";
import { runInMemory } from "../../spoor/src/cli/run-in-memory.ts";
import { everyReport, printedReport, writeStoredRuns } from "../../spoor/test/e2e/every-report.ts";
import { runSpoor } from "../../spoor/test/e2e/run-spoor.ts";
import { chromiumPath, inChromium, openChromium } from "./open-chromium.ts";
import { openPage, violationsOf } from "./open-page.ts";

const ATTACK = [
  "@acme/security",
  "<img src=x onerror=window.pwned=1>",
  "</script><script>window.pwned=1</script>",
  "[click](http://evil.example)",
  "![pixel](http://evil.example/p.png)",
  "http://evil.example/a www.evil.example b@evil.example",
  "\u001b[31mred\u001b[0m \u202ereversed \u200b\u0007",
  "` ``` | <!-- --> ]]> & &lt; #123 GH-7 **bold** ~~gone~~ %0A::error::pwned",
  "\n::error file=x::pwned\n### heading\n- list\n\n    code",
].join(" ");

/** What a file may be called: no slash, no line break. */
const FILE = "tick@acme <img src=x> [x](y) ::error `t`";

/** The refund story and the eval examples, with every word that a stranger could choose replaced. */
function hostileFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "spoor-hostile-"));
  const examples = fileURLToPath(new URL("../../../examples", import.meta.url));
  cpSync(join(examples, "refund"), folder, { recursive: true });
  cpSync(join(examples, "evals"), join(folder, "evals"), { recursive: true });
  cpSync(
    fileURLToPath(new URL("../../spoor/test/fixtures/same.config.yaml", import.meta.url)),
    join(folder, "same.config.yaml"),
  );
  const escaped = (word: string) => JSON.stringify(`${word} ${ATTACK}`).slice(1, -1);
  const words = ["issue_refund", "confirm_refund_amount", "customer upset", "refund.amount"];
  for (const side of ["baseline", "candidate"]) {
    for (const file of readdirSync(join(folder, side))) {
      const path = join(folder, side, file);
      let text = readFileSync(path, "utf8");
      for (const word of words) text = text.replaceAll(word, escaped(word));
      writeFileSync(path, text);
    }
    renameSync(join(folder, side, "ticket-1044.agentlog"), join(folder, side, `${FILE}.agentlog`));
  }
  cpSync(join(folder, "baseline"), join(folder, "same"), { recursive: true });
  const policy = join(folder, "policies/refunds.yaml");
  const quoted = (word: string) => JSON.stringify(`${word} ${ATTACK}`);
  writeFileSync(
    policy,
    readFileSync(policy, "utf8")
      .replaceAll(/\b(confirm_refund_amount|issue_refund)\b/g, (word) => quoted(word))
      .replaceAll(/id: (.+)/g, (_, id: string) => `id: ${quoted(id)}`)
      .replaceAll(/description: (.+)/g, (_, text: string) => `description: ${quoted(text)}`),
  );
  const baseline = join(folder, "baselines/support_agent.json");
  writeFileSync(
    baseline,
    readFileSync(baseline, "utf8").replaceAll(
      /"(name|by|why)": "([^"]*)"/g,
      (_, key: string, text: string) => `"${key}": ${quoted(text)}`,
    ),
  );
  const evaluators = join(folder, "evaluators.yaml");
  writeFileSync(
    evaluators,
    readFileSync(evaluators, "utf8")
      .replaceAll(/tool: (\w+)/g, (_, tool: string) => `tool: ${quoted(tool)}`)
      .replaceAll(/name: (.+)/g, (_, text: string) => `name: ${quoted(text)}`),
  );
  writeStoredRuns(folder, `refund ${ATTACK}`);
  const cases = join(folder, "evals/research-agent.yaml");
  writeFileSync(
    cases,
    readFileSync(cases, "utf8").replaceAll(
      /^( *)- id: (.+)$/gm,
      (_, space: string, id: string) => `${space}- id: ${quoted(id)}`,
    ),
  );
  return folder;
}

const FORMATS = [
  { format: "terminal", ending: "txt" },
  { format: "markdown", ending: "md" },
  { format: "html", ending: "html" },
  { format: "plain" },
  { format: "junit", ending: "xml" },
  { format: "sarif", ending: "sarif" },
  { format: "ctrf", ending: "ctrf.json" },
  { format: "github" },
] as const;

type Written = Readonly<Record<(typeof FORMATS)[number]["format"], string>>;

async function writeEverything(folder: string, args: readonly string[]): Promise<Written> {
  const files = FORMATS.flatMap((entry) => ("ending" in entry ? ["-o", `out.${entry.ending}`] : []));
  const made = await runSpoor([...args, "--format", "json", ...files], { cwd: folder });
  expect([0, 1, 2], made.stderr).toContain(made.code);
  const stdin = printedReport(made);
  expect(stdin).toMatch(/^\{/);
  const texts = await Promise.all(
    FORMATS.map(async (entry) => {
      if ("ending" in entry) return readFileSync(join(folder, `out.${entry.ending}`), "utf8");
      const run = await runSpoor(["report", "-", "--format", entry.format], { cwd: folder, stdin });
      return run.stdout;
    }),
  );
  for (const format of rareFormatsOf(stdin)) {
    const run = await runInMemory(["report", "-", "--format", format], { cwd: folder, stdin });
    rare.push({ args, format, text: run.out });
  }
  return Object.fromEntries(FORMATS.map(({ format }, index) => [format, texts[index]!])) as Written;
}

/** What is written in formats that only some reports have. */
const rare: { readonly args: readonly string[]; readonly format: string; readonly text: string }[] = [];

/** By the writers that the report itself names: one that is added later is attacked too. JSON is the report. */
function rareFormatsOf(text: string): string[] {
  const report = JSON.parse(text) as { readonly schema: string };
  const kind = reportKinds.find(({ schema }) => schema === report.schema)!;
  const known: readonly string[] = [...FORMATS.map(({ format }) => format), "json"];
  return Object.keys(kind.renderers(report as never, { exitCode: 0 } as never)).filter(
    (format) => !known.includes(format),
  );
}

/** Reports whose words hold nothing that a stranger chose, in this story. */
const SAYS_NO_NAME = [
  "diff of equal runs",
  "baseline build",
  "cohort plan",
  "cohort --sequential",
  "trend",
  "gate that passes",
];

/** One of each layout: axe takes its time. Those of gate, diff and show are looked at in their own tests, with what can be opened in them open. */
const LOOKED_AT = ["diff", "check", "score", "fingerprint", "baseline compare", "eval", "cohort", "trend", "gate"];

/** Control characters and marks that reorder or hide text; line ends are ours. */
const INVISIBLE = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

const reports = new Map<string, Written>();
const folders = new Map<string, string>();

beforeAll(async () => {
  for (const { name, args } of everyReport) {
    const folder = hostileFolder();
    folders.set(name, folder);
    reports.set(name, await writeEverything(folder, args));
  }
});

afterAll(() => {
  for (const folder of folders.values()) rmSync(folder, { recursive: true, force: true });
});

it("every kind of report is attacked, and every format that any of them has", () => {
  expect([...new Set(everyReport.map(({ schema }) => schema))].sort()).toEqual(
    reportKinds.map(({ schema }) => schema).sort(),
  );
  expect([...new Set(rare.map(({ format }) => format))].sort()).toEqual(["intoto", "svg"]);
  for (const { args, format, text } of rare) {
    expect(text, args.join(" ")).not.toBe("");
    if (format === "svg") expect(text, args.join(" ")).not.toMatch(INVISIBLE);
    // Data for programs, as the report itself.
    else JSON.parse(text);
  }
});

describe.each(everyReport)("$name of hostile traces", ({ name }) => {
  const written = () => reports.get(name)!;

  it("is made of the hostile words, where it says any", () => {
    const hasNames = !SAYS_NO_NAME.includes(name);
    for (const text of [written().terminal, written().markdown, written().html, written().plain])
      expect(/acme/.test(text) || !hasNames).toBe(true);
  });

  it("prints neither escapes nor workflow commands on a terminal", () => {
    for (const text of [written().terminal, written().plain]) {
      expect(text).not.toMatch(INVISIBLE);
      expect(text).not.toMatch(/^::/m);
    }
  });

  it("is Markdown that mentions, links, shows and hides nothing", () => {
    const { markdown } = written();
    expect(markdown).not.toMatch(INVISIBLE);
    const html = micromark(markdown, {
      allowDangerousHtml: true,
      extensions: [gfm()],
      htmlExtensions: [gfmHtml()],
    });
    const tags = new Set([...html.matchAll(/<\/?([a-z][a-z0-9]*)/gi)].map((match) => match[1]!.toLowerCase()));
    for (const tag of tags)
      expect([
        "h3",
        "p",
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "ul",
        "li",
        "code",
        "pre",
        "details",
        "summary",
        "sub",
        "strong",
      ]).toContain(tag);
    const prose = html.replace(/<code[^>]*>[\s\S]*?<\/code>/g, "");
    expect(prose).not.toMatch(/@(acme|evil)|https?:\/\/|www\.evil|#123|GH-7/);
    expect(html.replace(/<!-- spoor:[\w.:-]+ -->/g, "")).not.toContain("<!--");
  });

  it("escapes workflow commands: one line is one annotation", () => {
    for (const line of written()
      .github.split("\n")
      .filter((text) => text !== "")) {
      expect(line).toMatch(/^::(error|warning)( (file|title|line|col)=[^:,]*(,(file|title|line|col)=[^:,]*)*)?::/);
      expect(line).not.toMatch(INVISIBLE);
    }
  });

  it("is JSON where JSON is asked for, without live mentions in messages that people see", () => {
    JSON.parse(written().ctrf);
    const sarif = JSON.parse(written().sarif) as { runs: { results: { message: { text: string } }[] }[] };
    for (const { message } of sarif.runs.flatMap((run) => run.results)) {
      expect(message.text).not.toMatch(/@acme|(^|[^\\])\[click\]/);
      expect(message.text).not.toMatch(INVISIBLE);
    }
  });
});

describe.skipIf(chromiumPath === undefined)(inChromium("pages and XML of hostile traces"), () => {
  let browser: Awaited<ReturnType<typeof openChromium>>;
  beforeAll(async () => {
    browser = await openChromium();
  });
  afterAll(() => browser.close());

  it("pictures are well-formed, and hold neither script nor link nor anything foreign", async () => {
    const page = await browser.newPage();
    for (const { args, text } of rare.filter(({ format }) => format === "svg")) {
      const found = await page.evaluate((svg) => {
        const parsed = new DOMParser().parseFromString(svg, "image/svg+xml");
        return [
          ...parsed.querySelectorAll("parsererror, script, foreignObject, image, use, a, style[src], [href]"),
        ].map((element) => element.outerHTML);
      }, text);
      expect(found, args.join(" ")).toEqual([]);
    }
    await page.close();
  });

  it.each(everyReport)("$name: nothing runs, nothing is fetched, XML is well-formed", async ({ name }) => {
    const page = await browser.newPage();
    const requests: string[] = [];
    const problems: string[] = [];
    page.on("request", (request) => requests.push(request.url()));
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("dialog", (dialog) => problems.push(dialog.message()));
    await page.goto(pathToFileURL(join(folders.get(name)!, "out.html")).href);
    expect(await page.evaluate(() => (window as unknown as { pwned?: number }).pwned)).toBeUndefined();
    expect(await page.locator("img, iframe, object, embed, link, base, form[action]").count()).toBe(0);
    expect(await page.locator('a:not([href^="#"])').count()).toBe(0);
    expect(await page.locator("h1").count()).toBe(1);
    const wellFormed = await page.evaluate(
      (xml) => new DOMParser().parseFromString(xml, "application/xml").querySelector("parsererror")?.textContent ?? "",
      reports.get(name)!.junit,
    );
    expect(wellFormed).toBe("");
    expect(requests).toHaveLength(1);
    expect(problems).toEqual([]);
    await page.close();
  });

  it.each(LOOKED_AT.map((name) => ({ name })))(
    "$name: axe finds nothing at five widths in both themes, and nothing is wider",
    async ({ name }) => {
      const { page } = await openPage(browser, pathToFileURL(join(folders.get(name)!, "out.html")).href, {
        bypassCSP: true,
      });
      expect(await violationsOf(page)).toEqual([]);
      await page.close();
    },
  );
});
