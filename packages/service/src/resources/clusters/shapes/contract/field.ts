import type { TSchema } from 'typebox';
import type { generalFaults } from '../../../../api/faults.ts';
import type { clusterFaults } from '../../model/faults.ts';
import type { autoScalingFaults, diskFaults, specFaults } from '../../rules/faults.ts';

/**
 * How the service supports a field. `acts`: the service applies it to the deployment. `stored`: the service stores and
 * returns it, but it has no effect. `answered`: the field is read-only. `absent`: responses never contain it.
 */
export type FieldSupport = 'acts' | 'stored' | 'answered' | 'absent';

type Code = keyof (typeof generalFaults &
  typeof clusterFaults &
  typeof specFaults &
  typeof diskFaults &
  typeof autoScalingFaults);

/** A field with its schema, its support, its description and the error codes of rejected values. */
export interface Field<S extends TSchema = TSchema> {
  readonly schema: S;
  readonly support: FieldSupport;
  readonly what: string;
  readonly codes: readonly Code[];
}

export function field<S extends TSchema>(
  schema: S,
  support: FieldSupport,
  what: string,
  codes: readonly Code[] = [],
): Field<S> {
  return { schema, support, what, codes };
}

type Schemas<Fields extends Readonly<Record<string, Field>>> = {
  [Name in keyof Fields]: Fields[Name]['schema'];
};

/** Returns the properties of an object with these fields, with their descriptions. */
export function schemasOf<Fields extends Readonly<Record<string, Field>>>(fields: Fields): Schemas<Fields> {
  const schemas = Object.entries(fields).map(([name, { schema, what }]) => [name, described(schema, what)]);
  return Object.fromEntries(schemas) as Schemas<Fields>;
}

/** Copies a schema together with its non-enumerable properties, since these mark optional fields. */
function described(schema: TSchema, description: string): TSchema {
  const properties = Object.getOwnPropertyDescriptors(schema);
  return Object.defineProperty(Object.create(Object.getPrototypeOf(schema), properties), 'description', {
    value: description,
    enumerable: true,
  });
}
