/** The HTML report in a real browser: readable, operable, accessible, and deaf to whatever a trace says. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TraceRecord } from "../../core/src/trace/record.ts";
import { recordsOf, type TurnSpec } from "../../core/test/build.ts";
import { writeAgentlog } from "../../spoor/src/formats/agentlog.ts";
import { runSpoor, temporaryFolder } from "../../spoor/test/e2e/run-spoor.ts";
import { chromiumPath, inChromium, openChromium } from "./open-chromium.ts";
import { misplacedTexts, violationsOf, WIDTHS } from "./open-page.ts";

const refund = fileURLToPath(new URL("../../../examples/refund/", import.meta.url));

/** The gate's report over two folders of traces, as a file. */
async function reportOf(
  baseline: Record<string, TurnSpec[]>,
  candidate: Record<string, TurnSpec[]>,
  policy?: string,
): Promise<string> {
  const folder = temporaryFolder();
  for (const [side, traces] of Object.entries({ baseline, candidate })) {
    for (const [name, records] of Object.entries(traces)) {
      writeTrace(join(folder, side), name, records);
    }
  }
  const policyLine = policy === undefined ? "" : "policy: { files: [policy.yaml] }\n";
  if (policy !== undefined) writeFileSync(join(folder, "policy.yaml"), policy);
  writeFileSync(
    join(folder, "spoor.config.yaml"),
    `agent: tester\ntraces: candidate\ndiff: { baseline: baseline }\n${policyLine}`,
  );
  const run = await runSpoor(["gate", "-o", "report.html", "-o", "report.md"], { cwd: folder });
  expect([0, 1], run.stderr).toContain(run.code);
  return folder;
}

