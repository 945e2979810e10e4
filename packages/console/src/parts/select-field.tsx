import { FormGroup, FormSelect, FormSelectOption } from '@patternfly/react-core';
import { FieldHelp } from './field-help.tsx';

interface SelectFieldProps {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  /** The values, each with its label if the label differs from the value. */
  readonly options: readonly (string | readonly [value: string, label: string])[];
  readonly help?: string;
  readonly onChange: (value: string) => void;
}

/** A field of a form with a list of options. */
export function SelectField({ id, label, value, options, onChange, help }: SelectFieldProps) {
  return (
    <FormGroup label={label} fieldId={id}>
      <FormSelect id={id} value={value} onChange={(_event, chosen) => onChange(chosen)}>
        {options.map((option) => {
          const [chosen, name] = typeof option === 'string' ? [option, option || 'default'] : option;
          return <FormSelectOption key={chosen} value={chosen} label={name} />;
        })}
      </FormSelect>
      <FieldHelp problem={undefined} help={help} />
    </FormGroup>
  );
}
