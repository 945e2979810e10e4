const DARK_CLASS = 'pf-v6-theme-dark';

/** Shows the page in the colors that the system prefers, now and after each change. */
export function followColorScheme(): void {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const apply = () => document.documentElement.classList.toggle(DARK_CLASS, dark.matches);
  dark.addEventListener('change', apply);
  apply();
}
