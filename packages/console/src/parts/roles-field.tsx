import { Checkbox, FormGroup } from '@patternfly/react-core';
import { FieldHelp } from './field-help.tsx';
import { problemAt } from './text-field.tsx';

interface RolesFieldProps {
  /** The names of the roles in the API, with their titles. */
  readonly roles: Readonly<Record<string, string>>;
  readonly value: readonly string[];
  readonly onChange: (value: readonly string[]) => void;
  readonly error?: Error | null | undefined;
}

/** A choice of several roles. */
export function RolesField({ roles, value, onChange, error }: RolesFieldProps) {
  // Also show roles that are missing in the console's list, so that they can be kept or withdrawn.
  const shown = { ...Object.fromEntries(value.map((role) => [role, role])), ...roles };
  return (
    <FormGroup role="group" label="Roles" fieldId="roles" isStack>
      {Object.entries(shown).map(([role, title]) => (
        <Checkbox
          key={role}
          id={role}
          label={title}
          isChecked={value.includes(role)}
          onChange={(_event, checked) =>
            onChange(checked ? [...value, role] : value.filter((one) => one !== role))
          }
        />
      ))}
      <FieldHelp problem={problemAt('roles', error)} help={undefined} />
    </FormGroup>
  );
}
