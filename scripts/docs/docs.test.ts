import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { faults } from '../../packages/foundation/src/faults.ts';
import type { AnyOperation } from '../../packages/service/src/api/operation.ts';
import { coveragePage } from './coverage.ts';
import { errorsPage } from './errors.ts';
import { table } from './markdown.ts';
import { rolesPage } from './roles.ts';
import { settingsPage } from './settings.ts';

const clock = { id: 'getClock', method: 'GET', path: '/clock', surface: 'operator', summary: 'The clock.' };

const ship = {
  id: 'getShip',
  method: 'GET',
  path: '/ships/{name}',
  tag: 'Ships',
  source: 'contract',
  versions: ['2023-01-01', '2025-03-12'],
} as const;

describe('generated documents', () => {
  it('escape pipes and line breaks in cells', () => {
    assert.equal(table(['A'], [['x | y\nz']]), '| A |\n| --- |\n| x \\| y z |\n');
  });

  it('list each operation with the versions in which it is not served', () => {
    const text = coveragePage({
      rows: [
        { ...ship, served: true, missingVersions: ['2023-01-01'] },
        { ...ship, id: 'sinkShip', method: 'DELETE', served: false, missingVersions: [] },
      ],
      extensions: [clock as AnyOperation],
      totals: { contract: { listed: 2, served: 1 }, reference: { listed: 6, served: 0 } },
      unserved: 3,
    });
    const row =
      '| `getShip` | GET | `/ships/{name}` | contract | 2023-01-01, 2025-03-12 | served, without 2023-01-01 |';
    assert.ok(text.includes(`## Ships\n\n| Operation`), text);
    assert.ok(text.includes(row), text);
    assert.match(text, /\| `sinkShip` \| DELETE \|.*\| 501 \|/);
    assert.ok(text.includes('| contract | 2 | 1 | 50 % |'));
    assert.ok(text.includes('| all operations of MongoDB Atlas | 4 | 1 | 25 % |'), text);
    assert.ok(text.includes('| `getClock` | GET | `/operator/v1/clock` | The clock. |'));
  });

  it('list codes by part and status, and omit parts without codes', () => {
    const codes = faults({ SUNK: [409, 'It sank.'], ABSENT: [404, '{0} is not here.'] });
    const text = errorsPage([
      { title: 'Ships', tables: [codes] },
      { title: 'Docks', tables: [] },
    ]);
    assert.match(text, /## Ships\n\n.*\n.*\n\| 404 \| `ABSENT` \| \{0\} is not here\. \|\n\| 409 \| `SUNK`/);
    assert.doesNotMatch(text, /Docks/);
  });

  it('list the role that each operation requires, per version where versions differ', () => {
    const sink = {
      ...ship,
      access: 'Project Owner',
      versions: { '2023-01-01': { access: 'Project Read Only' }, '2024-08-05': 'same', '2025-03-12': 'same' },
    };
    const make = { ...sink, id: 'makeShip', access: 'any caller', versions: { '2025-03-12': 'same' } };
    const bodyAccess = { role: 'Organization Owner', of: 'the harbour' };
    const text = rolesPage([sink, { ...make, bodyAccess }] as unknown as AnyOperation[]);
    assert.ok(text.includes('| `getShip` | GET | `/ships/{name}` | 2023-01-01 | Project Read Only |'), text);
    assert.ok(
      text.includes('| `getShip` | GET | `/ships/{name}` | 2024-08-05, 2025-03-12 | Project Owner |'),
    );
    assert.ok(text.includes('| any caller; Organization Owner of the harbour |'));
    assert.ok(text.includes('| Project Owner | `ORG_OWNER`, `GROUP_OWNER` |'));
  });

  it('list each setting with its flag, variable and default', () => {
    const one = { name: 'port', environment: 'PORTOLAN_PORT', description: 'Where.' };
    const text = settingsPage([one, { ...one, name: 'host', default: '::1' }]);
    assert.ok(text.includes('| `--port` | `PORTOLAN_PORT` |  | Where. |'));
    assert.ok(text.includes('| `--host` | `PORTOLAN_PORT` | `::1` | Where. |'));
  });
});
