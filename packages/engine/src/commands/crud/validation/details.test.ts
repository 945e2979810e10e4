import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Binary, type Document } from 'bson';
import { TestCluster } from '../../../worker/testing.ts';

let cluster: TestCluster;
let collections = 0;

before(() => {
  cluster = new TestCluster();
});
after(() => cluster.remove());

const created = (validator: Document, more: Document = {}) => {
  const name = `c${collections++}`;
  return { name, reply: cluster.run({ create: name, validator, ...more }) };
};

/** Returns why a validator rejects a document. */
function detailsOf(validator: Document, document: Document): Document {
  const { name } = created(validator);
  const [error] = cluster.run({ insert: name, documents: [{ _id: 1, ...document }] }).writeErrors;
  assert.equal(error.code, 121);
  return error.errInfo.details;
}

const ruleOf = (schema: Document, value: unknown): Document => {
  const details = detailsOf({ $jsonSchema: { properties: { a: schema } } }, { a: value });
  return details.schemaRulesNotSatisfied[0].propertiesNotSatisfied[0].details[0];
};

describe('why a condition rejects a value', () => {
  it('tells the types that the operator tests', () => {
    const cases: Array<[Document, unknown, Document]> = [
      [
        { $mod: [2, 0] },
        'x',
        {
          consideredType: 'string',
          expectedTypes: ['decimal', 'double', 'int', 'long'],
          consideredValue: 'x',
        },
      ],
      [{ $size: 1 }, 1, { consideredType: 'int', expectedType: 'array', consideredValue: 1 }],
      [{ $elemMatch: { b: 1 } }, 1, { consideredType: 'int', expectedType: 'array', consideredValue: 1 }],
      [
        { $regex: 'x', $options: 'i' },
        1,
        { consideredType: 'int', expectedTypes: ['regex', 'string', 'symbol'], consideredValue: 1 },
      ],
      [
        { $bitsAllSet: 1 },
        [true, 'x'],
        {
          consideredTypes: ['bool', 'string'],
          expectedTypes: ['binData', 'decimal', 'double', 'int', 'long'],
          consideredValues: [true, 'x'],
        },
      ],
    ];
    for (const [condition, a, types] of cases) {
      const [operatorName] = Object.keys(condition);
      const common = { operatorName, specifiedAs: { a: condition }, reason: 'type did not match' };
      assert.deepEqual(detailsOf({ a: condition }, { a }), { ...common, ...types });
    }
  });

  it('lists the entries of an array, of which it shows ten', () => {
    const common = { operatorName: '$gt', specifiedAs: { a: { $gt: 20 } }, reason: 'comparison failed' };
    const explain = (a: unknown) => detailsOf({ a: { $gt: 20 } }, { a });
    const numbers = Array.from({ length: 11 }, (_, i) => i);
    assert.deepEqual(explain([7]), { ...common, consideredValue: 7 });
    assert.deepEqual(explain([]), { ...common, consideredValues: [] });
    assert.deepEqual(explain(numbers), {
      ...common,
      consideredValues: numbers.slice(0, 10),
      consideredValuesTruncated: true,
    });
    const many = explain(Array.from({ length: 300_000 }, () => 7));
    assert.deepEqual(
      many.consideredValues,
      Array.from({ length: 10 }, () => 7),
    );
    const nested = detailsOf({ 'a.b': 5 }, { a: [{ b: 1 }, { b: [2, 3] }] });
    assert.deepEqual(nested.consideredValues, [1, 2, 3]);
    assert.equal(detailsOf({ 'a.b': 5 }, { a: [{ c: 1 }] }).reason, 'field was missing');
    assert.equal(detailsOf({ 'a.1': 5 }, { a: [1, 2] }).consideredValue, 2);
  });

  it('tells that a geometry is missing, and that nothing can match', () => {
    const $geoWithin = { $centerSphere: [[0, 0], 1] };
    assert.equal(
      detailsOf({ a: { $geoWithin } }, { a: 'x' }).reason,
      'could not find a valid geometry at the given path',
    );
    const never = 'expression always evaluates to false';
    assert.equal(detailsOf({ a: { $all: [] } }, { a: 1 }).reason, never);
    assert.equal(detailsOf({ $jsonSchema: { bsonType: 'int' } }, {}).reason, never);
  });

  it('tells the result of an expression, or its error', () => {
    const divided = { $expr: { $divide: [1, '$a'] } };
    assert.deepEqual(detailsOf({ $expr: { $subtract: ['$a', 1] } }, { a: 1 }).expressionResult, 0);
    assert.deepEqual(detailsOf(divided, { a: 0 }), {
      operatorName: '$expr',
      specifiedAs: divided,
      reason: 'failed to evaluate aggregation expression',
      details: { code: 2, codeName: 'BadValue', errmsg: "can't $divide by zero" },
    });
  });

  it('compares by the collation of the collection', () => {
    const validator = { $and: [{ a: 'X' }, { b: 1 }] };
    const { name } = created(validator, { collation: { locale: 'en', strength: 2 } });
    const [error] = cluster.run({ insert: name, documents: [{ a: 'x', b: 2 }] }).writeErrors;
    assert.deepEqual(
      error.errInfo.details.clausesNotSatisfied.map(({ index }: Document) => index),
      [1],
    );
  });
});

