/** The dashboard as a person has it: the real service and its store, a real browser. */
import { createHash } from "node:crypto";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { recordsOf } from "../../core/test/build.ts";
import { openHooks } from "../../server/src/hooks/open-hooks.ts";
import { pagePaths } from "../../server/src/routes/pages.ts";
import { recording } from "../../server/test/service.ts";
import { writeAgentlog } from "../../spoor/src/formats/agentlog.ts";
import { pages } from "../src/dashboard/pages.ts";
import { type DashboardService, fill, must, startDashboard } from "./dashboard-service.ts";
import { chromiumPath, inChromium, openChromium } from "./open-chromium.ts";
import { misplacedTexts, openPage, violationsOf, WIDTHS } from "./open-page.ts";

it("every page of the head has an address that the service answers", () => {
  expect(pagePaths).toEqual(expect.arrayContaining(pages.map(({ path }) => path)));
});

/** Many arrivals at once, evaluated. */
async function append(service: DashboardService, bodies: readonly string[]): Promise<void> {
  await service.store.inbox.append(
    bodies.map((text) => {
      const body = Buffer.from(text);
      const contentId = createHash("sha256").update(body).digest();
      const { projectId, clock: receivedAt } = service;
      return { projectId, contentId, source: {}, codec: "plain" as const, body, receivedAt };
    }),
  );
  await service.evaluate();
}

