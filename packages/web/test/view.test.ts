/** `spoor view` as a person has it: the real program, a real browser, files that grow meanwhile. */
import { type ChildProcess, spawn } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { recordsOf } from "../../core/test/build.ts";
import { writeAgentlog } from "../../spoor/src/formats/agentlog.ts";
import { spoorBin } from "../../spoor/test/e2e/run-spoor.ts";
import { tabTo } from "./keyboard.ts";
import { chromiumPath, inChromium, openChromium } from "./open-chromium.ts";
import { openPage, violationsOf } from "./open-page.ts";

const refund = fileURLToPath(new URL("../../../examples/refund/", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "spoor-view-"));
const started: ChildProcess[] = [];
afterAll(() => {
  for (const child of started) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

interface Viewing {
  readonly url: string;
  /** Ctrl-C, and the exit code. */
  end(): Promise<number | null>;
}

/** Its output is a pipe, and a program that opens browsers stands in the path: it must not be asked. */
async function view(paths: readonly string[], ...options: string[]): Promise<Viewing> {
  const child = spawn(process.execPath, [spoorBin, "view", ...paths, ...options], {
    cwd: folder,
    // Nobody decides in CI.
    env: { ...process.env, CI: "", PATH: `${join(folder, "bin")}${delimiter}${process.env["PATH"]}` },
    stdio: ["ignore", "pipe", "ignore"],
  });
  started.push(child);
  const url = await new Promise<string>((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`ended with ${code}`)));
    child.stdout!.setEncoding("utf8").once("data", (text: string) => resolve(text.trim()));
  });
  return {
    url,
    end: () =>
      new Promise((resolve) => {
        child.once("exit", resolve);
        child.kill("SIGINT");
      }),
  };
}

/** Every file below a folder with its content. */
const filesOf = (path: string) =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => [join(entry.parentPath, entry.name), readFileSync(join(entry.parentPath, entry.name), "utf8")])
    .sort();

const logOf = (...texts: string[]) =>
  writeAgentlog(recordsOf(texts.map((text) => ({ user: text, text: `answer to ${text}` }))));

beforeAll(() => {
  cpSync(refund, folder, { recursive: true });
  for (const name of ["live", "bin"]) mkdirSync(join(folder, name));
  writeFileSync(join(folder, "live/first.agentlog"), logOf("one"));
  for (const name of ["xdg-open", "open"]) {
    writeFileSync(join(folder, "bin", name), `#!/bin/sh\necho asked > ${join(folder, "asked")}\n`);
    chmodSync(join(folder, "bin", name), 0o755);
  }
});

const json = { "content-type": "application/json" };

