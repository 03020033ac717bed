import { defineCommand } from "../command.ts";
import { exitCode } from "../exit-code.ts";
export const formatsCommand = defineCommand({ name: "formats", summary: "", positionals: [], options: {}, examples: [], run: async () => exitCode.ok });
