/** The answers of a session, of which the last few keep their pages and their reports. */
import type { Json, JsonObject } from "@spoor/core";
import { SpoorError } from "@spoor/core/internal/errors";
import { stringifyJson } from "@spoor/core/internal/trace/json";
import { answerPage, type WholeAnswer, wholeAnswer } from "./answer.ts";
import type { CommandAnswer } from "./command-answer.ts";

const KEPT = 20;

export class Answers {
  private readonly kept = new Map<string, WholeAnswer>();
  private made = 0;

  /** The first page of a new answer. */
  add(asked: string, given: CommandAnswer): JsonObject {
    const id = `a${++this.made}`;
    const answer = wholeAnswer(asked, given);
    this.kept.set(id, answer);
    for (const old of [...this.kept.keys()].slice(0, -KEPT)) this.kept.delete(old);
    return this.page(id, answer, 0);
  }

  /** A later page, by the cursor that the one before it gave. */
  next(cursor: Json): JsonObject {
    const [id = "", number = ""] = typeof cursor === "string" ? cursor.split(":") : [];
    const answer = this.kept.get(id);
    const index = Number(number) - 1;
    if (answer === undefined || !/^\d+$/.test(number) || answer.pages[index] === undefined)
      throw new SpoorError("mcp.bad-cursor", `There is no page ${stringifyJson(cursor)}.`, {
        hint: `Ask again without a cursor; the last ${KEPT} answers are kept.`,
      });
    return this.page(id, answer, index);
  }

  /** The whole report of an answer, as JSON. */
  report(id: string): string | undefined {
    const report = this.kept.get(id)?.report;
    return report === undefined ? undefined : stringifyJson(report);
  }

  private page(id: string, answer: WholeAnswer, index: number): JsonObject {
    return answerPage(answer, index, {
      cursor: index + 1 < answer.pages.length ? `${id}:${index + 2}` : undefined,
      reportUri: `spoor://report/${id}`,
    });
  }
}
