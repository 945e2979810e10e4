import { ConfigError } from '@portolan/foundation/command-line';
import { settings } from '@portolan/service/settings';
import type { Command } from './command.ts';
import { shells } from './shells.ts';

type Commands = Readonly<Record<string, Command>>;

/** `portolan completion SHELL` prints a script that completes commands, actions, flags and settings. */
export function completion(commands: Commands, [shell, ...more]: readonly string[]): string {
  if (shell === undefined || more.length > 0 || !Object.hasOwn(scripts, shell))
    throw new ConfigError(`portolan completion takes one of ${Object.keys(shells).join(', ')}`);
  return scripts[shell as keyof typeof shells](commands);
}

const flagsOf = ({ flags = {} }: Command): Array<readonly [name: string, description: string]> =>
  flags === 'settings'
    ? Object.entries(settings).map(([name, { description }]) => [name, description])
    : Object.entries(flags);

const words = (names: readonly string[]) => names.join(' ');

function bash(commands: Commands): string {
  const cases = Object.entries(commands).map(([name, command]) => {
    const actions = words(Object.keys(command.actions ?? {}));
    const flags = words(flagsOf(command).map(([flag]) => `--${flag}`));
    return `    ${name}) actions="${actions}"; flags="${flags}" ;;`;
  });
  return `_portolan() {
  local current="\${COMP_WORDS[COMP_CWORD]}" command="\${COMP_WORDS[1]}" actions="" flags=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${words(Object.keys(commands))}" -- "$current"))
    return
  fi
  case "$command" in
${cases.join('\n')}
  esac
  case "$current" in
    -*) COMPREPLY=($(compgen -W "$flags" -- "$current")) ;;
    *)
      if [ "$COMP_CWORD" -eq 2 ] && [ -n "$actions" ]; then
        COMPREPLY=($(compgen -W "$actions" -- "$current"))
      else
        COMPREPLY=($(compgen -f -- "$current"))
      fi ;;
  esac
}
complete -F _portolan portolan
`;
}

/** Quotes a text for a shell. */
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
const described = (name: string, text: string) => quoted(`${name}:${text.replaceAll(':', '\\:')}`);

function zsh(commands: Commands): string {
  const cases = Object.entries(commands).map(([name, command]) => {
    const actions = Object.entries(command.actions ?? {}).map(([action, { summary }]) =>
      described(action, summary),
    );
    const flags = flagsOf(command).map(([flag, text]) => described(`--${flag}`, text));
    return `    ${name}) actions=(${words(actions)}); flags=(${words(flags)}) ;;`;
  });
  const names = Object.entries(commands).map(([name, { summary }]) => described(name, summary));
  return `#compdef portolan
_portolan() {
  local -a commands actions flags
  commands=(${words(names)})
  if (( CURRENT == 2 )); then _describe command commands; return; fi
  case "$words[2]" in
${cases.join('\n')}
  esac
  if [[ "$PREFIX" == -* ]]; then _describe setting flags
  elif (( CURRENT == 3 )) && (( $#actions )); then _describe action actions
  else _files; fi
}
compdef _portolan portolan
`;
}

function fish(commands: Commands): string {
  const lines = Object.entries(commands).flatMap(([name, command]) => {
    const seen = quoted(`__fish_seen_subcommand_from ${name}`);
    const actions = Object.entries(command.actions ?? {});
    // Offer an action only if the line does not contain one yet.
    const none = quoted(
      `__fish_seen_subcommand_from ${name}; and not __fish_seen_subcommand_from ${words(actions.map(([action]) => action))}`,
    );
    return [
      `complete -c portolan -n __fish_use_subcommand -f -a ${name} -d ${quoted(command.summary)}`,
      ...actions.map(
        ([action, { summary }]) => `complete -c portolan -n ${none} -f -a ${action} -d ${quoted(summary)}`,
      ),
      ...flagsOf(command).map(
        ([flag, text]) => `complete -c portolan -n ${seen} -l ${flag} -d ${quoted(text)}`,
      ),
    ];
  });
  return `${lines.join('\n')}\n`;
}

const scripts = { bash, zsh, fish };
