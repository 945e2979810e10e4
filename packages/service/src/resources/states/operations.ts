import { extension } from '../services.ts';
import { ListedState, OtherState, SavedState, StateDifference, StateName } from './schema.ts';

const common = { tag: 'Operator', surface: 'operator', access: 'operator' } as const;

export const listStates = extension({
  ...common,
  id: 'listStates',
  summary: 'Lists the saved states of the service, including damaged ones.',
  method: 'GET',
  path: '/states',
  reply: ListedState,
  list: 'array',
  status: 200,
  handler: ({ services }) => services.states.list(),
});

export const saveState = extension({
  ...common,
  id: 'saveState',
  summary:
    'Saves the whole service, with its databases, as a named state. Replaces an existing state with the same name.',
  method: 'POST',
  path: '/states',
  body: StateName,
  reply: SavedState,
  status: 201,
  handler: ({ body, services }) => services.states.save(body.name),
});

export const deleteState = extension({
  ...common,
  id: 'deleteState',
  summary: 'Deletes a saved state.',
  method: 'DELETE',
  path: '/states/{stateName}',
  status: 204,
  handler: ({ params, services }) => services.states.remove(params.stateName),
});

export const compareStates = extension({
  ...common,
  id: 'compareStates',
  summary: 'Lists the differences between a saved state and the current state, or between two saved states.',
  method: 'GET',
  path: '/states/{stateName}/differences',
  query: OtherState,
  reply: StateDifference,
  list: 'array',
  status: 200,
  handler: ({ params, query, services }) => services.states.compare(params.stateName, query.with),
});

export const restoreState = extension({
  ...common,
  id: 'restoreState',
  summary: 'Restores the whole service from a saved state. Requests wait until the restore is complete.',
  method: 'POST',
  path: '/states/{stateName}/restore',
  status: 204,
  handler: ({ params, services }) => services.states.restore(params.stateName, 1),
});

export const resetState = extension({
  ...common,
  id: 'resetState',
  summary: 'Resets the whole service to the state after its first start. The credentials remain valid.',
  method: 'POST',
  path: '/reset',
  status: 204,
  handler: ({ services }) => services.states.reset(1),
});
