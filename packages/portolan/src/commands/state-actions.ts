import type { Action } from './command.ts';

/** What `portolan state` does. */
export const stateActions: Readonly<Record<string, Action>> = {
  save: { summary: 'saves it under a name; one that has it is replaced', usage: 'NAME' },
  restore: { summary: 'brings it back to what it was then', usage: 'NAME' },
  reset: { summary: 'brings it back to what it was after its first start' },
  list: { summary: 'says which ones are saved' },
  diff: { summary: 'says in what another one, or the service as it is now, differs', usage: 'NAME [OTHER]' },
  fork: { summary: 'makes a data directory of one, for a service beside this one', usage: 'NAME TO' },
  export: { summary: 'writes one into a file; no key is in it', usage: 'NAME FILE' },
  import: { summary: 'takes one out of such a file', usage: 'FILE NAME' },
  delete: { summary: 'deletes one', usage: 'NAME' },
};
