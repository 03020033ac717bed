/** `--max-errors 3` or `--max-errors 5%`: how many runs may be lost to outages before there is no verdict. */
import type { ErrorTolerance } from "@spoor/core/internal/evals/eval-report";
import { type Option, usageError } from "./option.ts";

export const maxErrorsOption: Option<ErrorTolerance | undefined> = {
  type: "text",
  help: "put up with so many runs lost to outages and judge by the others",
  placeholder: "N|P%",
  defaultValue: undefined,
  parse: parseTolerance,
};

export function parseTolerance(text: string, name: string): ErrorTolerance {
  const written = text.trim();
  const match = /^(\d+(?:\.\d+)?)\s*(%?)$/.exec(written);
  const amount = Number(match?.[1]);
  const isShare = match?.[2] === "%";
  if (match === null || (isShare ? amount > 100 : !Number.isSafeInteger(amount)))
    throw usageError(`--${name} needs a whole number of runs or a share from 0% to 100%, found "${text}".`);
  return isShare ? { written, share: amount / 100 } : { written, runs: amount };
}
