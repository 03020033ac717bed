import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { valueSource } from "@spoor/core/internal/read/source";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { TAR_END, tarEntry } from "../../../server/src/routes/tar.ts";
import { readConfig } from "../config/load-config.ts";
import { withFetchedBaseline } from "./fetch-baseline.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "spoor-fetch-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const loaded = (baseline: string | string[]) => ({
  file: "spoor.config.yaml",
  folder,
  config: readConfig(valueSource({ traces: "runs", diff: { baseline } }, "spoor.config.yaml")),
});

const tar = (files: Readonly<Record<string, string>>) =>
  Buffer.concat([...Object.entries(files).map(([name, text]) => tarEntry(name, Buffer.from(text), 0)), TAR_END]);

/** A service that answers so, and keeps what it was asked. */
function service(...answers: readonly Response[]) {
  const asked: { url: string; headers: Record<string, string> }[] = [];
  const rest = [...answers];
  const fetch = (async (url: string, { headers }: { headers: Record<string, string> }) => {
    asked.push({ url, headers });
    return rest.shift()!;
  }) as unknown as typeof globalThis.fetch;
  return { asked, options: { fetch, wait: async () => undefined } };
}

const ENV = { SPOOR_SERVER: "http://127.0.0.1:1/", SPOOR_TOKEN: "secret" };

describe("diff.baseline at the service", () => {
  it("is fetched into a folder, three runs of each scenario", async () => {
    const { asked, options } = service(new Response(tar({ "a.agentlog.gz": "one", "a.trial2.agentlog.gz": "two" })));
    const { config } = await withFetchedBaseline(loaded("server:refunds@main"), { ...options, env: ENV });
    expect(asked).toEqual([
      {
        url: "http://127.0.0.1:1/api/v1/export?agent=refunds&release=main&last=3",
        headers: { authorization: "Bearer secret" },
      },
    ]);
    const [place] = config.diff!.baseline as string[];
    expect(readdirSync(join(folder, place!)).sort()).toEqual(["a.agentlog.gz", "a.trial2.agentlog.gz"]);
    expect(readFileSync(join(folder, place!, "a.trial2.agentlog.gz"), "utf8")).toBe("two");
  });

  it("takes the place of what was fetched before, whole", async () => {
    const { options } = service(
      new Response(tar({ "old.agentlog.gz": "1" })),
      new Response(tar({ "new.agentlog.gz": "2" })),
    );
    await withFetchedBaseline(loaded("server:refunds@main?last=1"), { ...options, env: ENV });
    const { config } = await withFetchedBaseline(loaded("server:refunds@main?last=1"), { ...options, env: ENV });
    expect(readdirSync(join(folder, config.diff!.baseline[0]!))).toEqual(["new.agentlog.gz"]);
    expect(readdirSync(join(folder, ".spoor/service"))).toHaveLength(1);
  });

  it("stays beside files, which are left as they are", async () => {
    const { options } = service(new Response(tar({ "a.agentlog.gz": "1" })));
    const { config } = await withFetchedBaseline(loaded(["kept/", "server:a@b"]), { ...options, env: ENV });
    expect(config.diff!.baseline).toEqual(["kept/", expect.stringMatching(/^\.spoor.service./)]);
    const files = loaded("kept/");
    expect(await withFetchedBaseline(files, { env: ENV })).toBe(files);
  });

  it.each(["server:", "server:a", "server:@b", "server:a@", "server:a@b?last=0", "server:a@b?all"])(
    "refuses %s, and asks nobody",
    async (text) => {
      const { asked, options } = service();
      const fetching = withFetchedBaseline(loaded(text), { ...options, env: ENV });
      await expect(fetching).rejects.toMatchObject({ code: "config.invalid" });
      expect(asked).toEqual([]);
    },
  );

  it.each([
    ["../evil", "1"],
    ["a/b", "1"],
    [".hidden", "1"],
  ])("writes no file called %s, and leaves what was there", async (name, text) => {
    mkdirSync(join(folder, ".spoor/service"), { recursive: true });
    writeFileSync(join(folder, "kept"), "1");
    const { options } = service(new Response(tar({ [name]: text })));
    const fetching = withFetchedBaseline(loaded("server:a@b"), { ...options, env: ENV });
    await expect(fetching).rejects.toMatchObject({ code: "server.refused" });
    expect(readdirSync(join(folder, ".spoor/service"))).toEqual([]);
    expect(existsSync(join(folder, "../evil"))).toBe(false);
  });

  it.each([
    ["cut short", tar({ "a.agentlog.gz": "x".repeat(2000) }).subarray(0, 900), 200],
    ["nothing", Buffer.alloc(0), 200],
    ["a refusal", Buffer.from('{"error":{"code":"request.not-found","message":"There is no such run."}}'), 404],
    ["somebody else's page", Buffer.from("<html>"), 500],
  ])("uses nothing of %s", async (_, body, status) => {
    const { options } = service(new Response(body, { status }));
    const fetching = withFetchedBaseline(loaded("server:a@b"), { ...options, env: ENV });
    await expect(fetching).rejects.toMatchObject({ code: "server.refused" });
  });
});
