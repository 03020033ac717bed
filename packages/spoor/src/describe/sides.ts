import type { ReportHeader } from "@spoor/core/internal/report/report";
import type { Text } from "../document/document.ts";
import { name, say } from "../document/text.ts";

/** `baseline → candidate`: the two sides as the user named them. */
export function sidesOf({ inputs }: Pick<ReportHeader<string>, "inputs">): Text {
  const path = (role: string) => inputs.find((input) => input.role === role)?.path;
  const [baseline, candidate] = [path("baseline"), path("candidate")];
  return baseline === undefined || candidate === undefined ? [] : say`${name(baseline)} → ${name(candidate)}`;
}
