import { signal } from '@preact/signals';

export type Theme = 'auto' | 'light' | 'dark';
const key = 'unstuck-theme';
const dark = matchMedia('(prefers-color-scheme: dark)');

export const theme = signal<Theme>(stored());
export const isDark = signal(false);

function stored(): Theme {
  const value = localStorage.getItem(key);
  return value === 'light' || value === 'dark' ? value : 'auto';
}

function apply(): void {
  isDark.value = theme.value === 'dark' || (theme.value === 'auto' && dark.matches);
  document.documentElement.dataset.theme = isDark.value ? 'dark' : 'light';
}

export function setTheme(next: Theme): void {
  theme.value = next;
  localStorage.setItem(key, next);
  apply();
}

/** Applies the colours now and when the machine changes them. */
export function startTheme(): void {
  dark.addEventListener('change', apply);
  apply();
}
