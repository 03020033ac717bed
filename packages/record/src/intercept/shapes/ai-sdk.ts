/** Vercel AI SDK 4 to 7, and whatever else has `execute(input, { toolCallId })`. It calls tools by their key. */
import { idIn } from "../intercept-door.ts";
import { snapshot } from "../snapshot.ts";
import { type Door, hasMethod, type ToolShape, textMember } from "../tool-use.ts";

const execute: Door = {
  method: "execute",
  awaited: true,
  read: (args) => ({ input: snapshot(args[0] ?? {}), callId: idIn(args[1], "toolCallId") }),
};

export const aiSdkTool: ToolShape = {
  title: "a tool with `execute`",
  recognises: (value) => hasMethod(value, "execute"),
  nameOf: (tool, key) => key ?? textMember(tool, "name") ?? textMember(tool, "id"),
  doorsOf: () => [execute],
};
