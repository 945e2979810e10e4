import type { Action } from './command.ts';

/** Actions of `portolan kubernetes`. The command table lists them without loading `kubernetes.ts`. */
export const kubernetesActions: Readonly<Record<string, Action>> = {
  manifest: {
    summary:
      'prints a service account with the minimum rights that the service needs, as YAML for kubectl apply',
  },
};
