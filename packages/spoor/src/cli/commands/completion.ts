import { type Command, type CommandEntry, commonOptions, defineCommand, loadCommand } from "../command.ts";
import { exitCode } from "../exit-code.ts";
import { usageError } from "../option.ts";
import { optionName } from "../parse-args.ts";

const shells = ["bash", "zsh", "fish"] as const;

/** Takes the list of commands it completes, because it is itself one of them. */
export function createCompletionCommand(commands: readonly CommandEntry[]) {
  return defineCommand({
    positionals: ["shell"],
    options: {},
    examples: [
      { run: 'eval "$(spoor completion bash)"', does: "Completes commands, options and their values in this shell." },
      { run: "spoor completion fish | source", does: "The same for fish." },
    ],
    async run(args, io) {
      const shell = shells.find((known) => known === args.shell);
      if (shell === undefined) {
        throw usageError(`There is no completion for "${args.shell}".`, `Known shells: ${shells.join(", ")}.`);
      }
      io.out({ bash: bashScript, zsh: zshScript, fish: fishScript }[shell](await loadAll(commands)));
      return exitCode.ok;
    },
  });
}

/** Every command and subcommand; a subcommand stands before the command it belongs to, so that the longer name matches first. */
async function loadAll(entries: readonly CommandEntry[], parent?: string): Promise<Command[]> {
  const all: Command[] = [];
  for (const entry of entries) {
    const command = await loadCommand(entry, parent);
    all.push(...(await loadAll(command.subcommands ?? [], command.name)), command);
  }
  return all;
}

function optionsOf(command: Command): string[] {
  return [...new Set([...Object.keys(command.options), ...Object.keys(commonOptions)])].map(
    (key) => `--${optionName(key)}`,
  );
}

function choicesOf(command: Command): [string, readonly string[]][] {
  return Object.entries(command.options).flatMap(([key, spec]) =>
    spec.choices === undefined ? [] : [[`--${optionName(key)}`, spec.choices] as [string, readonly string[]]],
  );
}

function namesIn(entries: readonly { readonly name: string }[]): string {
  return entries.map((entry) => entry.name).join(" ");
}

function isTopLevel(command: Command): boolean {
  return !command.name.includes(" ");
}

function bashScript(all: readonly Command[]): string {
  const cases = all.map((command) => {
    const values = choicesOf(command).map(
      ([name, choices]) => `        ${name}) COMPREPLY=($(compgen -W "${choices.join(" ")}" -- "$cur")); return;;`,
    );
    const names = namesIn(command.subcommands ?? []);
    if (command.run === undefined)
      return `    "${command.name} "*) COMPREPLY=($(compgen -W "${names} --help" -- "$cur")); return;;`;
    return [
      `    "${command.name} "*)`,
      '      case "$prev" in',
      ...values,
      "      esac",
      `      names="${names}"`,
      `      words="${optionsOf(command).join(" ")}";;`,
    ].join("\n");
  });
  return [
    "# bash completion of spoor",
    "_spoor() {",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: bash, not JavaScript
    '  local cur="${COMP_WORDS[COMP_CWORD]}" prev="${COMP_WORDS[COMP_CWORD-1]}" words="" names=""',
    '  if [ "$COMP_CWORD" -eq 1 ]; then',
    `    COMPREPLY=($(compgen -W "${namesIn(all.filter(isTopLevel))} --help --version" -- "$cur")); return`,
    "  fi",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: bash, not JavaScript
    '  case "${COMP_WORDS[*]:1:COMP_CWORD-1} " in',
    ...cases,
    "  esac",
    '  if [[ "$cur" == -* ]]; then COMPREPLY=($(compgen -W "$words" -- "$cur")); return; fi',
    '  if [ -n "$names" ] && [ "$COMP_CWORD" -eq 2 ]; then COMPREPLY=($(compgen -W "$names" -- "$cur")); fi',
    '  COMPREPLY+=($(compgen -f -- "$cur"))',
    "}",
    "complete -o filenames -F _spoor spoor",
    "",
  ].join("\n");
}

/** zsh runs the bash script through its own emulation. */
function zshScript(all: readonly Command[]): string {
  return `# zsh completion of spoor\nautoload -U +X bashcompinit && bashcompinit\n${bashScript(all)}`;
}

function fishScript(all: readonly Command[]): string {
  const lines = ["# fish completion of spoor", "complete -c spoor -n __fish_use_subcommand -l version -l help -f"];
  for (const command of all.filter(isTopLevel))
    lines.push(`complete -c spoor -n __fish_use_subcommand -a ${command.name} -d ${quote(command.summary)}`);
  for (const command of all) {
    const within = fishCondition(command);
    for (const entry of command.subcommands ?? [])
      lines.push(`complete -c spoor -n '${within}' -a ${entry.name} -d ${quote(entry.summary)}`);
    if (command.run === undefined) continue;
    for (const [key, spec] of Object.entries({ ...commonOptions, ...command.options })) {
      const values = spec.choices === undefined ? "" : ` -xa ${quote(spec.choices.join(" "))}`;
      const short = spec.short === undefined ? "" : ` -s ${spec.short}`;
      const needsValue = spec.type === "flag" || spec.choices !== undefined ? "" : " -r";
      lines.push(
        `complete -c spoor -n '${within}' -l ${optionName(key)}${short}${needsValue}${values} -d ${quote(spec.help)}`,
      );
    }
  }
  return `${lines.join("\n")}\n`;
}

/** The words of the name were typed, and none of the subcommands that would change the meaning. */
function fishCondition(command: Command): string {
  const typed = command.name.split(" ").map((word) => `__fish_seen_subcommand_from ${word}`);
  const { subcommands = [] } = command;
  const not = subcommands.length === 0 ? [] : [`not __fish_seen_subcommand_from ${namesIn(subcommands)}`];
  return [...typed, ...not].join("; and ");
}

function quote(text: string): string {
  return `'${text.replace(/[\\']/g, "\\$&")}'`;
}
