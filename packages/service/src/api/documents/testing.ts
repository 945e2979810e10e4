import { faults } from '@portolan/foundation/faults';
import Type from 'typebox';
import { entity } from '../entity.ts';
import { Choice, DateTime, Id, Links, readOnly, Tag } from '../fields.ts';
import { type AnyOperation, operationsOf } from '../operation.ts';
import type { DocumentInput } from './document.ts';

/** This file has the operations of a small sample service about ships in a harbour. */

const Ship = entity(
  Type.Object(
    {
      built: DateTime({ description: 'When it was <built> & launched.' }),
      id: readOnly(Id()),
      kind: Type.Union([Type.Literal('sail'), Type.Literal('steam')], { default: 'sail' }),
      launchCode: Type.Optional(Type.String({ writeOnly: true })),
      links: Links,
      name: Type.String({ minLength: 1, maxLength: 64 }),
      tags: Type.Optional(Type.Array(Tag, { default: [] })),
    },
    { description: 'A vessel.' },
  ),
  { name: 'ship', self: 'getShip', params: (ship) => ({ shipName: ship.name }) },
);

/** The entity in the version of 2024, in which `kind` is any text. */
const OldShip = entity(Type.Object({ kind: Type.String(), links: Links, name: Type.String() }), {
  name: 'ship',
  self: 'getShip',
  params: (ship) => ({ shipName: ship.name }),
});

const Harbour = entity(
  Type.Object({ appName: Type.String(), links: Links, ports: Type.Record(Type.String(), Type.Integer()) }),
  { name: 'harbour', self: 'getSystemStatus', params: () => ({ groupId: FLEET, shipName: 'Elida' }) },
);

/** The project to whose ships the root document links. */
const FLEET = '5f00000000000000000000bb';

const elida = { built: '2024-01-01T00:00:00Z', kind: 'sail' as const, name: 'Elida', tags: [] };

const operation = operationsOf<unknown>();

const listShips = operation({
  id: 'listShips',
  summary: 'List the ships of a project',
  tag: 'Ships',
  method: 'GET',
  path: '/groups/{groupId}/ships',
  access: 'Project Read Only',
  rateLimited: true,
  query: Type.Object({
    kind: Type.Optional(Choice(['sail', 'steam'], { description: 'Of this kind only.' })),
  }),
  reply: Ship,
  list: 'page',
  status: 200,
  reachedFrom: { harbour: 'ships' },
  handler: async () => ({ results: [elida], totalCount: 1 }),
});

const getShip = operation({
  id: 'getShip',
  summary: 'One ship',
  tag: 'Ships',
  method: 'GET',
  path: '/groups/{groupId}/ships/{shipName}',
  access: 'Project Read Only',
  versions: { '2023-01-01': { reply: OldShip }, '2024-05-30': 'unavailable', '2025-03-12': 'same' },
  reply: Ship,
  status: 200,
  reachedFrom: { harbour: 'flagship' },
  handler: async () => elida,
});

const createShip = operation({
  id: 'createShip',
  summary: 'Build a ship',
  tag: 'Ships',
  method: 'POST',
  path: '/groups/{groupId}/ships',
  access: 'Project Owner',
  body: Ship,
  reply: Ship,
  status: 201,
  handler: async ({ body }) => body,
});

const deleteShip = operation({
  id: 'deleteShip',
  summary: 'Scrap a ship',
  tag: 'Ships',
  method: 'DELETE',
  path: '/groups/{groupId}/ships/{shipName}',
  access: 'Project Owner',
  versions: { '2024-05-30': 'same', '2025-03-12': 'same' },
  status: 204,
  handler: async () => undefined,
});

const getRoot = operation({
  id: 'getSystemStatus',
  summary: 'Where everything begins',
  tag: 'Root',
  method: 'GET',
  path: '/',
  access: 'any caller',
  reply: Harbour,
  status: 200,
  handler: async () => ({ appName: 'Harbour', ports: { north: 1 } }),
});

const getTide = operation({
  id: 'getTide',
  summary: 'The tide',
  tag: 'Operator',
  method: 'GET',
  path: '/tide',
  access: 'operator',
  surface: 'operator',
  reply: Type.Intersect([Type.Object({ high: DateTime() }), Type.Object({ low: DateTime() })]),
  status: 200,
  handler: async () => ({ high: '2024-01-01T00:00:00Z', low: '2024-01-01T06:00:00Z' }),
});

export const exampleOperations: readonly AnyOperation[] = [
  listShips,
  getShip,
  createShip,
  deleteShip,
  getRoot,
  getTide,
];

export const exampleInput: DocumentInput = {
  operations: exampleOperations,
  parameters: {
    groupId: { description: 'The project.', pattern: '^([a-f0-9]{24})$' },
    shipName: { description: 'The name of the ship.' },
  },
  faults: [
    faults({
      SHIP_NOT_FOUND: [404, 'No ship is called {0} in project {1}.'],
      DUPLICATE_SHIP_NAME: [409, 'A ship is already called {0}.'],
    }),
  ],
  publicUrl: 'https://127.0.0.1:8443',
  serviceVersion: '0.1.0',
};
