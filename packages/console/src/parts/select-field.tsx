import { FormGroup, FormSelect, FormSelectOption } from '@patternfly/react-core';

interface SelectFieldProps {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly options: readonly string[];
  readonly onChange: (value: string) => void;
}

/** A field of a form with a list of options. */
export function SelectField({ id, label, value, options, onChange }: SelectFieldProps) {
  return (
    <FormGroup label={label} fieldId={id}>
      <FormSelect id={id} value={value} onChange={(_event, chosen) => onChange(chosen)}>
        {options.map((option) => (
          <FormSelectOption key={option} value={option} label={option === '' ? 'default' : option} />
        ))}
      </FormSelect>
    </FormGroup>
  );
}
