/** Vercel AI SDK 4 to 7, and whatever else has `execute(input, { toolCallId })`. It calls tools by their key. */

import type { Json } from "@spoor/core/internal/trace/json";
import { idIn } from "../intercept-door.ts";
import { patchArgument } from "../patch-value.ts";
import { snapshot } from "../snapshot.ts";
import { type Door, hasMethod, type ToolShape, textMember } from "../tool-use.ts";

const execute: Door = {
  method: "execute",
  awaited: true,
  read(args) {
    const input = snapshot(args[0] ?? {});
    const rewrite = (changed: Json) => patchArgument(args, 0, input, changed);
    return { input, callId: idIn(args[1], "toolCallId"), rewrite };
  },
};

export const aiSdkTool: ToolShape = {
  title: "a tool with `execute`",
  recognises: (value) => hasMethod(value, "execute"),
  nameOf: (tool, key) => key ?? textMember(tool, "name") ?? textMember(tool, "id"),
  doorsOf: () => [execute],
};
