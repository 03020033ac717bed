/** When a process began, as the system writes it; undefined where it does not tell, or where there is no such process. */
import { readFile } from "node:fs/promises";

export async function startOfProcess(pid: number): Promise<string | undefined> {
  try {
    const text = await readFile(`/proc/${pid}/stat`, "utf8");
    // The second field is the program's name in brackets and may hold anything; the start time is the 22nd of all.
    return text
      .slice(text.lastIndexOf(")") + 2)
      .split(" ")
      .at(19);
  } catch {
    return undefined;
  }
}