describe('why a schema rejects a value', () => {
  it('tells both keywords of an exclusive bound, and the number of items', () => {
    assert.deepEqual(ruleOf({ minimum: 1, exclusiveMinimum: true }, 1).specifiedAs, {
      minimum: 1,
      exclusiveMinimum: true,
    });
    assert.deepEqual(ruleOf({ maxItems: 1 }, [1, 2]), {
      operatorName: 'maxItems',
      specifiedAs: { maxItems: 1 },
      reason: 'array did not match specified length',
      consideredValue: [1, 2],
      numberOfItems: 2,
    });
  });

  it('tells which items and properties a nested schema rejects', () => {
    const int = { bsonType: 'int', title: 'whole' };
    const details = [
      {
        operatorName: 'bsonType',
        specifiedAs: { bsonType: 'int' },
        reason: 'type did not match',
        consideredValue: 'x',
        consideredType: 'string',
      },
    ];
    assert.deepEqual(ruleOf({ items: [int, {}, int] }, [1, 1, 'x']), {
      operatorName: 'items',
      details: [{ itemIndex: 2, details }],
    });
    assert.deepEqual(ruleOf({ items: [{}], additionalItems: int }, ['y', 1, 'x']), {
      operatorName: 'additionalItems',
      title: 'whole',
      reason: 'At least one additional item did not match the sub-schema',
      itemIndex: 2,
      details,
    });
    assert.deepEqual(ruleOf({ properties: { b: {} }, additionalProperties: int }, { b: 1, c: 'x' }), {
      operatorName: 'additionalProperties',
      title: 'whole',
      reason: 'at least one additional property did not match the subschema',
      failingProperty: 'c',
      details,
    });
    assert.deepEqual(ruleOf({ patternProperties: { '^b': int } }, { b: 1, bb: 'x', bc: 'y' }), {
      operatorName: 'patternProperties',
      propertiesNotSatisfied: [{ propertyName: 'bb', title: 'whole', regexMatched: '^b', details }],
    });
    assert.deepEqual(ruleOf({ anyOf: [int] }, 'x'), {
      operatorName: 'anyOf',
      schemasNotSatisfied: [{ index: 0, title: 'whole', details }],
    });
  });

  it('tells only that the schema matches if it must not', () => {
    const [clause] = detailsOf({ $nor: [{ $jsonSchema: { required: ['a'] } }] }, { a: 1 }).clausesSatisfied;
    assert.deepEqual(clause.details, { operatorName: '$jsonSchema', reason: 'schema matched' });
  });
});

describe('a schema with encrypted fields', () => {
  const encrypted = (type: number) => new Binary(Buffer.from([1, ...Array(16).fill(0), type, 9]), 6);
  const validator = (encrypt: Document) => ({ $jsonSchema: { properties: { a: { encrypt } } } });

  it('accepts encrypted values of the type only', () => {
    const { name, reply } = created(validator({ bsonType: 'string' }));
    assert.equal(reply.ok, 1);
    assert.equal(cluster.run({ insert: name, documents: [{}, { a: encrypted(2) }] }).n, 2);
    const rule = (a: unknown) => ruleOf({ encrypt: { bsonType: 'string' } }, a);
    assert.deepEqual(rule('x'), { operatorName: 'encrypt', reason: 'value was not encrypted' });
    assert.deepEqual(rule(encrypted(16)), {
      operatorName: 'encrypt',
      reason: 'encrypted value has wrong type',
    });
  });

  it('is refused with a wrong option, a type, or where plain values are logged', () => {
    const codes = [
      created(validator({ x: 1 })),
      created(validator({ algorithm: 'x' })),
      created({ $jsonSchema: { properties: { a: { encrypt: {}, bsonType: 'binData' } } } }),
      created({ $jsonSchema: { encryptMetadata: {} } }),
      created(validator({}), { validationAction: 'warn' }),
      created(validator({}), { validationLevel: 'moderate' }),
    ].map(({ reply }) => reply.code);
    assert.deepEqual(codes, [40415, 2, 9, 9, 224, 224]);
    const { name } = created(validator({}));
    assert.equal(cluster.run({ collMod: name, validationAction: 'warn' }).code, 224);
  });
});
