import type { Action } from './command.ts';

/** The arguments of `portolan completion`. */
export const shells: Readonly<Record<'bash' | 'fish' | 'zsh', Action>> = {
  bash: { summary: 'for bash: source <(portolan completion bash)' },
  zsh: { summary: 'for zsh: source <(portolan completion zsh)' },
  fish: { summary: 'for fish: portolan completion fish | source' },
};