describe("who may ask", () => {
  let viewing: Viewing;
  beforeAll(async () => {
    viewing = await view(["live"]);
  });
  const ask = (
    path: string,
    { method = "GET", headers = {} }: { method?: string; headers?: Record<string, string> },
  ) => {
    const { port } = new URL(viewing.url);
    return new Promise<number | undefined>((resolve, reject) => {
      const asking = request({ host: "127.0.0.1", port, path, method, headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      asking.on("error", reject).end();
    });
  };

  it.each([
    { name: "who knows the address", path: "", status: 200 },
    { name: "by the name of this machine", path: "runs", host: "localhost", status: 200 },
    { name: "without the word", path: "/", status: 404 },
    { name: "with another word", path: `/${"0".repeat(32)}/`, status: 404 },
    { name: "by a name that somebody else owns", path: "", host: "evil.example", status: 403 },
    { name: "by an address that is not ours", path: "runs", host: "0.0.0.0", status: 403 },
    { name: "from another page", path: "runs", headers: { "sec-fetch-site": "cross-site" }, status: 403 },
    { name: "to write", path: "runs", method: "POST", status: 405 },
    { name: "to decide, from no page", path: "decide", method: "POST", headers: json, status: 403 },
    {
      name: "to decide, from another page",
      path: "decide",
      method: "POST",
      headers: { ...json, origin: "http://evil.example" },
      status: 403,
    },
    {
      name: "to decide, with a form of ours",
      path: "decide",
      method: "POST",
      headers: { origin: "own", "content-type": "text/plain" },
      status: 415,
    },
    {
      name: "to decide, from a page that lies about its site",
      path: "decide",
      method: "POST",
      headers: { ...json, origin: "own", "sec-fetch-site": "same-site" },
      status: 403,
    },
    {
      name: "to decide, with the wrong word",
      path: `/${"0".repeat(32)}/decide`,
      method: "POST",
      headers: { ...json, origin: "own" },
      status: 405,
    },
    {
      name: "to decide, with nothing",
      path: "decide",
      method: "POST",
      headers: { ...json, origin: "own" },
      status: 400,
    },
    { name: "for a run that is not there", path: "run?key=../../etc/passwd", status: 404 },
    { name: "for a broken address", path: "run?key=%E0%A4%A", status: 404 },
  ])("$name: $status", async ({ path, status, host, headers = {}, method = "GET" }) => {
    const { pathname, port } = new URL(viewing.url);
    const target = path.startsWith("/") ? path : `${pathname}${path}`;
    const named = {
      ...(host === undefined ? {} : { host: `${host}:${port}` }),
      ...("origin" in headers && headers.origin === "own" ? { origin: `http://127.0.0.1:${port}` } : {}),
    };
    expect(await ask(target, { method, headers: { ...headers, ...named } })).toBe(status);
  });

  it("the page may talk to nobody else, and stands in no frame", async () => {
    const { headers } = await fetch(viewing.url);
    const policy = headers.get("content-security-policy")!;
    for (const part of ["default-src 'none'", "connect-src 'self'", "frame-ancestors 'none'"])
      expect(policy).toContain(part);
    expect(policy).not.toContain("unsafe");
  });

  it("opens no browser where nobody sits, and ends with Ctrl-C as a shell expects", async () => {
    // Someone who listens does not keep it from ending.
    const events = await fetch(`${viewing.url}events`);
    expect(await viewing.end()).toBe(130);
    await events.text().catch(() => "broken off");
    expect(existsSync(join(folder, "asked"))).toBe(false);
  });

  it("a path that names nothing is exit 2", async () => {
    await expect(view(["nothing-here"])).rejects.toThrow("ended with 2");
  });
});

describe.skipIf(chromiumPath === undefined)(inChromium("the page of spoor view"), () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openChromium();
  });
  afterAll(() => browser?.close());

  it("lists, opens, and follows files that grow without losing the reader's place", async () => {
    const viewing = await view(["live"], "--no-open");
    const { page, problems } = await openPage(browser, viewing.url);
    await expect.poll(() => page.textContent(".count")).toBe("1 of 1 trace shown");
    writeFileSync(join(folder, "live/second.agentlog"), logOf("red", "green"));
    await expect.poll(() => page.textContent(".count")).toBe("2 of 2 traces shown");
    await page.click("text=second.agentlog");
    await page.waitForSelector(".rrow");
    await page.keyboard.press("j");
    await expect.poll(() => page.textContent(".run-detail h3")).toContain("Turn 2");
    await page.focus(".run-rows");
    const [, ...rest] = logOf("red", "green", "blue").split("\n").slice(4);
    appendFileSync(join(folder, "live/second.agentlog"), rest.join("\n"));
    await expect.poll(() => page.locator(".rrow").count()).toBe(3);
    expect(await page.textContent('.rrow[aria-selected="true"] .n')).toBe("2");
    expect(await page.evaluate(() => document.activeElement?.className)).toContain("run-rows");
    // A reload brings everything back.
    await page.reload();
    await expect.poll(() => page.textContent('.rrow[aria-selected="true"] .n')).toBe("2");
    writeFileSync(join(folder, "live/broken.json"), "{}");
    await expect.poll(() => page.textContent("#runs")).toContain("broken.json");
    expect(problems).toEqual([]);
    expect(await viewing.end()).toBe(130);
    await expect.poll(() => page.textContent("#runs")).toContain("spoor view has ended");
    await expect.poll(() => page.locator(".rrow").count()).toBe(3);
    await page.close();
  });

  it("compares two runs that were chosen with keys alone, results included, and rules stand at their turn", async () => {
    const viewing = await view(["baseline", "candidate"], "--no-open");
    const { page, problems, requests } = await openPage(browser, viewing.url);
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    // By tool, with a letter in the closed list; a reload keeps it.
    await tabTo(page, "select[aria-label=Tool]");
    await press("u");
    await expect.poll(() => page.textContent(".count")).toBe("2 of 10 traces shown");
    await page.reload();
    await expect.poll(() => page.textContent(".count")).toBe("2 of 10 traces shown");
    expect(decodeURIComponent(new URL(page.url()).hash)).toBe("#&only=tool:update_address");
    await page.selectOption("select[aria-label=Tool]", "");
    await expect.poll(() => page.textContent(".count")).toBe("10 of 10 traces shown");
    await page.locator("select[aria-label=Tool]").blur();
    // The second of the five baselines, and the candidate of the same ticket five rows further.
    await press("j", "x", "j", "j", "j", "j", "j", "x");
    await expect
      .poll(() => page.textContent(".choice"))
      .toBe("Compare baseline/ticket-1042.agentlog with candidate/ticket-1042.agentlog");
    await page.focus(".choice a");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.textContent(".lede")).toBe("confirm_refund_amount is no longer called.");
    expect(await page.textContent(".trail")).toContain("R-7731");
    await press("j", "j");
    await expect.poll(() => page.locator(".row.here").getAttribute("id")).toBe("candidate/ticket-1042.agentlog:2");
    await page.reload();
    await expect.poll(() => page.locator(".row.here").getAttribute("id")).toBe("candidate/ticket-1042.agentlog:2");
    // The project's own rules, without being asked for.
    await page.goto(`${viewing.url}#candidate/ticket-1042.agentlog:turn-2`);
    await expect.poll(() => page.textContent(".run-detail")).toContain("confirm-before-refund");
    expect(new Set(requests.map((url) => new URL(url).origin))).toEqual(new Set([new URL(viewing.url).origin]));
    expect(problems).toEqual([]);
    await page.close();
    for (const hash of ["", "#candidate/ticket-1042.agentlog&vs=baseline/ticket-1042.agentlog"]) {
      const { page: wide } = await openPage(browser, `${viewing.url}${hash}`, { bypassCSP: true });
      if (hash !== "") await wide.waitForSelector(".trail");
      expect(await violationsOf(wide)).toEqual([]);
      await wide.close();
    }
    await viewing.end();
  });

  it("accepts and rejects what the project's gate found: all of it is written, and nothing that was not looked at", async () => {
    const project = join(folder, "project");
    cpSync(refund, project, { recursive: true });
    const viewing = await view([], "--no-open", "--config", join(project, "spoor.config.yaml"));
    const { page, problems } = await openPage(browser, viewing.url);
    await page.click("text=Review what changed");
    await page.waitForSelector(".review");
    await expect.poll(() => page.textContent(".lede")).toContain("issue_refund now runs without");
    expect(await page.textContent(".review .btn")).toBe("Write 0 decisions");
    expect(await page.isDisabled(".review .btn")).toBe(true);
    // The runs of the card stand below, with what they returned.
    await page.click(".review .say a");
    await expect.poll(() => page.textContent(".listed")).toBe("2 of 5 tickets listed");
    expect(await page.textContent(".stage")).toContain("R-7731");
    const decide = async (name: string) => {
      await page.getByLabel(name).first().check();
      await page.getByLabel("Why").fill("because of a test");
      await page.click(".review .btn");
    };
    // Another run of the candidate between looking and writing: refused in words, and no file is another than before.
    const before = filesOf(project);
    const { stamp } = (await (await fetch(`${viewing.url}review`)).json()) as { stamp: string };
    const send = (body: object) =>
      fetch(`${viewing.url}decide`, {
        method: "POST",
        headers: { ...json, origin: new URL(viewing.url).origin },
        body: JSON.stringify(body),
      });
    const decisions = [{ card: 1, decision: "reject" }];
    for (const [body, says] of [
      [{ stamp: "other", decisions, reason: "x" }, "have changed since you looked"],
      [{ stamp, decisions, reason: " " }, "want to know why"],
      [{ stamp, decisions: [{ card: 9, decision: "reject" }], reason: "x" }, "There is no card 9"],
      [{ stamp, decisions: [{ card: 1, decision: "__proto__" }], reason: "x" }, "This is no decision"],
    ] as const) {
      const refused = await send(body);
      expect([refused.status, await refused.text()]).toEqual([409, expect.stringContaining(says)]);
    }
    expect(filesOf(project)).toEqual(before);
    await decide("Reject");
    await expect.poll(() => page.textContent("#runs")).toMatch(/Written: .*evals\/regressions\.yaml/);
    const decisionsFile = readFileSync(join(project, "spoor.decisions.jsonl"), "utf8").trim().split("\n");
    expect(decisionsFile.map((line) => JSON.parse(line) as object)).toMatchObject([
      { schema: "spoor.rejection/1", why: "because of a test" },
    ]);
    expect(problems).toEqual([]);
    await page.close();
    const { page: wide } = await openPage(browser, `${viewing.url}#&vs=@review`, { bypassCSP: true });
    await wide.waitForSelector(".review");
    expect(await violationsOf(wide)).toEqual([]);
    await wide.close();
    await viewing.end();
  });

  it("is reviewed without a mouse: accepted with a reason, and every stop of the focus is seen", async () => {
    const project = join(folder, "keys");
    cpSync(refund, project, { recursive: true });
    const viewing = await view([], "--no-open", "--config", join(project, "spoor.config.yaml"));
    const { page, problems } = await openPage(browser, viewing.url);
    await tabTo(page, "a[href*='@review'], a[href*='%40review']");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".review");
    await tabTo(page, ".review input[type=radio]");
    // The one that is chosen has the focus: from "decide later" upwards to "reject", and further to "accept".
    await page.keyboard.press("ArrowUp");
    await expect.poll(() => page.getByLabel("Reject").first().isChecked()).toBe(true);
    for (let times = 0; times < 3 && !(await page.getByLabel("Accept").first().isChecked()); times++)
      await page.keyboard.press("ArrowUp");
    await expect.poll(() => page.getByLabel("Accept").first().isChecked()).toBe(true);
    await tabTo(page, ".review input[type=checkbox]");
    await page.keyboard.press("Space");
    await tabTo(page, ".review input[type=text]");
    await page.keyboard.type("refunds need no question any more");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.textContent("#runs")).toMatch(/Written: .*policies\/refunds\.yaml/);
    expect(readFileSync(join(project, "spoor.decisions.jsonl"), "utf8")).toContain("refunds need no question any more");
    expect(problems).toEqual([]);
    await page.close();
    await viewing.end();
  });

  it("takes hostile traces for text", async () => {
    const attack =
      '</script><img src=x onerror="window.pwned=1"><svg onload=window.pwned=1> javascript:window.pwned=1 \u202e\u0000\u001b[31m';
    const name = "a <img src=x onerror=window.pwned=1> b.agentlog";
    mkdirSync(join(folder, "hostile"));
    for (const file of [name, `c ${name}`])
      writeFileSync(
        join(folder, "hostile", file),
        writeAgentlog(
          recordsOf([
            { user: attack, text: attack, calls: [{ name: attack, input: { [attack]: attack }, output: attack }] },
          ]),
        ),
      );
    writeFileSync(join(folder, "hostile", "unread <img src=x onerror=window.pwned=1>.json"), "{}");
    const viewing = await view(["hostile"], "--no-open");
    const { page, problems, requests } = await openPage(browser, viewing.url);
    await page.keyboard.press("x");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".rrow");
    await page.keyboard.press("j");
    await expect.poll(() => page.textContent(".run-detail h3")).toContain("Call 1");
    const said = (await page.textContent("body"))!;
    expect(said).toContain("onerror");
    expect(said).not.toMatch(/[\u0000\u001b\u202e]/);
    expect(await page.evaluate(() => (window as unknown as { pwned?: number }).pwned)).toBeUndefined();
    await expect.poll(() => page.locator("img, iframe, object, embed, link").count()).toBe(0);
    expect(requests.every((url) => url.startsWith(viewing.url))).toBe(true);
    expect(problems).toEqual([]);
    await page.close();
    await viewing.end();
  });

  it("takes the traces, rules and names of a hostile project for text in its review", async () => {
    const attack = '</script><img src=x onerror="window.pwned=1"><svg onload=window.pwned=1> \u202e\u001b[31m';
    const project = join(folder, "hostile-project");
    for (const [side, changed] of [
      ["baseline", ""],
      ["candidate", " changed"],
    ] as const) {
      mkdirSync(join(project, side), { recursive: true });
      writeFileSync(
        join(project, side, "a <img src=x onerror=window.pwned=1>.agentlog"),
        writeAgentlog(
          recordsOf([
            {
              user: attack,
              text: attack + changed,
              calls: [{ name: attack + changed, input: { [attack]: attack + changed }, output: attack }],
            },
          ]),
        ),
      );
    }
    writeFileSync(
      join(project, "policy.yaml"),
      'rules:\n  - { id: "<img src=x onerror=window.pwned=1>", kind: forbidden_text, params: { text: "changed" } }\n',
    );
    writeFileSync(
      join(project, "spoor.config.yaml"),
      "agent: <b>tester</b>\ntraces: candidate\ndiff: { baseline: baseline }\npolicy: { files: [policy.yaml] }\n",
    );
    const viewing = await view([], "--no-open", "--config", join(project, "spoor.config.yaml"));
    const { page: wide } = await openPage(browser, `${viewing.url}#&vs=@review`, { bypassCSP: true });
    await wide.waitForSelector(".row");
    expect(await violationsOf(wide)).toEqual([]);
    await wide.close();
    const { page, problems, requests } = await openPage(browser, `${viewing.url}#&vs=@review`);
    await page.waitForSelector(".review");
    await page.waitForSelector(".row");
    const said = (await page.textContent("body"))!;
    expect(said).toContain("onerror");
    expect(said).not.toMatch(/[\u0000\u001b\u202e]/);
    await page.getByLabel("Reject").first().check();
    await page.getByLabel("Why").fill(attack);
    await page.keyboard.press("Enter");
    await expect.poll(() => page.textContent("#runs")).toContain("Written:");
    expect(await page.evaluate(() => (window as unknown as { pwned?: number }).pwned)).toBeUndefined();
    await expect.poll(() => page.locator("img, iframe, object, embed, link").count()).toBe(0);
    expect(requests.every((url) => url.startsWith(viewing.url))).toBe(true);
    expect(problems).toEqual([]);
    await page.close();
    await viewing.end();
  });
});
