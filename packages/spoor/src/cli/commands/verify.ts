import { defineCommand } from "../command.ts";
import { exitCode } from "../exit-code.ts";
export const verifyCommand = defineCommand({ name: "verify", summary: "", positionals: [], options: {}, examples: [], run: async () => exitCode.ok });
