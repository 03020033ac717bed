/**
 * The tools that coding agents bring along, under one name: that of Claude Code. Which of an agent's own names means which is
 * a table, and an agent that is not in it has no such names: a `view` of somebody's own agent is not a way to read files.
 * Arguments are not translated.
 */

/** What a recording says of its agent: the format that read it, or the name the agent has in its metadata. */
export interface AgentVocabulary {
  readonly agent: string;
  /** Its own name of a tool → the tools it stands for. */
  readonly tools: ReadonlyMap<string, readonly string[]>;
  /** What stands between a server and its tool, where the name does not begin with `mcp`. */
  readonly joint?: string;
}

type Names = Readonly<Record<string, string | readonly string[]>>;

const EDITS = ["Edit", "Write"];

const CLAUDE: Names = {
  Bash: "Bash",
  Read: "Read",
  Write: "Write",
  Edit: "Edit",
  MultiEdit: "Edit",
  Glob: "Glob",
  Grep: "Grep",
  LS: "LS",
  WebSearch: "WebSearch",
  WebFetch: "WebFetch",
  TodoWrite: "TodoWrite",
  Task: "Agent",
  Agent: "Agent",
  AskUserQuestion: "AskUserQuestion",
};

const CODEX: Names = {
  command_execution: "Bash",
  exec_command: "Bash",
  shell: "Bash",
  shell_command: "Bash",
  local_shell: "Bash",
  local_shell_call: "Bash",
  file_change: EDITS,
  apply_patch: EDITS,
  web_search: "WebSearch",
  web_search_call: "WebSearch",
  todo_list: "TodoWrite",
  update_plan: "TodoWrite",
  spawn_agent: "Agent",
  request_user_input: "AskUserQuestion",
};

const COPILOT: Names = {
  bash: "Bash",
  powershell: "Bash",
  view: "Read",
  create: "Write",
  edit: "Edit",
  str_replace_editor: "Edit",
  glob: "Glob",
  grep: "Grep",
  rg: "Grep",
  web_search: "WebSearch",
  web_fetch: "WebFetch",
  update_todo: "TodoWrite",
  task: "Agent",
  ask_user: "AskUserQuestion",
};

const VSCODE: Names = {
  run_in_terminal: "Bash",
  read_file: "Read",
  copilot_readFile: "Read",
  create_file: "Write",
  copilot_createFile: "Write",
  replace_string_in_file: "Edit",
  multi_replace_string_in_file: "Edit",
  insert_edit_into_file: "Edit",
  copilot_replaceString: "Edit",
  copilot_insertEdit: "Edit",
  apply_patch: EDITS,
  copilot_applyPatch: EDITS,
  file_search: "Glob",
  copilot_findFiles: "Glob",
  grep_search: "Grep",
  copilot_findTextInFiles: "Grep",
  list_dir: "LS",
  copilot_listDirectory: "LS",
  fetch_webpage: "WebFetch",
  copilot_fetchWebPage: "WebFetch",
  manage_todo_list: "TodoWrite",
  runSubagent: "Agent",
};

const GEMINI: Names = {
  run_shell_command: "Bash",
  read_file: "Read",
  read_many_files: "Read",
  write_file: "Write",
  replace: "Edit",
  edit: "Edit",
  glob: "Glob",
  search_file_content: "Grep",
  grep_search: "Grep",
  list_directory: "LS",
  google_web_search: "WebSearch",
  web_search: "WebSearch",
  web_fetch: "WebFetch",
  write_todos: "TodoWrite",
  todo_write: "TodoWrite",
  task: "Agent",
};

const OPENCODE: Names = {
  bash: "Bash",
  read: "Read",
  write: "Write",
  edit: "Edit",
  glob: "Glob",
  grep: "Grep",
  list: "LS",
  websearch: "WebSearch",
  webfetch: "WebFetch",
  todowrite: "TodoWrite",
  task: "Agent",
};

const PI: Names = { bash: "Bash", read: "Read", write: "Write", edit: "Edit", find: "Glob", grep: "Grep", ls: "LS" };

const vocabularies: readonly AgentVocabulary[] = [
  vocabulary("claude-code", CLAUDE),
  vocabulary("codex", CODEX),
  { ...vocabulary("copilot", COPILOT), joint: "-" },
  vocabulary("vscode", VSCODE),
  vocabulary("gemini-cli", GEMINI),
  vocabulary("opencode", OPENCODE),
  vocabulary("pi", PI),
];

/** Formats and names of agents that speak one of them. */
const SPEAKERS: Readonly<Record<string, string>> = {
  "codex-exec": "codex",
  "codex-rollout": "codex",
  "github-copilot": "copilot",
  "vscode-chat": "vscode",
  "copilot-chat": "vscode",
  "qwen-code": "gemini-cli",
  iflow: "gemini-cli",
};

/** The names of an agent's tools, by the first of its marks that is known. */
export function vocabularyOf(marks: readonly (string | undefined)[]): AgentVocabulary | undefined {
  for (const mark of marks) {
    if (mark === undefined) continue;
    const agent = Object.hasOwn(SPEAKERS, mark) ? SPEAKERS[mark] : mark;
    const found = vocabularies.find((one) => one.agent === agent);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The tools that a name stands for in an agent's own words; none when it is no built-in tool of that agent. */
export function builtinTools(name: string, { tools }: AgentVocabulary): readonly string[] {
  return tools.get(name) ?? [];
}

/** The tools that a name stands for in anybody's words. */
export function anyBuiltinTools(name: string): readonly string[] {
  return [...new Set(vocabularies.flatMap(({ tools }) => tools.get(name) ?? []))];
}

function vocabulary(agent: string, names: Names): AgentVocabulary {
  return { agent, tools: new Map(Object.entries(names).map(([name, meant]) => [name, [meant].flat()])) };
}
