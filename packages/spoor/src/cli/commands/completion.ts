import { defineCommand } from "../command.ts";
import { exitCode } from "../exit-code.ts";
export const completionCommand = defineCommand({ name: "completion", summary: "", positionals: [], options: {}, examples: [], run: async () => exitCode.ok });
