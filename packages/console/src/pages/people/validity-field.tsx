import { TextField } from '../../parts/text-field.tsx';

interface ValidityFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly error: Error | null;
}

/** How long a secret of a service account is valid. */
export function ValidityField({ value, onChange, error }: ValidityFieldProps) {
  return (
    <TextField
      id="secretExpiresAfterHours"
      label="Validity of the secret in hours"
      type="number"
      value={value}
      onChange={onChange}
      error={error}
      help="8 to 8760, which is a year; the organization may allow less"
      isRequired
    />
  );
}
