import { defineCommand } from "../command.ts";
import { exitCode } from "../exit-code.ts";
export const convertCommand = defineCommand({ name: "convert", summary: "", positionals: [], options: {}, examples: [], run: async () => exitCode.ok });
