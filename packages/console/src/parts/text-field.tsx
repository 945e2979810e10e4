import { FormGroup, TextInput } from '@patternfly/react-core';
import { ApiError } from '../api/client.ts';
import { FieldHelp } from './field-help.tsx';

interface TextFieldProps {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly type?: 'number' | 'password' | 'text';
  readonly isRequired?: boolean;
  readonly help?: string;
  /** The error of the last attempt. If it is about this field, the field displays it. */
  readonly error?: Error | null;
  /** The name of the field in the API; by default the id. */
  readonly field?: string;
}

/** Returns what an error of the API says about a field. `field` is its name in the API. */
export function problemAt(field: string, error: Error | null | undefined): string | undefined {
  return error instanceof ApiError && error.fields.includes(field) ? error.message : undefined;
}

export function TextField(props: TextFieldProps) {
  const { id, label, value, onChange, type = 'text', isRequired = false, help, error, field = id } = props;
  const problem = problemAt(field, error);
  return (
    <FormGroup label={label} fieldId={id} isRequired={isRequired}>
      <TextInput
        id={id}
        type={type}
        value={value}
        isRequired={isRequired}
        validated={problem === undefined ? 'default' : 'error'}
        onChange={(_event, changed) => onChange(changed)}
      />
      <FieldHelp problem={problem} help={help} />
    </FormGroup>
  );
}
