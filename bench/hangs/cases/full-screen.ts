import { family } from '../hang-case.js';

const tui = (what: string) => ['node', '{programs}/screen/tui.mjs', what];

/** They repaint the terminal, some by a timer, and need a person to go on. */
export const screensThatAsk = family(
  'full-screen question',
  { label: 'stuck', actor: 'whoever may type', stdin: 'pty', kinds: ['needs-input'] },
  [
    {
      name: 'menu-under-spinner',
      why: 'a menu waits for a key; only its spinner moves.',
      run: tui('select'),
      stdin: 'pty',
      kinds: ['needs-input'],
      names: 'node',
    },
    {
      name: 'buttons-beside-clock',
      why: 'a box waits for yes or no; only the clock above it moves.',
      run: tui('buttons'),
      stdin: 'pty',
      kinds: ['needs-input'],
      names: 'node',
    },
    {
      name: 'dialog-yes-no',
      why: 'dialog waits for a button.',
      run: ['dialog', '--yesno', 'Remove the old backups?', '10', '40'],
      stdin: 'pty',
      kinds: ['needs-input'],
    },
    {
      name: 'fzf-list',
      why: 'fzf waits for a choice; its goroutines have timers.',
      run: ['sh', '-c', 'ls / | fzf'],
      needs: ['fzf'],
      stdin: 'pty',
      kinds: ['needs-input'],
      names: 'fzf',
    },
  ],
);

/** They read keys, and go on without any. */
export const screensThatWork = family(
  'full-screen work',
  { label: 'healthy', actor: 'nobody', stdin: 'pty' },
  [
    {
      name: 'log-with-questions',
      why: 'a build shows its log; the question marks are part of it, and the log grows.',
      run: tui('build'),
      stdin: 'pty',
      kinds: ['working', 'timer'],
    },
    {
      name: 'progress-below-answer',
      why: 'files are copied; the question above them was answered.',
      run: tui('progress'),
      stdin: 'pty',
      kinds: ['working', 'timer'],
    },
    {
      name: 'watch-date',
      why: 'watch runs date again and again, and reads no key.',
      run: ['watch', '-n', '1', 'date'],
      stdin: 'pty',
      kinds: ['timer', 'working'],
    },
    {
      name: 'htop-on-terminal',
      why: 'htop repaints its list; nobody has to type.',
      run: ['htop', '-d', '10'],
      stdin: 'pty',
      kinds: ['timer', 'working'],
    },
  ],
);