function writeTrace(folder: string, name: string, records: TraceRecord[]): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.agentlog`), writeAgentlog(records));
}

describe.skipIf(chromiumPath === undefined)(inChromium("the HTML report"), () => {
  let browser: Browser;
  let file: string;
  beforeAll(async () => {
    browser = await openChromium();
    const folder = mkdtempSync(join(tmpdir(), "spoor-report-"));
    cpSync(refund, folder, { recursive: true });
    const run = await runSpoor(["gate", "-o", "report.html"], { cwd: folder });
    expect(run.code, run.stderr).toBe(1);
    file = join(folder, "report.html");
  });
  afterAll(async () => {
    await browser?.close();
  });

  async function open(
    path = file,
    hash = "",
    options: Parameters<Browser["newPage"]>[0] = {},
  ): Promise<{ page: Page; problems: string[]; requests: string[] }> {
    const page = await browser.newPage({ reducedMotion: "reduce", ...options });
    page.setDefaultTimeout(120_000);
    const problems: string[] = [];
    const requests: string[] = [];
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") problems.push(message.text());
    });
    page.on("dialog", (dialog) => {
      problems.push(`dialog ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on("request", (request) => requests.push(request.url()));
    await page.goto(`${pathToFileURL(path).href}${hash}`);
    if (options.javaScriptEnabled !== false) await page.waitForSelector("#timeline[data-ready]");
    return { page, problems, requests };
  }

  it("tells the consequence first, opens the first divergence, and loads nothing", async () => {
    const { page, problems, requests } = await open();
    expect(await page.textContent("h1")).toBe(
      "issue_refund now runs without confirm_refund_amount before it, in 2 of 5 tickets",
    );
    expect(await page.textContent(".status")).toContain("Blocked");
    expect(await page.isVisible("text=First divergence")).toBe(true);
    expect(await page.locator(".row.k-only_baseline .card").count()).toBe(1);
    expect(await page.locator(".chg .key").allTextContents()).toContain("reason");
    // What the tool returned, on both sides: 40 before, 89 now.
    expect(await page.locator(".result .chg").allTextContents()).toEqual([
      "amount40(changed)",
      "amount89was 40(changed)",
    ]);
    expect(requests).toHaveLength(1);
    expect(problems).toEqual([]);
    await page.close();
  });

  it("axe finds nothing at five widths in both themes, with every turn open", async () => {
    const { page } = await open(file, "", { bypassCSP: true });
    await page.keyboard.press("x");
    expect(await violationsOf(page)).toEqual([]);
    await page.close();
  });

  it("every key does what the help says", async () => {
    const { page, problems } = await open();
    const address = () => new URL(page.url()).hash;
    const selected = () => page.textContent('.list a[aria-current="true"] .name');
    const press = async (key: string, read: () => unknown, expected: unknown) => {
      await page.keyboard.press(key);
      await expect.poll(read).toEqual(expected);
    };
    await press("j", address, "#candidate/ticket-1042.agentlog:b2");
    await press("j", address, "#candidate/ticket-1042.agentlog:2");
    await press("k", address, "#candidate/ticket-1042.agentlog:b2");
    await press("]", selected, "ticket-1043");
    expect(new URL(page.url()).hash).toBe("#candidate/ticket-1043.agentlog");
    await press("[", selected, "ticket-1042");
    await press("c", () => page.locator(".row").count(), 2);
    await press("c", () => page.locator(".row").count(), 4);
    await press("x", () => page.locator('.head[aria-expanded="true"]').count(), 4);
    await press("t", () => page.getAttribute("html", "data-theme"), "dark");
    await press("?", () => page.isVisible("dialog#keys"), true);
    await press("Escape", () => page.isVisible("dialog#keys"), false);
    await page.keyboard.press("/");
    await page.keyboard.type("Lindenweg");
    await expect
      .poll(() => page.textContent('.list a[href^="#candidate/ticket-1043.agentlog"] .say'))
      .toMatch(/[1-9] turns? match/);
    await page.keyboard.press("Escape");
    await expect.poll(() => page.textContent(".count")).toContain("turns shown");
    expect(problems).toEqual([]);
    await page.close();
  });

  it("keeps up with keys that come faster than the page is drawn", async () => {
    const { page } = await open();
    await page.evaluate(() => {
      for (const key of ["j", "j", "j", "k", "j"]) dispatchEvent(new KeyboardEvent("keydown", { key }));
    });
    // Changes in order: 1042:b2, 1042:2, 1044:b2; then one back and one forth again.
    await expect.poll(() => decodeURIComponent(new URL(page.url()).hash)).toBe("#candidate/ticket-1044.agentlog:b2");
    await page.close();
  });

  it("an address opens its turn, and every finding links to one that exists", async () => {
    const { page } = await open(file, "#ticket-1044:2");
    await expect.poll(() => page.textContent('.list a[aria-current="true"] .name')).toBe("ticket-1044");
    await expect.poll(() => page.locator(".row.here .head").getAttribute("aria-expanded")).toBe("true");
    const links = await page
      .locator('#rules a:not([href*="&only="])')
      .evaluateAll((anchors) => anchors.map((anchor) => (anchor as HTMLAnchorElement).hash));
    expect(links.length).toBeGreaterThan(0);
    for (const hash of links) {
      await page.evaluate((to) => {
        location.hash = to;
      }, hash);
      await expect.poll(() => page.locator(".row.here").getAttribute("id")).toBe(decodeURIComponent(hash.slice(1)));
    }
    await page.close();
  });

  it("reads without script: everything but the timeline", async () => {
    const { page } = await open(file, "", { javaScriptEnabled: false });
    for (const text of [
      "issue_refund",
      "turns that differ",
      "confirm-before-refund",
      "1294370c8cae45db",
      "The timeline needs script",
    ]) {
      expect(await page.textContent("body")).toContain(text);
    }
    await page.close();
  });

  it("takes hostile traces for text: nothing runs, nothing is fetched, nothing breaks out", async () => {
    const attacks = [
      '</script><script>window.pwned=1</script><img src=x onerror="window.pwned=1">',
      '"><svg onload=window.pwned=1>',
      "javascript:window.pwned=1",
      "<!--<script>window.pwned=1</script>",
      // biome-ignore lint/suspicious/noTemplateCurlyInString: an attack, not a template
      "${window.pwned=1}{{constructor.constructor('window.pwned=1')()}}",
      "![x](http://127.0.0.1:9/leak.png) [y](javascript:alert(1)) @everyone",
      "\u001b[31mred\u001b[0m \u202ereversed\u2066 \u0000nul",
    ];
    const nasty = (suffix: string): TurnSpec[] =>
      attacks.map((text, index) => ({
        user: text,
        text: text + suffix,
        calls: [{ name: text, input: { [text]: text + suffix }, id: `${index}`, output: text }],
      }));
    const folder = await reportOf(
      { a: recordsOf(nasty("")) },
      { a: recordsOf(nasty(" changed")) },
      `rules:\n  - { id: "<img src=x onerror=alert(1)>", kind: forbidden_text, params: { text: "changed" } }\n`,
    );
    const { page, problems, requests } = await open(join(folder, "report.html"));
    await page.keyboard.press("x");
    await page.keyboard.press("j");
    expect(await page.evaluate(() => (window as unknown as { pwned?: number }).pwned)).toBeUndefined();
    expect(await page.locator("img, iframe, object, embed, link").count()).toBe(0);
    expect(await page.locator('a[href^="javascript:"]').count()).toBe(0);
    expect(requests).toHaveLength(1);
    expect(problems).toEqual([]);
    await page.close();
    const markdown = readFileSync(join(folder, "report.md"), "utf8");
    // Outside code spans and blocks nothing of the attacks may stand unescaped.
    const prose = markdown.replace(/(`{3,})[\s\S]*?\1/g, "").replace(/(`+)[^`\n]*\1/g, "");
    expect(prose).not.toMatch(/(^|[^\\])<(script|img|svg)/m);
    expect(prose).not.toMatch(/(^|[^\\])!?\[[xy]\]\(/m);
    expect(prose).not.toMatch(/@everyone/);
    expect(markdown).not.toMatch(/[\u0000-\u0008\u001b\u202e\u2066]/);
  });

  it("stays whole with a 10 MB tool output and very long names", async () => {
    const big = (text: string): TurnSpec[] => [
      {
        user: "u".repeat(5_000),
        text: text.repeat(20_000),
        calls: [
          {
            name: "t".repeat(500),
            input: { ["k".repeat(300)]: text.repeat(1_000_000) },
            output: "o".repeat(10_000_000),
          },
        ],
      },
    ];
    const folder = await reportOf({ a: recordsOf(big("a")) }, { a: recordsOf(big("b")) });
    const { page, problems } = await open(join(folder, "report.html"), "", { viewport: { width: 390, height: 800 } });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    // 4,000 of ten million characters; the command is the way to the rest.
    expect(await page.locator(".card.c .cut").allTextContents()).toContain(
      "… 9,996,000 more characters: npx spoor show candidate/a.agentlog --turn 1 --full",
    );
    expect(problems).toEqual([]);
    await page.close();
  });

  it("draws which tool follows which with the whole names of the tools, at every width", async () => {
    const tools = [
      "mcp__github__get_pull_request_files",
      "mcp__github__create_pull_request_review_comment",
      "readFileFromRepositoryAtCommit",
      "t".repeat(64),
    ];
    const turns = (names: readonly string[]) => recordsOf(names.map((name) => ({ calls: [{ name, input: {} }] })));
    const folder = await reportOf({ a: turns(tools) }, { a: turns([tools[0]!, tools[2]!, tools[1]!, tools[3]!]) });
    const { page, problems } = await open(join(folder, "report.html"));
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      expect([width, await misplacedTexts(page, "#flow")]).toEqual([width, []]);
    }
    const drawn = (await page.locator("#flow svg text").allTextContents()).join("");
    for (const tool of tools) expect(drawn).toContain(tool);
    expect(problems).toEqual([]);
    await page.close();
  });

  it("reaches every tool of a choice by typing where the list would be too long, and says so", async () => {
    const turns = (amount: number) =>
      recordsOf(
        Array.from({ length: 230 }, (_, at) => ({
          calls: [{ name: `tool_${String(at).padStart(3, "0")}`, input: { amount } }],
        })),
      );
    const same = recordsOf([{ text: "nothing to do" }]);
    const folder = await reportOf({ a: turns(1), b: same }, { a: turns(2), b: same });
    const { page, problems } = await open(join(folder, "report.html"), "", { viewport: { width: 320, height: 800 } });
    const tool = page.locator(".choices").getByLabel("Tool", { exact: true });
    await page.getByText("the commonest 200 of 230").waitFor();
    expect(await tool.locator("option").count()).toBe(201);
    await page.getByLabel("Find in Tool").fill("TOOL_229");
    await page.getByText("1 of 230", { exact: true }).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    await tool.selectOption("tool_229");
    await expect.poll(() => page.textContent(".listed")).toBe("1 of 2 traces listed");
    expect(problems).toEqual([]);
    await page.close();
  });

  it("lists the path of every run where the page has no comparison", async () => {
    const folder = temporaryFolder();
    const turns = (names: readonly string[]) => recordsOf(names.map((name) => ({ calls: [{ name, input: {} }] })));
    for (let at = 0; at < 70; at++)
      writeTrace(join(folder, "runs"), `run-${at}`, turns(at % 2 === 0 ? ["look", "answer"] : ["answer"]));
    const built = await runSpoor(["baseline", "build", "runs", "--agent", "tester"], {
      cwd: folder,
    });
    expect(built.code, built.stderr).toBe(0);
    writeFileSync(
      join(folder, "spoor.config.yaml"),
      "agent: tester\ntraces: runs\nbaseline: { file: baselines/tester.json }\n",
    );
    const run = await runSpoor(["gate", "-o", "report.html"], { cwd: folder });
    expect(run.code, run.stderr).toBe(0);
    const page = await browser.newPage({ bypassCSP: true });
    await page.goto(pathToFileURL(join(folder, "report.html")).href);
    await page.getByText("20 more runs, on 2 paths").click();
    const said = (await page.locator("#paths").textContent())!;
    for (let at = 0; at < 70; at++) expect(said).toMatch(new RegExp(`run-${at}(?!\\d)`));
    expect(await violationsOf(page)).toEqual([]);
    await page.close();
  });

  it("carries 2,000 turns a side in less than 5 MB", async () => {
    const words = "the order was shipped on monday and should arrive within three working days ".repeat(6);
    const records = (changed: boolean): TraceRecord[] =>
      Array.from({ length: 2_000 }, (_, index) => [
        { kind: "chat_request", payload: { model: "m", messages: [{ role: "user", content: `question ${index}` }] } },
        ...recordsOf([
          {
            text: `${index} ${words}`,
            calls: [
              { name: "lookup_order", input: { order_id: `A-${index}`, amount: changed && index % 100 === 7 ? 2 : 1 } },
            ],
          },
        ]).filter((record) => record.kind === "chat_response"),
      ]).flat();
    const folder = await reportOf({ long: records(false) }, { long: records(true) });
    expect(statSync(join(folder, "report.html")).size).toBeLessThan(5_000_000);
    const { page, problems } = await open(join(folder, "report.html"), "#long:1908");
    expect(await page.locator(".row").count()).toBe(2_000);
    await expect.poll(() => page.locator(".row.here").getAttribute("id")).toBe("candidate/long.agentlog:1908");
    expect(problems).toEqual([]);
    await page.close();
  });
});
