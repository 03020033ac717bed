import { describe, expect, it } from "vitest";
import { loadServer } from "./load-server.ts";

function missing(name: string): Error {
  return Object.assign(new Error(`Cannot find package '${name}' imported from /x/load-bundle.cjs`), {
    code: "ERR_MODULE_NOT_FOUND",
  });
}

describe("the service's package", () => {
  it("is there in this repository, with what the commands use", async () => {
    expect(await loadServer()).toMatchObject({ serve: expect.any(Function), newToken: expect.any(Function) });
  });

  it("is named with the command that installs it when it is missing", async () => {
    await expect(loadServer(() => Promise.reject(missing("@spoor/server")))).rejects.toMatchObject({
      code: "server.not-installed",
      hint: "npm i @spoor/server",
    });
  });

  it.each([missing("libsql"), new SyntaxError("Unexpected token"), new Error("@spoor/server is broken")])(
    "is not called missing when something else is: %s",
    async (error) => {
      await expect(loadServer(() => Promise.reject(error))).rejects.toBe(error);
    },
  );
});
