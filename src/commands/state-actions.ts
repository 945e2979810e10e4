import type { Action } from './command.ts';

/** What `portolan state` does. */
export const stateActions: Readonly<Record<string, Action>> = {
  save: { summary: 'saves it under a name; one that has it is replaced', usage: 'NAME' },
  restore: { summary: 'brings it back to what it was then', usage: 'NAME' },
  reset: { summary: 'brings it back to what it was after its first start' },
  list: { summary: 'says which ones are saved' },
  delete: { summary: 'deletes one', usage: 'NAME' },
};
