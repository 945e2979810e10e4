import type { Action } from './command.ts';

/** Actions of `portolan kubernetes`. They are in a separate file, since a start loads only the table of commands. */
export const kubernetesActions: Readonly<Record<string, Action>> = {
  manifest: {
    summary:
      'prints a service account with the minimum rights that the service needs, as YAML for kubectl apply',
  },
};