describe.skipIf(chromiumPath === undefined)(inChromium("the dashboard"), { timeout: 600_000 }, () => {
  let browser: Browser;
  let service: DashboardService;
  beforeAll(async () => {
    browser = await openChromium();
    const env = { SPOOR_KEY: "a key of thirty-two characters ok", SPOOR_HOOK_HOSTS: "127.0.0.1" };
    service = await startDashboard({ hooks: openHooks(":memory:", env) });
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await service?.end();
  });
  const open = (path: string, options: Parameters<Browser["newPage"]>[0] = {}) =>
    openPage(browser, `${service.url}${path}`, options);

  it("teaches how to send a first run, and turns into the page when it arrives", async () => {
    const { page, problems, requests } = await open("/", { bypassCSP: true });
    await page.getByRole("heading", { name: "Send a run of your agent" }).waitFor();
    await expect
      .poll(() => page.locator(".commands code").allTextContents())
      .toEqual([
        `export SPOOR_SERVER=${service.url}\n`,
        "npx spoor record --push --agent my-agent --release v1 -- node my-agent.js\n",
        "npx spoor push recordings --agent my-agent --release v1\n",
      ]);
    expect(await violationsOf(page)).toEqual([]);
    await service.push(recording("first"), "agent=shop&release=v1");
    await page.getByRole("heading", { name: "1 agent recorded, and nothing to compare yet" }).waitFor();
    await page.getByRole("link", { name: "shop" }).waitFor();
    expect(problems).toEqual([]);
    expect(requests.filter((url) => !url.startsWith(service.url))).toEqual([]);
    await page.close();
    await fill(service);
  });

  it("says which agent changed and since when, in the gate's own words", async () => {
    const { page, problems } = await open("/");
    const title = "support_agent: issue_refund now runs without confirm_refund_amount before it, in 2 of 5 traces";
    await page.getByRole("heading", { name: title }).waitFor();
    await expect.poll(() => page.locator(".lead .status").textContent()).toBe("1 of 2 agents changed");
    await expect.poll(() => page.locator(".agents tr.hit").count()).toBe(1);
    // Numbers that count runs lead to these runs.
    const counted = page.locator(".facts dd a").first();
    const runs = await counted.textContent();
    await counted.click();
    await page.getByRole("heading", { name: `${runs} runs match` }).waitFor();
    await page.goBack();
    await page.getByRole("heading", { name: title }).waitFor();
    const waiting = await page.locator(".todo b").allTextContents();
    expect(waiting).toContain("A baseline of support_agent is proposed, generation 2");
    // The report is the one that the gate writes.
    await page.getByRole("link", { name: "See what changed" }).click();
    await page.waitForURL(/\/api\/v1\/reports\/\d+\.html$/);
    await expect.poll(() => page.locator("h1").textContent()).toContain("issue_refund now runs without");
    expect(problems).toEqual([]);
    await page.close();
  });

  it.each([
    "/",
    "/runs",
    "/runs?tool=nothing&agent=support_agent",
    "/runs?q=refund.amount",
    "/behaviours?agent=support_agent",
    "/baselines?agent=support_agent",
    "/baselines?agent=shop",
    "/policies",
    "/cohorts?agent=support_agent",
    "/cohorts?agent=shop",
    "/settings",
    "/compare",
  ])("%s has no fault that axe finds and never scrolls sideways, at any width in either theme", async (path) => {
    const { page, problems } = await open(path, { bypassCSP: true });
    await page.locator("main h1").first().waitFor();
    expect(await violationsOf(page)).toEqual([]);
    expect(problems).toEqual([]);
    await page.close();
  });

  it("goes on after its stream of events broke, with what happened meanwhile", async () => {
    const { page } = await open("/");
    await page.locator(".live .on").waitFor();
    service.app.service.listeners.close();
    await service.push(recording("while away"), "agent=night_reports&release=v1");
    await page.getByRole("link", { name: "night_reports" }).waitFor();
    await page.locator(".live .on").waitFor();
    await page.close();
  });

  it("is used with keys alone, and keeps the theme", async () => {
    const { page } = await open("/", { colorScheme: "light" });
    await page.locator("main h1").waitFor();
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keys" }).waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("t");
    expect(await page.evaluate(() => document.documentElement.dataset["theme"])).toBe("dark");
    await page.keyboard.press("/");
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("search");
    // A letter in the field is a letter.
    await page.keyboard.type("t");
    expect(await page.evaluate(() => document.documentElement.dataset["theme"])).toBe("dark");
    await page.reload();
    expect(await page.evaluate(() => document.documentElement.dataset["theme"])).toBe("dark");
    await page.close();
  });

  it("lists runs by filters that stand in the address, chooses two with keys, and compares them", async () => {
    const { page, problems } = await open("/runs?agent=support_agent&scenario=ticket-1042", { bypassCSP: true });
    await page.getByRole("heading", { name: "2 runs match" }).waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("x");
    await page.keyboard.press("k");
    await page.keyboard.press("x");
    await page.getByRole("link", { name: "Compare the two runs" }).waitFor();
    await page.reload();
    await page.getByRole("link", { name: "Compare the two runs" }).waitFor();
    await expect.poll(() => page.locator(".drow.chosen").count()).toBe(2);
    await page.getByRole("link", { name: "Compare the two runs" }).click();
    await page.locator("h1", { hasText: "confirm_refund_amount" }).waitFor();
    await page.locator(".row").first().waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.goBack();
    await page.getByRole("button", { name: "Without scenario ticket-1042" }).click();
    await page.getByRole("button", { name: /^rules broken 2$/ }).click();
    await page.getByRole("heading", { name: "2 runs match" }).waitFor();
    expect(new URL(page.url()).search).toContain("status=failed");
    expect(problems).toEqual([]);
    await page.close();
  });

  it("finds what Spoor prints in all runs, leads to it inside the run, and says so where nothing is found", async () => {
    const { page, problems } = await open("/");
    await page.locator("main h1").waitFor();
    const search = async (text: string) => {
      await page.keyboard.press("/");
      await page.keyboard.press("Control+a");
      await page.keyboard.type(text);
      await page.keyboard.press("Enter");
    };
    await search("refund.amount 89");
    await page.getByRole("heading", { name: "1 run holds refund.amount 89" }).waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "1 run holds refund.amount 89" }).waitFor();
    await page.getByText(/^Looked at all \d+ runs: names, findings, and what they said and did\./).waitFor();
    await page.getByText("No tool, agent, scenario, rule, release or model is called refund.amount 89.").waitFor();
    // With another filter, none.
    await page.locator("#filter").fill("release:v1");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "No run holds refund.amount 89" }).waitFor();
    await page.getByRole("button", { name: "Without release v1" }).click();
    await page.getByRole("heading", { name: "1 run holds refund.amount 89" }).waitFor();
    await page.locator(".drow").first().click();
    await page.waitForURL(/\/runs\/[0-9a-f]{32}\?q=refund/);
    await expect.poll(() => page.locator("#find-in").inputValue()).toBe("refund.amount 89");
    await page.locator("mark").first().waitFor();
    await search("confirm-before-refund");
    await page.getByRole("link", { name: "rule confirm-before-refund" }).click();
    await page.getByRole("heading", { name: /^\d+ runs match$/ }).waitFor();
    expect(problems).toEqual([]);
    await page.close();
  });

  it("opens a run at the turn where a rule is broken, finds in it, and comes back to it after a reload", async () => {
    const { page, problems } = await open("/runs?agent=support_agent&scenario=ticket-1042&release=v2", {
      bypassCSP: true,
    });
    await page.getByRole("heading", { name: "1 run matches" }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "ticket-1042" }).waitFor();
    await page.getByRole("link", { name: "confirm-before-refund at turn 2" }).click();
    await page.getByRole("heading", { name: /^Turn 2/ }).waitFor();
    await expect.poll(() => page.locator(".run-detail").textContent()).toContain("confirm-before-refund");
    await page.getByRole("searchbox", { name: "Find in this run" }).fill("refund.amount");
    await page.locator("mark").first().waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.reload();
    await page.getByRole("heading", { name: /^Turn 2/ }).waitFor();
    await expect
      .poll(() => page.getByRole("searchbox", { name: "Find in this run" }).inputValue())
      .toBe("refund.amount");
    expect(problems).toEqual([]);
    await page.close();
  });

  it("keeps what came meanwhile beside the list, and the reader's place in it", async () => {
    const { page } = await open("/runs?agent=shop");
    await page.getByRole("heading", { name: "1 run matches" }).waitFor();
    await page.locator(".live .on").waitFor();
    await page.locator(".dash-list").focus();
    await service.push(recording("second"), "agent=shop&release=v1");
    await page.getByRole("button", { name: "1 new" }).waitFor();
    await expect.poll(() => page.locator(".drow").count()).toBe(1);
    expect(await page.evaluate(() => document.activeElement?.className)).toContain("dash-list");
    await page.getByRole("button", { name: "1 new" }).click();
    await page.getByRole("heading", { name: "2 runs match" }).waitFor();
    await expect.poll(() => page.locator(".drow").count()).toBe(2);
    await page.close();
  });

  it("searches names of tools, agents, scenarios, rules, and says what is near where nothing matches", async () => {
    const { page } = await open("/");
    await page.locator("main h1").waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("confirm_refund_amount");
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "tool confirm_refund_amount" }).click();
    await page.locator("h1", { hasText: /^\d+ runs match$/ }).waitFor();
    await page.getByRole("combobox", { name: /Add a filter/ }).fill("scenario:nothing");
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "without scenario nothing" }).waitFor();
    await page.getByRole("combobox", { name: /Add a filter/ }).fill("colour:red");
    await page.keyboard.press("Enter");
    await page.getByText("colour:red is no filter.").waitFor();
    await page.close();
  });

  it("shows which path nobody approved, and follows it to its runs", async () => {
    const { page, problems } = await open("/behaviours?agent=support_agent");
    await page.getByRole("heading", { name: "Three known paths, and one that nobody approved" }).waitFor();
    await expect
      .poll(() => page.locator(".way.hit .ribbon b").allTextContents())
      .toEqual(["lookup_order", "issue_refund", "reply"]);
    // Its two weeks as a line, in words as well.
    await page
      .locator(".way.hit")
      .getByRole("img", { name: /^\d+ runs in two weeks: 0\.0 % of the runs of the first day/ })
      .waitFor();
    await page.locator(".way.hit a").focus();
    await expect.poll(() => page.locator(".flow.on").count()).toBe(2);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "2 runs match" }).waitFor();
    expect(problems).toEqual([]);
    await page.close();
  });

  it("draws paths with the whole names of their tools inside the page, at every width", async () => {
    const tools = [
      "mcp__github__get_pull_request_files",
      "readFileFromRepositoryAtCommit",
      "mcp__github__create_pull_request_review_comment",
      "x".repeat(64),
      "reply",
      "mcp__linear__update_issue",
    ];
    const many = Array.from({ length: 30 }, (_, index) => `look_at_file_${index}`);
    const loop = [...tools, ...tools, ...tools];
    const ways = [tools, many, loop, [tools[2]!, tools[0]!], ["reply"]];
    for (const [index, names] of ways.entries())
      await service.push(
        writeAgentlog(recordsOf(names.map((name) => ({ calls: [{ name, input: { index }, output: "done" }] })))),
        `agent=code_review&release=v1&scenario=${index}`,
      );
    const { page, problems } = await open("/behaviours?agent=code_review");
    await page.locator(".graph text").first().waitFor();
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      const drawn = () =>
        page.evaluate(() => {
          const svg = document.querySelector(".graph svg")!;
          return Number(svg.getAttribute("width")) === svg.parentElement!.clientWidth;
        });
      await expect.poll(drawn).toBe(true);
      expect([width, await misplacedTexts(page, ".graph")]).toEqual([width, []]);
      const names = await page.locator(".graph text:not(.c)").allTextContents();
      expect(names).toEqual(expect.arrayContaining([...tools, ...many.slice(0, 24)]));
      expect(names.join("")).not.toContain("…");
    }
    // Of the path of thirty steps the first are drawn, and all when asked.
    const columns = () => page.locator(".graph .flow").count();
    const before = await columns();
    await page.getByRole("button", { name: "Draw all 30 steps" }).click();
    await expect.poll(columns).toBe(before + 6);
    expect(await misplacedTexts(page, ".graph")).toEqual([]);
    expect(problems).toEqual([]);
    await page.close();
  });

  it("reaches every arrival that could not be read, page after page", async () => {
    const own = await startDashboard();
    try {
      const cutOff = Array.from({ length: 101 }, (_, index) => `{"messages":${index}`);
      await append(own, cutOff);
      const { page, problems } = await openPage(browser, `${own.url}/settings`, {});
      await expect.poll(() => page.locator(".feed li").count()).toBe(100);
      await page.getByRole("button", { name: "Show older ones" }).click();
      await expect.poll(() => page.locator(".feed li").count()).toBe(101);
      await page.getByRole("button", { name: "Show older ones" }).waitFor({ state: "detached" });
      expect(problems).toEqual([]);
      await page.close();
    } finally {
      await own.end();
    }
  });

  it("webhooks are added, tried and removed, and what was refused is said", async () => {
    const { page, problems } = await open("/settings", { bypassCSP: true });
    await page.getByText("Nobody is told.").waitFor();
    await page.getByLabel("A webhook for").fill("<b>support</b>");
    await page.getByLabel("at the address").fill("http://10.0.0.1/told");
    await page.getByRole("button", { name: "Add it" }).click();
    await page.getByRole("alert").getByText("10.0.0.1").first().waitFor();
    problems.length = 0;
    await page.getByLabel("at the address").fill("http://127.0.0.1:9/told");
    await page.getByRole("button", { name: "Add it" }).click();
    await page.getByText("it is not shown again").waitFor();
    await page.getByRole("button", { name: "Send a test to <b>support</b>" }).click();
    await page.getByText("This is a test of a webhook of Spoor.").waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole("button", { name: "Remove <b>support</b>" }).click();
    await page.getByRole("button", { name: "Remove <b>support</b> for good" }).click();
    await page.getByText("Nobody is told.").waitFor();
    expect(problems).toEqual([]);
    await page.close();
  });

  it("a baseline is approved by a person with a reason, and can be gone back to", async () => {
    const { page, problems } = await open("/");
    await page.locator("main h1").waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("l");
    await page.getByRole("combobox", { name: "Agent", exact: true }).selectOption("support_agent");
    await page.getByRole("heading", { name: "1 baseline to review" }).waitFor();
    await page.getByText("The same 3 paths as now").waitFor();
    const approve = page.getByRole("button", { name: "Approve" });
    expect(await approve.isDisabled()).toBe(true);
    await page.getByLabel("Who decides").fill("Ada");
    await page.getByLabel("Why").fill("<b>looked</b> at it");
    await approve.click();
    await page.getByRole("heading", { name: "Nothing to review" }).waitFor();
    await page.getByText("“<b>looked</b> at it”").waitFor();
    await page.getByRole("button", { name: "Go back to it" }).click();
    expect(await page.getByLabel("Who decides").inputValue()).toBe("Ada");
    await page.getByLabel("Why").fill("too soon");
    await page.getByRole("button", { name: "Make it count again" }).click();
    await page.getByText("“too soon”").waitFor();
    expect(problems).toEqual([]);
    await page.close();
  });

  it("one path is turned down and then accepted with keys alone, and the next generation of the baseline has it", async () => {
    const { page, problems } = await open("/behaviours?agent=support_agent", { bypassCSP: true });
    const decide = page.getByRole("button", { name: "Decide about lookup_order, issue_refund, reply" });
    await decide.focus();
    await page.keyboard.press("Enter");
    await page.getByLabel("Who decides").waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByLabel("Who decides").focus();
    await page.keyboard.type("Ada");
    await page.keyboard.press("Tab");
    await page.keyboard.type("asks nobody");
    await page.getByRole("button", { name: "Turn it down" }).focus();
    await page.keyboard.press("Enter");
    await page.getByText("turned down", { exact: true }).waitFor();
    await decide.focus();
    await page.keyboard.press("Enter");
    await page.getByLabel("Why").focus();
    await page.keyboard.type("meant after all");
    await page.getByRole("button", { name: "Accept this path" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Four known paths" }).waitFor();
    await expect.poll(() => decide.count()).toBe(0);
    await page.getByRole("link", { name: /^Baseline, generation \d+$/ }).click();
    await page.getByText("“meant after all”").waitFor();
    expect(problems).toEqual([]);
    // As it was, for whoever comes after.
    await must(
      service.ask("POST", "/api/v1/agents/support_agent/baselines/1/rollback", { json: { by: "Ines", why: "a test" } }),
    );
    await page.close();
  });

  it("tries an edited rule on the runs there are before it counts, and says every problem of one that cannot be read", async () => {
    const { page } = await open("/policies");
    const text = page.getByRole("textbox", { name: "The policy as YAML" });
    await text.waitFor();
    await text.fill("rules:\n  - id: no-address\n    kind: no_call\n    params: { tool: update_address }\n");
    await page.getByRole("button", { name: "Try it on the newest runs" }).click();
    await page.getByText(/^2 of \d+ runs would break a rule/).waitFor();
    await expect.poll(() => page.locator(".generations a").allTextContents()).toContain("ticket-1043");
    await text.fill("rules:\n  - kind: no_cal\n");
    await page.getByRole("button", { name: "Try it on the newest runs" }).click();
    await page.getByRole("alert").getByText("no_cal").first().waitFor();
    // Nothing of it was kept.
    await page.reload();
    await text.waitFor();
    await expect.poll(() => text.inputValue()).toContain("confirm-before-refund");
    await page.close();
  });

  it("tries a rule on older runs too, until there are none", async () => {
    const own = await startDashboard();
    try {
      const bodies = Array.from({ length: 101 }, (_, index) => recording(`run ${index}`));
      await append(own, bodies);
      const { page, problems } = await openPage(browser, `${own.url}/policies`, {});
      const text = page.getByRole("textbox", { name: "The policy as YAML" });
      await text.fill("rules:\n  - { id: no-refund, kind: no_call, params: { tool: issue_refund } }\n");
      await page.getByRole("button", { name: "Try it on the newest runs" }).click();
      await page.getByText(/^100 of 100 runs would break a rule.* there are older ones/).waitFor();
      // What is typed meanwhile is not what is tried.
      await text.fill("rules: []\n");
      await page.getByRole("button", { name: "Try it on older runs too" }).click();
      await page.getByText(/^101 of 101 runs would break a rule/).waitFor();
      await page.getByText("101 times in 101 runs").waitFor();
      await expect.poll(() => page.locator(".generations li").count()).toBe(101);
      await expect.poll(() => page.getByRole("button", { name: "Try it on older runs too" }).count()).toBe(0);
      expect(problems).toEqual([]);
      await page.close();
    } finally {
      await own.end();
    }
  });

  it("lists the agent that changed first and the others by name, a very long one on two lines until it is asked for", async () => {
    const long = `agent-${"of_the_support_team_".repeat(9)}end`;
    await service.push(recording("long"), new URLSearchParams({ agent: long, release: "v1" }).toString());
    const { page, problems } = await open("/", { bypassCSP: true });
    const link = page.getByRole("link", { name: long, exact: true });
    await link.waitFor();
    const [first, ...others] = await page.locator(".agents .name a").allTextContents();
    expect(first).toBe("support_agent");
    expect(others).toEqual(others.toSorted());
    const whole = page.getByRole("button", { name: `The whole name of ${long}` });
    const height = async () => (await link.boundingBox())!.height;
    const line = (await page.getByRole("link", { name: "support_agent", exact: true }).first().boundingBox())!.height;
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      await expect.poll(height).toBeLessThan(3 * line);
    }
    expect(await link.getAttribute("title")).toBe(long);
    expect(await violationsOf(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 900 });
    const closed = await height();
    await whole.focus();
    await page.keyboard.press("Enter");
    await expect.poll(height).toBeGreaterThan(closed);
    await expect.poll(() => whole.getAttribute("aria-expanded")).toBe("true");
    expect(problems).toEqual([]);
    await page.close();
  });

  it("says of two releases whether they changed, or how many runs that takes", async () => {
    const { page, problems } = await open("/cohorts?agent=support_agent");
    await page.locator(".lead .status").waitFor();
    await expect
      .poll(() => page.locator(".lead .status").textContent())
      .toMatch(/^(Changed|Unchanged|Not enough evidence)$/);
    await page.getByRole("link", { name: "The releases side by side" }).click();
    await page.locator("h1", { hasText: "confirm_refund_amount" }).waitFor();
    expect(problems).toEqual([]);
    await page.close();
  });

  it("shows what traces and names hold as text, whatever it is", async () => {
    const evil = "<img src=x onerror=alert(1)>\u202e\u001b[31m</script>";
    const id = await service.push(
      recording(evil, evil),
      new URLSearchParams({ agent: evil, release: evil, scenario: evil }).toString(),
    );
    const other = await service.push(
      recording(`${evil} again`, evil),
      new URLSearchParams({ agent: evil, release: `${evil} 2`, scenario: evil }).toString(),
    );
    await service.ask("POST", "/api/v1/traces", { body: '{"messages":[{"role":"assistant","content":7}]}' });
    await service.evaluate();
    const { json: compared } = await service.ask("GET", `/api/v1/compare?baseline=${id}&candidate=${other}`);
    for (const path of [
      "/",
      "/runs",
      `/runs/${id}`,
      `/compare?baseline=${id}&candidate=${other}`,
      `/api/v1/reports/${compared.id}.html`,
      `/behaviours?agent=${encodeURIComponent(evil)}`,
      "/settings",
      `/runs?q=${encodeURIComponent(evil)}`,
    ]) {
      const { page, problems, requests } = await open(path);
      await page.locator("h1").first().waitFor();
      if (path !== "/settings") await page.getByText("<img src=x").filter({ visible: true }).first().waitFor();
      await expect.poll(() => page.locator("img").count()).toBe(0);
      expect([path, problems]).toEqual([path, []]);
      expect(requests.filter((url) => !url.startsWith(service.url))).toEqual([]);
      await page.close();
    }
  });

  it("makes the first token, goes on with it, and revokes another", async () => {
    const own = await startDashboard();
    try {
      const { page } = await openPage(browser, `${own.url}/settings`, {});
      await page.getByText("only this machine is answered").waitFor();
      await page.getByLabel("A token for").fill("me");
      await page.getByRole("button", { name: "Make it" }).click();
      await expect.poll(() => page.locator(".made code").textContent()).toMatch(/^spoor_/);
      await page.reload();
      await page.getByLabel("A token for").fill("the CI");
      await page.getByRole("button", { name: "Make it" }).click();
      await page.getByRole("button", { name: "Revoke the CI" }).click();
      await page.getByRole("button", { name: "Revoke the CI for good" }).click();
      await page.getByText("revoked").waitFor();
      expect((await own.ask("GET", "/api/v1/me")).status).toBe(401);
      await page.close();
    } finally {
      await own.end();
    }
  });

  it("asks for a token where one is needed, keeps it from scripts, and lets go of it", async () => {
    const guarded = await startDashboard();
    try {
      const token = await guarded.token(["read", "admin"]);
      const { page } = await openPage(browser, `${guarded.url}/`, { bypassCSP: true });
      await page.getByRole("heading", { name: "Sign in with a token" }).waitFor();
      expect(await violationsOf(page)).toEqual([]);
      await page.keyboard.type("spoor_read_wrong");
      await page.keyboard.press("Enter");
      await page.getByRole("alert").waitFor();
      await page.getByRole("textbox", { name: "Token" }).fill(token);
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Send a run of your agent" }).waitFor();
      expect(await page.evaluate(() => document.cookie + JSON.stringify(localStorage))).not.toContain("spoor_");
      const [cookie] = await page.context().cookies();
      expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Strict", secure: true });
      await page.reload();
      await page.getByRole("heading", { name: "Send a run of your agent" }).waitFor();
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.getByRole("heading", { name: "Sign in with a token" }).waitFor();
      await page.close();
    } finally {
      await guarded.end();
    }
  });
});
