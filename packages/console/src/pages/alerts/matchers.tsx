import { Button, FormFieldGroup, FormFieldGroupHeader, Gallery } from '@patternfly/react-core';
import { RemoveEntry } from '../../parts/remove-entry.tsx';
import { SelectField } from '../../parts/select-field.tsx';
import { TextField } from '../../parts/text-field.tsx';
import type { Matcher } from './model.ts';

const operators = ['EQUALS', 'NOT_EQUALS', 'CONTAINS', 'NOT_CONTAINS', 'STARTS_WITH', 'ENDS_WITH', 'REGEX'];

/** The possible values of fields that have a fixed list of values. */
const choices: Readonly<Record<string, readonly string[]>> = {
  TYPE_NAME: ['PRIMARY', 'SECONDARY', 'MONGOS', 'CONFIG', 'STANDALONE', 'ARBITER'],
  PLATFORM_NODE_TYPE: ['ELECTABLE', 'READ_ONLY', 'ANALYTICS'],
};

/** Returns a new matcher of a field. If the field has a fixed list of values, the matcher has the first of them. */
const matching = (fieldName: string) => ({ fieldName, value: choices[fieldName]?.[0] ?? '' });

interface MatchersProps {
  /** The fields that matchers of the event type can use. If the list is empty, they can use any field. */
  readonly fields: readonly string[];
  readonly value: readonly Matcher[];
  readonly onChange: (value: readonly Matcher[]) => void;
  readonly error: Error | null;
}

/** To which hosts, replica sets or clusters a configuration applies. */
export function Matchers({ fields, value, onChange, error }: MatchersProps) {
  if (fields.length === 0) return null;
  const set = (at: number, change: Partial<Matcher>) =>
    onChange(value.map((one, index) => (index === at ? { ...one, ...change } : one)));
  const add = () => onChange([...value, { ...matching(fields[0] ?? ''), operator: 'EQUALS' }]);
  return (
    <FormFieldGroup
      header={
        <FormFieldGroupHeader
          titleText={{ text: 'Applies to', id: 'matchers-title' }}
          titleDescription={
            value.length === 0 ? 'everything in the project' : 'targets that match all of these conditions'
          }
          actions={
            <Button variant="secondary" onClick={add}>
              Add matcher
            </Button>
          }
        />
      }
    >
      {value.map((matcher, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: new matchers have no identity
        <Gallery key={index} hasGutter>
          <SelectField
            id={`field-${index}`}
            label={`Field ${index + 1}`}
            value={matcher.fieldName}
            options={fields}
            onChange={(fieldName) => set(index, matching(fieldName))}
          />
          <SelectField
            id={`operator-${index}`}
            label={`Comparison ${index + 1}`}
            value={matcher.operator}
            options={operators}
            onChange={(operator) => set(index, { operator })}
          />
          <ValueField
            id={`value-${index}`}
            label={`Value ${index + 1}`}
            matcher={matcher}
            onChange={(text) => set(index, { value: text })}
            error={error}
            field={`matchers.${index}.value`}
          />
          <RemoveEntry name={`matcher ${index + 1}`} onRemove={() => onChange(value.toSpliced(index, 1))} />
        </Gallery>
      ))}
    </FormFieldGroup>
  );
}

interface ValueFieldProps {
  readonly id: string;
  readonly label: string;
  readonly matcher: Matcher;
  readonly onChange: (value: string) => void;
  readonly error: Error | null;
  readonly field: string;
}

function ValueField({ matcher: { fieldName, value }, ...props }: ValueFieldProps) {
  const options = choices[fieldName];
  if (options === undefined) return <TextField {...props} value={value} />;
  return (
    <SelectField
      id={props.id}
      label={props.label}
      value={value}
      options={options}
      onChange={props.onChange}
    />
  );
}
