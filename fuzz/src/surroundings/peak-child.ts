/** Loaded into a program before its own code: says at its end how much memory it took at most, in MiB. */
import { writeFileSync } from "node:fs";

const file = process.env["SPOOR_PEAK"];
process.on("exit", () => {
  try {
    if (file !== undefined) writeFileSync(file, String(Math.round(process.resourceUsage().maxRSS / 1024)));
  } catch {
    // Where nothing can be written nothing is measured.
  }
});
