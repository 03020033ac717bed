import { SpoorError } from "@spoor/core";
import { describe, expect, it } from "vitest";
import { carryError, errorOf } from "./carried-error.ts";

const carried = (error: unknown) => errorOf(structuredClone(carryError(error)));

describe("an error that came from a thread", () => {
  it("says all that it said there", () => {
    const error = new SpoorError("trace.bad-record", "a:3 is no record.", {
      at: { file: "a", line: 3, column: 7, path: "x.y" },
      hint: "Look.",
      excerpt: "{",
      excerptNote: "begins here",
      consequence: "Nothing was read.",
      problems: [{ at: { line: 1 }, message: "one" }],
    });
    const again = carried(error);
    expect(again).toBeInstanceOf(SpoorError);
    expect({ ...again, message: again.message }).toEqual({ ...error, message: error.message });
  });

  it("has no more than it had", () => {
    const error = new SpoorError("trace.empty", "a is empty.");
    expect({ ...carried(error) }).toEqual({ ...error });
  });

  it("keeps name and stack of a mistake of our own", () => {
    const error = new TypeError("x is undefined");
    expect(carried(error)).toMatchObject({ name: "TypeError", message: "x is undefined", stack: error.stack });
  });

  it("is a refusal of the system still", () => {
    const error = Object.assign(new Error("EMFILE: too many open files"), {
      code: "EMFILE",
      syscall: "open",
      path: "a",
    });
    expect(carried(error)).toMatchObject({ code: "EMFILE", syscall: "open", path: "a" });
  });

  it("is an error even when something else was thrown", () => {
    expect(carried("a word")).toMatchObject({ name: "Error", message: "a word" });
  });
});
