import { type Command, type CommandEntry, commonOptions, defineCommand } from "../command.ts";
import { exitCode } from "../exit-code.ts";
import { usageError } from "../option.ts";
import { optionName } from "../parse-args.ts";

const shells = ["bash", "zsh", "fish"] as const;

/** Takes the list of commands it completes, because it is itself one of them. */
export function createCompletionCommand(commands: readonly CommandEntry[]) {
  return defineCommand({
    name: "completion",
    summary: "Print a completion script for bash, zsh or fish",
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
      const loaded = await Promise.all(commands.map((entry) => entry.load()));
      io.out({ bash: bashScript, zsh: zshScript, fish: fishScript }[shell](loaded));
      return exitCode.ok;
    },
  });
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

function bashScript(all: readonly Command[]): string {
  const cases = all.map((command) => {
    const values = choicesOf(command).map(
      ([name, choices]) => `        ${name}) COMPREPLY=($(compgen -W "${choices.join(" ")}" -- "$cur")); return;;`,
    );
    return [
      `    ${command.name})`,
      '      case "$prev" in',
      ...values,
      "      esac",
      `      words="${optionsOf(command).join(" ")}";;`,
    ].join("\n");
  });
  return [
    "# bash completion of spoor",
    "_spoor() {",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: bash, not JavaScript
    '  local cur="${COMP_WORDS[COMP_CWORD]}" prev="${COMP_WORDS[COMP_CWORD-1]}" words=""',
    '  if [ "$COMP_CWORD" -eq 1 ]; then',
    `    COMPREPLY=($(compgen -W "${all.map((command) => command.name).join(" ")} --help --version" -- "$cur")); return`,
    "  fi",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: bash, not JavaScript
    '  case "${COMP_WORDS[1]}" in',
    ...cases,
    "  esac",
    '  if [[ "$cur" == -* ]]; then COMPREPLY=($(compgen -W "$words" -- "$cur")); else COMPREPLY=($(compgen -f -- "$cur")); fi',
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
  for (const command of all) {
    lines.push(`complete -c spoor -n __fish_use_subcommand -a ${command.name} -d ${quote(command.summary)}`);
    for (const [key, spec] of Object.entries({ ...commonOptions, ...command.options })) {
      const values = spec.choices === undefined ? "" : ` -xa ${quote(spec.choices.join(" "))}`;
      const short = spec.short === undefined ? "" : ` -s ${spec.short}`;
      const needsValue = spec.type === "flag" || spec.choices !== undefined ? "" : " -r";
      lines.push(
        `complete -c spoor -n '__fish_seen_subcommand_from ${command.name}' -l ${optionName(key)}${short}${needsValue}${values} -d ${quote(spec.help)}`,
      );
    }
  }
  return `${lines.join("\n")}\n`;
}

function quote(text: string): string {
  return `'${text.replace(/[\\']/g, "\\$&")}'`;
}
