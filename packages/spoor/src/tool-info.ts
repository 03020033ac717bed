import type { ToolInfo } from "@spoor/core/internal/report/report";

/** The version of this tool; a test holds it against package.json. */
export const version = "0.1.0";

/** What every report says about who made it. */
export const toolInfo: ToolInfo = { name: "spoor", version };
