import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import type { Json } from "@spoor/core";
import { buildBaselineSchema } from "@spoor/core/internal/fingerprint/baseline-file";
import { compileSchema } from "@spoor/core/internal/json-schema/compile-schema";
import { beforeEach, describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/e2e/run-spoor.ts";
import { writeAgentlog } from "../../formats/agentlog.ts";
import type { Terminal } from "../../review/screen.ts";
import type { Io } from "../io.ts";
import { runCommandLine } from "../run-command-line.ts";

/** The support agent of the experience document: tools called one per turn, then a reply. */
function ticket(tools: readonly string[], agent = "support_agent", model = "gpt-4.1"): string {
  const records = [{ kind: "metadata", payload: { agent } as Json }];
  for (const [index, tool] of [...tools, undefined].entries()) {
    const offered = ["lookup_order", "confirm_refund_amount", "issue_refund", "update_address"].map((name) => ({
      name,
    }));
    records.push({
      kind: "chat_request",
      payload: { model, messages: [{ role: "user", content: "hi" }], tools: offered },
    });
    const content: Json[] =
      tool === undefined
        ? [{ type: "text", text: "Done." }]
        : [{ type: "tool_use", id: `c${index}`, name: tool, input: {} }];
    records.push({
      kind: "chat_response",
      payload: {
        model,
        content,
        stop_reason: "end_turn",
        latency_ms: 800,
        usage: { input_tokens: 400, output_tokens: 40 },
      },
    });
    if (tool !== undefined)
      records.push({ kind: "tool_result", payload: { tool_call_id: `c${index}`, output: { ok: true } } });
  }
  return writeAgentlog(records);
}

const REFUND = ["lookup_order", "confirm_refund_amount", "issue_refund"];
const UNCONFIRMED = ["lookup_order", "issue_refund"];

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

function write(name: string, text: string): void {
  mkdirSync(join(folder, name, ".."), { recursive: true });
  writeFileSync(join(folder, name), text);
}

/** 50 recorded tickets and five new ones, two of which skip the confirmation. */
function writeStory(): void {
  for (let index = 0; index < 50; index++) {
    const tools = index < 24 ? REFUND : index < 40 ? ["lookup_order"] : ["lookup_order", "update_address"];
    write(`traces/run-${String(index).padStart(2, "0")}.agentlog`, ticket(tools));
  }
  const now = [["lookup_order"], UNCONFIRMED, ["lookup_order", "update_address"], UNCONFIRMED, REFUND];
  for (const [index, tools] of now.entries()) write(`candidate/ticket-${1041 + index}.agentlog`, ticket(tools));
}

/** A terminal at which somebody presses these keys, one after the other. */
function typing(keys: readonly string[], write: (text: string) => void): Terminal {
  return {
    size: () => ({ columns: 80, rows: 40 }),
    write,
    setRaw: () => undefined,
    onInput(listener) {
      setImmediate(() => {
        for (const key of keys) listener(Buffer.from(key));
      });
      return () => undefined;
    },
    onEnd: () => () => undefined,
    onResize: () => () => undefined,
  };
}

interface Answer {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function spoor(
  words: string,
  options: { env?: Record<string, string>; keys?: string[]; at?: string } = {},
): Promise<Answer> {
  let out = "";
  let err = "";
  const { keys } = options;
  const print = (text: string) => {
    out += text;
  };
  const io: Io = {
    cwd: folder,
    program: "spoor",
    env: options.env ?? {},
    stdin: Readable.from([]),
    interactive: keys !== undefined,
    ...(keys === undefined ? {} : { terminal: typing(keys, print) }),
    stdoutIsTerminal: false,
    stderrIsTerminal: false,
    columns: 80,
    out: print,
    err: (text) => {
      err += text;
    },
    now: () => new Date(options.at ?? "2026-01-01T09:00:00Z"),
  };
  const args = words.split(" ").map((word) => word.replace(/^@/, () => `${folder}/`));
  const store = args[0] === "baseline" ? ["--baseline", join(folder, "baselines")] : [];
  const code = await runCommandLine([...args, ...store], io);
  // The exit code stands at the right edge, whose distance depends on the length of the folder's name.
  const plain = out.replaceAll(`${folder}/`, "").replace(/ {2,}exit code/g, "  exit code");
  return { code, out: plain, err: err.replaceAll(`${folder}/`, "") };
}

const file = () => join(folder, "baselines/support_agent.json");
const stored = () => JSON.parse(readFileSync(file(), "utf8")) as Record<string, Record<string, { name?: string }>>;
function nameBehaviours(): void {
  const names = {
    e32e962fb94c2917: "refund",
    "5cafd80b58b695bd": "order status",
    "79735cabe7edcbd2": "address change",
  };
  let text = readFileSync(file(), "utf8");
  for (const [hash, name] of Object.entries(names))
    text = text.replace(`"fingerprint_hash": "${hash}"`, `"name": "${name}",\n      "fingerprint_hash": "${hash}"`);
  writeFileSync(file(), text);
}

describe("the story of the unconfirmed refunds", () => {
  beforeEach(async () => {
    writeStory();
    expect((await spoor("baseline build @traces --by ada")).code).toBe(0);
    nameBehaviours();
  });

  it("is told consequence first, in 80 columns", async () => {
    const { code, out } = await spoor("baseline compare @candidate");
    expect(code).toBe(1);
    expect(out.split("\n").every((line) => line.length <= 80)).toBe(true);
    expect(out).toMatchInlineSnapshot(`
      "✗ 2 of 3 refund runs skip confirm_refund_amount. All 24 recorded refund runs
        called it; chance would do this in fewer than 1 of 100 comparisons.
        support_agent: 50 recorded runs, 3 known behaviours, fingerprint v2 sequence

        trace        status  closest known behaviour      seen  similar  fingerprint
        ticket-1041  match   order status             16 times    100 %  5cafd80b58b6…
        ticket-1042  NEW     refund                   24 times     73 %  1294370c8cae…
        ticket-1043  match   address change           10 times    100 %  79735cabe7ed…
        ticket-1044  NEW     refund                   24 times     73 %  1294370c8cae…
        ticket-1045  match   refund                   24 times    100 %  e32e962fb94c…

        ticket-1042 against the closest known behaviour:
        refund  lookup_order > confirm_refund_amount > issue_refund > reply
        now     lookup_order > --------------------- > issue_refund > reply
        73 % = tools in common 2 of 3 (weight 0.4), order kept 2 of 3 (0.4), no errors
        on either side (0.2). From 75 % on it would be a variant.

        Signal      moderate: confirm_refund_amount per run fell from 1 call to 0, in
                    2 of 5 runs
        Comparable  yes: same model, tools on offer and hash version

        Blocked by lost tool confirm_refund_amount.
        Next: spoor baseline review candidate --baseline baselines
        exit code 1
      "
    `);
  });

  it("says the same in ASCII, in Markdown and in JSON", async () => {
    const ascii = await spoor("baseline compare @candidate --ascii");
    expect(ascii.out).toMatch(/^X 2 of 3 refund runs skip confirm_refund_amount/);
    expect(ascii.out).not.toMatch(/[^\x20-\x7e\n]/);
    const markdown = await spoor("baseline compare @candidate --format markdown");
    expect(markdown.out).toContain(
      "### ✗ 2 of 3 `refund` runs skip `confirm_refund_amount`\nAll 24 recorded `refund` runs called it",
    );
    const { out } = await spoor("baseline compare @candidate --format json");
    const report = JSON.parse(out);
    expect(report).toMatchObject({
      schema: "spoor.baseline/1",
      action: "compare",
      verdict: { code: "lost_tool", lost: { runs: 2, of: 3, recorded: 24 } },
      summary: { status: "failed", totalTraces: 5, passed: 3, newBehavior: 2 },
      gate: { failOn: "tools", tripped: true },
    });
    expect(report.agents[0].runs[1].score.total).toBeGreaterThan(0);
  });

  it("passes in one breath when nothing changed, and blocks on request only", async () => {
    const same = await spoor("baseline compare @traces/run-00.agentlog @traces/run-30.agentlog");
    expect(same).toMatchObject({ code: 0 });
    expect(same.out.split("\n")[0]).toBe("✓ No new behaviour: 2 of 2 runs follow a known path (50 recorded runs).");
    expect((await spoor("baseline compare @candidate --fail-on none")).code).toBe(0);
    expect((await spoor("baseline compare @candidate --block no")).code).toBe(0);
  });

  it("a reviewer rejects: it is remembered and keeps failing, and nothing else is written", async () => {
    const before = stored()["intents"];
    const keys = ["r", "w", "not without a confirmation", "\r"];
    const { out } = await spoor("baseline review @candidate --by ada", { keys });
    expect(out).toContain("2 runs");
    expect(out).toContain("lookup_order > --------------------- > issue_refund > reply");
    expect(out).toContain("✓ Rejected: a path that was never seen: 1294370c8cae45db, in 2 runs.");
    expect(stored()["intents"]).toEqual(before);
    expect(stored()["rejected"]).toEqual({
      "1294370c8cae45db": { by: "ada", why: "not without a confirmation", at: "2026-01-01T09:00:00.000Z" },
    });
    const again = await spoor("baseline compare @candidate");
    expect(again.code).toBe(1);
    expect(again.out).toContain("REJECTED");
    expect((await spoor("baseline review @candidate", { keys: ["q"] })).out).toContain("Nothing to accept");
  });

  it("a reviewer accepts: the comparison passes from then on, until it is rolled back", async () => {
    await spoor("baseline review @candidate --by ada --reason agreed", { keys: ["a", "w"] });
    expect((await spoor("baseline compare @candidate")).code).toBe(0);
    const history = (await spoor("baseline history")).out.replace(/\s+/g, " ");
    expect(history).toContain("accept 1294370c8cae45db as a variant of refund. ada: agreed");
    expect((await spoor("baseline rollback support_agent --by ada --why hasty")).out).toContain("back to generation 1");
    expect((await spoor("baseline compare @candidate")).code).toBe(1);
  });

  it("a reviewer accepts a path as a behaviour of its own", async () => {
    await spoor("baseline review @candidate --by ada --reason agreed", { keys: ["n", "w"] });
    const history = (await spoor("baseline history")).out.replace(/\s+/g, " ");
    expect(history).toContain("accept 1294370c8cae45db as a behaviour of its own. ada: agreed");
  });

  it.each([[["s", "q"]], [["q"]], [["a", "q", "d"]], [["a", "u", "w", "q"]]])(
    "typing %j changes nothing",
    async (keys) => {
      const before = readFileSync(file(), "utf8");
      expect((await spoor("baseline review @candidate", { keys })).code).toBe(0);
      expect(readFileSync(file(), "utf8")).toBe(before);
    },
  );

  it("approve and reject work without a terminal, with a reason", async () => {
    expect((await spoor("baseline approve 1294370c8cae45db @candidate")).err).toContain("--why is missing");
    const approved = await spoor("baseline approve 1294370c8cae45db @candidate --of refund --by ada --why ok");
    expect(approved.out).toContain("Accepted: 1294370c8cae45db as a variant of refund");
    expect((await spoor("baseline compare @candidate")).code).toBe(0);
    expect((await spoor("baseline approve 0000000000000000 @candidate --why ok")).err).toContain(
      "baseline.hash-not-found",
    );
    expect((await spoor("baseline reject e32e962fb94c2917 @candidate --why no")).err).toContain(
      "baseline.already-known",
    );
  });

  it("CI reads and never writes", async () => {
    const before = readFileSync(file(), "utf8");
    const env = { CI: "true" };
    for (const words of [
      "build @traces --update",
      "review @candidate",
      "approve 1294370c8cae45db @candidate --why x",
      "rollback --why x",
    ]) {
      const { code, err } = await spoor(`baseline ${words}`, { env });
      expect([words, code]).toEqual([words, 2]);
      expect(err).toMatch(/baseline\.read-only-in-ci|accept\.in-ci/);
    }
    expect((await spoor("baseline compare @candidate", { env })).code).toBe(1);
    expect(readFileSync(file(), "utf8")).toBe(before);
  });

  it("building again needs a word; names given by hand survive it", async () => {
    expect((await spoor("baseline build @traces")).err).toContain("baseline.exists");
    const updated = await spoor("baseline build @candidate --update");
    expect(updated.out).toContain("4 behaviours from 55 runs");
    await spoor("baseline build @traces --replace");
    expect(
      Object.values(stored()["intents"]!)
        .map((intent) => intent.name)
        .sort(),
    ).toEqual(["address change", "order status", "refund"]);
  });

  it("the file fits its published schema", () => {
    const schema = compileSchema(buildBaselineSchema() as Json);
    if (typeof schema === "string") throw new Error(schema);
    expect(schema.check(JSON.parse(readFileSync(file(), "utf8")) as Json)).toEqual([]);
  });

  it("a baseline of another fingerprint version is refused in the words of the error page", async () => {
    writeFileSync(file(), readFileSync(file(), "utf8").replace('"hash_version": "v2"', '"hash_version": "v3"'));
    const { code, err } = await spoor("baseline compare @candidate");
    expect(code).toBe(2);
    expect(err.replace(/\s+/g, " ")).toContain(
      "was made with fingerprint v3; this Spoor (0.1.0) computes v2. No hash could ever match and every run would look new, so they are not compared. To upgrade: npm i -D spoor@latest",
    );
    expect(err).toContain("baseline.not-comparable  exit code 2");
  });

  it("the other mode is refused, not called new", async () => {
    const { code, err } = await spoor("baseline compare @candidate --mode structural");
    expect(code).toBe(2);
    expect(err).toContain("baseline.not-comparable");
  });

  it("rules about drift stand in an ordinary policy; severe ones block", async () => {
    const rule = (severity: string) => `rules:\n  - { id: known, kind: known_path, severity: ${severity} }\n`;
    write("severe.yaml", rule("error"));
    write("moderate.yaml", rule("warning"));
    const blocked = await spoor("baseline compare @candidate --fail-on none --policy @severe.yaml");
    expect([blocked.code, blocked.out.includes("2 violations, 0 warnings, 0 not evaluated")]).toEqual([1, true]);
    const warned = await spoor("baseline compare @candidate --fail-on none --policy @moderate.yaml");
    expect([warned.code, warned.out.includes("0 violations, 2 warnings, 0 not evaluated")]).toEqual([0, true]);
  });

  it("an older drift policy is read as rules, with a note; a missing one is an error", async () => {
    write("drift.yml", "block_merges: false\nrules:\n  - name: no-new-paths\n    fail_if: { on_variant: true }\n");
    const open = await spoor("baseline compare @candidate --policy @drift.yml");
    expect(open.code).toBe(0);
    expect(open.err).toContain("a drift policy of the older form");
    expect(open.out).toContain("2 violations, 0 warnings, 0 not evaluated");
    expect((await spoor("baseline compare @candidate --policy @drift.yml --block yes")).code).toBe(1);
    expect((await spoor("baseline compare @candidate --policy @nothing.yml")).err).toContain("policy.unreadable");
  });
});

it("a signal counts only the runs of which its sentence is true", async () => {
  for (let index = 0; index < 9; index++) write(`traces/${index}.agentlog`, ticket(["read", "write"]));
  await spoor("baseline build @traces");
  write("now/a.agentlog", ticket(["write"]));
  write("now/b.agentlog", ticket(["write"]));
  write("now/c.agentlog", ticket(["read", "read", "write"]));
  write("now/d.agentlog", ticket(["read", "read", "read", "read", "write"]));
  const { out } = await spoor("baseline compare @now");
  expect(out).toContain("read per run fell from 1 call to 0, in 2 of 4 runs\n");
  expect(out.replace(/\s+/g, " ")).toContain(
    "read per run rose from 1 call to 4, in 2 of 4 runs (the largest change is shown)",
  );
});

it("a fleet: every agent against its own baseline, one line each", async () => {
  for (let index = 0; index < 6; index++) {
    write(`traces/a${index}.agentlog`, ticket(REFUND, "alpha"));
    write(`traces/b${index}.agentlog`, ticket(["lookup_order"], "beta"));
  }
  await spoor("baseline build @traces");
  write("now/a.agentlog", ticket(REFUND, "alpha"));
  write("now/b.agentlog", ticket(["lookup_order", "delete_all"], "beta"));
  write("now/c.agentlog", ticket(["lookup_order"], "gamma"));
  const { code, out } = await spoor("baseline compare @now");
  expect(code).toBe(1);
  expect(out).toMatchInlineSnapshot(`
    "✗ The agent now calls delete_all, never seen in 6 baseline runs, in 1 of 1 run.

      agent  runs  known  variant  NEW  what stands out
      alpha     1      1        0    0  nothing
      beta      1      0        0    1  new: delete_all
      gamma     1      0        0    0  no baseline

      One agent in detail: spoor baseline compare now --baseline
      baselines --agent beta

      Blocked by new tool delete_all, no baseline for gamma.
      Next: spoor baseline review now --baseline baselines
      exit code 1
    "
  `);
  expect((await spoor("baseline compare @now --agent beta")).out).toContain(
    "The agent now calls delete_all, never seen in 6 baseline runs, in 1 of 1 run.",
  );
});

it("content-blind copies: the same fingerprint, a chain that verifies, and one that does not once edited", async () => {
  write("t/a.agentlog", ticket(UNCONFIRMED));
  expect((await spoor("convert @t/a.agentlog -o @b/a.blind.jsonl --content-blind")).code).toBe(0);
  expect((await spoor("fingerprint @b/a.blind.jsonl")).out).toContain("1294370c8cae45db");
  expect((await spoor("verify @b/a.blind.jsonl")).out).toBe("✓ b/a.blind.jsonl: 5 steps, the hash chain is whole\n");
  const lines = readFileSync(join(folder, "b/a.blind.jsonl"), "utf8").split("\n");
  write("b/edited.blind.jsonl", lines.map((line) => line.replace('"latency_ms":800', '"latency_ms":80')).join("\n"));
  const edited = await spoor("verify @b/edited.blind.jsonl");
  expect(edited.code).toBe(1);
  expect(edited.out).toContain("line 2  the hash chain breaks here");
  write("b/cut.blind.jsonl", lines.slice(0, 4).join("\n"));
  expect((await spoor("verify @b/cut.blind.jsonl")).code).toBe(1);
});

it("fingerprint: one run in full, many under what they add up to", async () => {
  write("t/a.agentlog", ticket(REFUND));
  write("t/b.agentlog", ticket(UNCONFIRMED));
  const one = await spoor("fingerprint @t/b.agentlog");
  expect(one.out.split("\n")[0]).toBe("1294370c8cae45db  b");
  expect(one.out).toContain("v2|LLM_CALL:gpt-4.1|TOOL_CALL:lookup_order|LLM_CALL:gpt-4.1|");
  const many = await spoor("fingerprint @t --mode structural");
  expect(many.out).toContain("support_agent: 2 runs, 2 distinct behaviours, none alike");
  expect((await spoor("fingerprint @t", { env: { SPOOR_FINGERPRINT_MODE: "fancy" } })).err).toContain(
    "SPOOR_FINGERPRINT_MODE",
  );
});

it("trend: points in order, an SVG beside it, tools that changed first", async () => {
  for (const [point, tools] of [
    ["v1", REFUND],
    ["v2", UNCONFIRMED],
  ] as const) {
    for (let index = 0; index < 6; index++) write(`series/${point}/${index}.agentlog`, ticket(tools));
  }
  const { out, code } = await spoor("trend @series -o @trend.svg");
  expect(code).toBe(0);
  expect(out.split("\n")[0]).toBe("! confirm_refund_amount is no longer used from v2 on (p = 0.0022).");
  const svg = readFileSync(join(folder, "trend.svg"), "utf8");
  expect(svg).toMatch(/^<svg [^>]*role="img"/);
  expect(svg).not.toMatch(/NaN|undefined|Infinity/);
  expect((await spoor("trend @series --fail-on tools")).code).toBe(1);
  expect((await spoor("trend @series --fail-on drift")).code).toBe(1);
});

it("trend: --fail-on drift follows the lead, and a question without an answer is no pass", async () => {
  const days = (name: string, wrong: readonly number[]) => {
    for (const [day, broken] of wrong.entries())
      for (let run = 0; run < 5; run++)
        write(`${name}/day${day + 1}/t-${1000 + run}.agentlog`, ticket(run < broken ? UNCONFIRMED : REFUND));
  };
  days("fine", [0, 0, 0, 0, 0, 0]);
  days("broken", [0, 0, 0, 0, 2, 2]);
  days("short", [0, 2]);
  const run = async (series: string) => {
    const { out, code } = await spoor(`trend @${series} --fail-on drift`);
    return [out.charAt(0), code];
  };
  expect(await run("fine")).toEqual(["✓", 0]);
  expect(await run("broken")).toEqual(["✗", 1]);
  expect(await run("short")).toEqual(["?", 2]);
});
