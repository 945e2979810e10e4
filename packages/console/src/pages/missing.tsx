import { Link } from 'wouter';
import { View } from '../parts/view.tsx';

export function MissingPage() {
  return (
    <View title="There is no such page">
      <Link href="/">Go to the overview</Link>
    </View>
  );
}
