// A stand-in for an agent behind a command: reads the prompt, writes what it did as output messages.
// Used by the cli targets in targets.yaml: node agent.mjs PROMPT OUTPUT_FILE
import { writeFileSync } from "node:fs";

const [prompt = "", outputFile] = process.argv.slice(2);

const call = (tool, duration_ms, input = {}) => ({ tool, input, output: { ok: true }, duration_ms });

const scripts = [
  {
    when: /research/i,
    calls: [
      call("webSearch", 120, { query: prompt }),
      call("documentRead", 45, { document: 1 }),
      call("documentRead", 40, { document: 2 }),
      call("noteTaking", 5),
      call("summarize", 80),
    ],
    answer: "Three frameworks stand out.",
  },
  {
    when: /dataset/i,
    calls: [call("loadData", 640), call("validate", 30), call("transform", 410), call("export", 150)],
    answer: "The dataset is processed.",
  },
];

const script = scripts.find(({ when }) => when.test(prompt)) ?? { calls: [], answer: "I do not know how to do that." };
const output_messages = [
  ...script.calls.map((tool_call) => ({ role: "assistant", tool_calls: [tool_call] })),
  { role: "assistant", content: script.answer },
];
const text = `${JSON.stringify({ output_messages }, null, 2)}\n`;
if (outputFile === undefined) process.stdout.write(text);
else writeFileSync(outputFile, text);
