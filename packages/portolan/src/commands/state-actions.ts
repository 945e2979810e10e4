import type { Action } from './command.ts';

/** Actions of `portolan state`. */
export const stateActions: Readonly<Record<string, Action>> = {
  save: { summary: 'saves the state, replacing one of the same name', usage: 'NAME' },
  restore: { summary: 'restores a saved state', usage: 'NAME' },
  reset: { summary: 'restores the state after the first start' },
  list: { summary: 'lists the saved states' },
  diff: {
    summary: 'lists the differences from another state, or from the running service',
    usage: 'NAME [OTHER]',
  },
  fork: { summary: 'creates a data directory from a state, for another service', usage: 'NAME TO' },
  export: { summary: 'writes a state to a file, without keys', usage: 'NAME FILE' },
  import: { summary: 'reads a state from such a file', usage: 'FILE NAME' },
  delete: { summary: 'deletes a saved state', usage: 'NAME' },
};
