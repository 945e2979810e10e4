import type { Action } from './command.ts';

/** Actions of `portolan state`. */
export const stateActions: Readonly<Record<string, Action>> = {
  save: { summary: 'saves the current state; replaces a state of the same name', usage: 'NAME' },
  restore: { summary: 'restores a saved state', usage: 'NAME' },
  reset: { summary: 'restores the state that the service had after its first start' },
  list: { summary: 'lists the saved states' },
  diff: {
    summary:
      'lists the differences between the states NAME and OTHER; without OTHER, between NAME and the current state',
    usage: 'NAME [OTHER]',
  },
  fork: {
    summary: 'creates the data directory TO from the state NAME, so that a second service can run on it',
    usage: 'NAME TO',
  },
  export: { summary: 'writes a state to a compressed file, without the secret key', usage: 'NAME FILE' },
  import: { summary: 'adds a state from a file that the command state export wrote', usage: 'FILE NAME' },
  delete: { summary: 'deletes a saved state', usage: 'NAME' },
};
