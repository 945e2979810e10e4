import { FormGroup, FormSelect, FormSelectOption, List, ListItem } from '@patternfly/react-core';
import { type DatabaseUser, type GroupPath, useList } from '../../api/resources.ts';
import { FieldHelp } from '../../parts/field-help.tsx';
import { RemoveEntry } from '../../parts/remove-entry.tsx';

export type Scope = NonNullable<DatabaseUser['scopes']>[number];

interface ScopesFieldProps {
  /** The path of the project. */
  readonly group: GroupPath;
  readonly scopes: readonly Scope[];
  readonly onChange: (scopes: readonly Scope[]) => void;
}

/** The clusters to which a database user may log in. */
export function ScopesField({ group, scopes, onChange }: ScopesFieldProps) {
  const { data = [] } = useList(`${group}/clusters`);
  const free = data.filter(({ name }) => !scopes.some((scope) => scope.name === name));
  return (
    <FormGroup role="group" label="Clusters" fieldId="scope">
      <List isPlain>
        {scopes.map((scope, index) => (
          <ListItem key={`${scope.type} ${scope.name}`}>
            {scope.name}{' '}
            <RemoveEntry
              name={`cluster ${scope.name}`}
              onRemove={() => onChange(scopes.toSpliced(index, 1))}
            />
          </ListItem>
        ))}
      </List>
      {free.length > 0 && (
        <FormSelect
          id="scope"
          aria-label="Add cluster"
          value=""
          onChange={(_event, name) => onChange([...scopes, { name, type: 'CLUSTER' }])}
        >
          <FormSelectOption value="" label="Add cluster" isDisabled />
          {free.map(({ name }) => (
            <FormSelectOption key={name} value={name} label={name} />
          ))}
        </FormSelect>
      )}
      <FieldHelp
        problem={undefined}
        help={
          scopes.length === 0
            ? 'The user may log in to all clusters of the project'
            : 'The user may log in only to these clusters'
        }
      />
    </FormGroup>
  );
}
