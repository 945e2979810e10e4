import { Checkbox } from '@patternfly/react-core';
import { SelectField } from '../../parts/select-field.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { kinds, type NotificationField } from './kinds.ts';

interface KindFieldsProps {
  readonly typeName: string;
  readonly values: Readonly<Record<string, unknown>>;
  /** An undefined value removes the field. */
  readonly onChange: (name: string, value: unknown) => void;
  readonly error: Error | null;
  /** Path of the fields in the body, such as `notifications.0.`. */
  readonly path: string;
  /** Text at the end of each label, which distinguishes the labels of several notifications. */
  readonly suffix: string;
}

/** The fields of a kind of notification or integration. */
export function KindFields({ typeName, suffix, ...props }: KindFieldsProps) {
  return kinds[typeName]?.fields.map((one) => (
    <KindField key={one.name} {...props} field={one} label={`${one.label}${suffix}`} />
  ));
}

interface KindFieldProps extends Omit<KindFieldsProps, 'suffix' | 'typeName'> {
  readonly field: NotificationField;
  readonly label: string;
}

const orNothing = (text: string) => (text === '' ? undefined : text);

function KindField({ field: { name, form }, label, values, onChange, error, path }: KindFieldProps) {
  const id = `${path}${name}` as const;
  const value = values[name];
  if (form === 'flag')
    return (
      <Checkbox
        id={id}
        label={label}
        isChecked={value === true}
        onChange={(_event, checked) => onChange(name, checked)}
      />
    );
  if (typeof form !== 'string')
    return (
      <SelectField
        id={id}
        label={label}
        value={typeof value === 'string' ? value : (form[0] ?? '')}
        options={form}
        onChange={(chosen) => onChange(name, chosen)}
      />
    );
  if (form === 'roles')
    return (
      <TextField
        id={id}
        label={label}
        value={Array.isArray(value) ? value.join(', ') : ''}
        onChange={(text) => onChange(name, text === '' ? undefined : text.split(/\s*,\s*/))}
        error={error}
        help="Names such as GROUP_OWNER, separated by commas; everybody if empty"
      />
    );
  return (
    <TextField
      id={id}
      label={label}
      value={typeof value === 'string' ? value : ''}
      onChange={(text) => onChange(name, orNothing(text))}
      error={error}
      help={
        form === 'secret' ? 'If you leave the masked value as it is, the stored value does not change.' : ''
      }
    />
  );
}
