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
    'Saves the whole service including its databases under a name; a state with that name is replaced.',
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
  summary:
    'Lists the resources and collections that differ between a state and another one or the current state.',
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
  summary: 'Restores the whole service to a saved state; requests wait meanwhile.',
  method: 'POST',
  path: '/states/{stateName}/restore',
  status: 204,
  handler: ({ params, services }) => services.states.restore(params.stateName, 1),
});

export const resetState = extension({
  ...common,
  id: 'resetState',
  summary: 'Resets the whole service to its state after the first start, with the same credentials.',
  method: 'POST',
  path: '/reset',
  status: 204,
  handler: ({ services }) => services.states.reset(1),
});
