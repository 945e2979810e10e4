import type { Action } from './command.ts';

/** Actions of `portolan kubernetes`. They are in a separate file, since a start loads only the table of commands. */
export const kubernetesActions: Readonly<Record<string, Action>> = {
  manifest: { summary: 'prints an account with the least rights of the service, as YAML for kubectl apply' },
};
