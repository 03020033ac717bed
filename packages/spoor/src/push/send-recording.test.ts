import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { sendRecording } from "./send-recording.ts";

/** A service by script: each answer in turn, an error when it is one. */
function scripted(...answers: readonly (Response | Error)[]) {
  const requests: { url: string; init: RequestInit }[] = [];
  const waits: number[] = [];
  return {
    requests,
    waits,
    options: {
      fetch: (async (url: string, init: RequestInit) => {
        requests.push({ url, init });
        const answer = answers[Math.min(requests.length, answers.length) - 1]!;
        if (answer instanceof Error) throw answer;
        return answer.clone();
      }) as unknown as typeof fetch,
      wait: async (ms: number) => void waits.push(ms),
    },
  };
}

const taken = (created = true) => Response.json({ id: "0".repeat(32), created }, { status: created ? 201 : 200 });
const busy = (seconds?: string) =>
  Response.json(
    { error: { code: "ingest.busy", message: "Later." } },
    { status: 429, headers: seconds === undefined ? {} : { "retry-after": seconds } },
  );
const gone = () => new TypeError("fetch failed", { cause: { code: "ECONNREFUSED" } });
const to = { server: "http://127.0.0.1:4319", token: "spoor_ingest_x" };

describe("a recording", () => {
  it("goes packed, with what is known of it and the token", async () => {
    const service = scripted(taken());
    const sent = await sendRecording(to, { agent: "a b", name: "x/y.json" }, Buffer.from("hello"), service.options);
    expect(sent).toEqual({ id: "0".repeat(32), created: true });
    const [{ url, init }] = service.requests as [{ url: string; init: RequestInit }];
    expect(url).toBe("http://127.0.0.1:4319/api/v1/traces?agent=a+b&name=x%2Fy.json");
    expect(gunzipSync(init.body as Buffer).toString()).toBe("hello");
    expect(init.headers).toMatchObject({ "content-encoding": "gzip", authorization: "Bearer spoor_ingest_x" });
    expect(init.redirect).toBe("manual");
  });

  it("is the service's already: nothing was made", async () => {
    expect(await sendRecording(to, {}, Buffer.from("x"), scripted(taken(false)).options)).toMatchObject({
      created: false,
    });
  });

  it("is sent again after as long as the service says, or ever longer", async () => {
    const service = scripted(busy("3"), busy(), new Response("bad gateway", { status: 502 }), gone(), gone(), taken());
    await sendRecording(to, {}, Buffer.from("x"), service.options);
    expect(service.waits).toEqual([3_000, 500, 1_000, 250, 500]);
  });

  it("is given up when nobody answers, and when the service stays busy", async () => {
    const silent = scripted(gone());
    await expect(sendRecording(to, {}, Buffer.from("x"), silent.options)).rejects.toMatchObject({
      code: "server.unreachable",
    });
    expect(silent.requests).toHaveLength(4);
    const full = scripted(busy("1"));
    await expect(sendRecording(to, {}, Buffer.from("x"), full.options)).rejects.toMatchObject({
      code: "server.refused",
    });
    expect(full.requests).toHaveLength(8);
  });

  it.each([400, 401, 403, 404, 413, 500, 301])("is not sent again after %s", async (status) => {
    const service = scripted(Response.json({ error: { code: "x", message: "No." } }, { status }));
    await expect(sendRecording(to, {}, Buffer.from("x"), service.options)).rejects.toMatchObject({
      code: "server.refused",
      message: `The service answers ${status}: No.`,
    });
    expect(service.requests).toHaveLength(1);
  });

  it.each(["<html>hello</html>", "[]", '{"ok":true}', '{"id":7}'])("is not taken by what answers %s", async (text) => {
    const service = scripted(new Response(text));
    await expect(sendRecording(to, {}, Buffer.from("x"), service.options)).rejects.toThrow("is no service of Spoor's");
  });
});
