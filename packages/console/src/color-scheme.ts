const DARK_CLASS = 'pf-v6-theme-dark';

/** Displays the page in the color scheme of the system, and follows its changes. */
export function followColorScheme(): void {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const apply = () => document.documentElement.classList.toggle(DARK_CLASS, dark.matches);
  dark.addEventListener('change', apply);
  apply();
}
