import { FitAddon } from '@xterm/addon-fit';
import { Terminal } from '@xterm/xterm';
import type { ListedRun } from '../../src/model/operations/outputs.js';
import { call } from '../api.js';
import { isDark } from '../theme.js';

const themes = {
  dark: { background: '#0d1117', foreground: '#d7dde5', cursor: '#2dd4bf', selectionBackground: '#264f4a' },
  light: { background: '#ffffff', foreground: '#1f2733', cursor: '#0f766e', selectionBackground: '#bfe6e0' },
};

/** Connects a terminal to a run. Returns a function that disconnects it; the run goes on. */
export function openTerminal(
  place: HTMLElement,
  run: ListedRun,
  failed: (error: unknown) => void,
): () => void {
  const restore = withoutInlineStyles();
  const terminal = new Terminal({
    fontFamily: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace',
    fontSize: 13,
    scrollback: 5000,
    convertEol: run.input !== 'pty',
    theme: isDark.value ? themes.dark : themes.light,
    screenReaderMode: true,
  });
  const fit = new FitAddon();
  terminal.loadAddon(fit);
  terminal.open(place);
  const resize = () => {
    fit.fit();
    const { rows, cols: columns } = terminal;
    if (run.input === 'pty') call('resize', { id: run.id, rows, columns }).catch(failed);
  };
  const observer = new ResizeObserver(resize);
  observer.observe(place);
  const output = new EventSource(`/api/output?id=${encodeURIComponent(run.id)}`);
  // Old output may ask the terminal for its state. The program got its answer then, and would take another one for keys.
  let isLive = false;
  output.addEventListener('live', () => {
    terminal.write('', () => {
      isLive = true;
    });
  });
  output.onmessage = ({ data }) => {
    terminal.write(Uint8Array.from(atob(data), (character) => character.charCodeAt(0)));
  };
  output.onerror = () => {
    // The browser would connect again and the output would come twice.
    isLive = false;
    terminal.reset();
  };
  const keys = sender(
    (bytes) => call('write', { id: run.id, data: bytes, encoding: 'base64', timeoutS: 0 }),
    failed,
  );
  terminal.onData((text) => {
    if (isLive) keys(new TextEncoder().encode(run.input === 'pty' ? text : text.replace(/\r/g, '\n')));
  });
  terminal.onBinary((text) => {
    if (isLive) keys(Uint8Array.from(text, (character) => character.charCodeAt(0)));
  });
  terminal.focus();
  return () => {
    observer.disconnect();
    output.close();
    terminal.dispose();
    restore();
  };
}

/** A paste may be longer than one request, and than the arguments of a function. */
const pieceBytes = 16 * 1024;

/** Sends bytes in order, one request at a time. */
function sender(send: (base64: string) => Promise<unknown>, failed: (error: unknown) => void) {
  let waiting: Uint8Array[] = [];
  let isSending = false;
  const sendAll = async () => {
    isSending = true;
    while (waiting.length > 0) {
      const [bytes = new Uint8Array(), ...rest] = waiting;
      waiting = rest;
      try {
        await send(btoa(String.fromCharCode(...bytes)));
      } catch (error) {
        failed(error);
      }
    }
    isSending = false;
  };
  return (bytes: Uint8Array) => {
    for (let at = 0; at < bytes.length; at += pieceBytes) waiting.push(bytes.subarray(at, at + pieceBytes));
    if (!isSending) void sendAll();
  };
}

/**
 * The terminal writes its colours into style elements, which the policy of the page forbids. While it is open, new style
 * elements become style sheets of the page instead. Returns a function that ends this.
 */
function withoutInlineStyles(): () => void {
  const sheets: CSSStyleSheet[] = [];
  const create = Document.prototype.createElement;
  const made = (tag: string, options?: ElementCreationOptions) => {
    if (tag !== 'style') return create.call(document, tag, options);
    const sheet = new CSSStyleSheet();
    sheets.push(sheet);
    document.adoptedStyleSheets.push(sheet);
    return standIn(create.call(document, 'template'), sheet);
  };
  Object.defineProperty(document, 'createElement', { value: made, configurable: true });
  return () => {
    Reflect.deleteProperty(document, 'createElement');
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => !sheets.includes(sheet));
  };
}

/** What is written into it goes to the sheet. */
function standIn(element: HTMLElement, sheet: CSSStyleSheet): HTMLElement {
  const set = (text: string) => sheet.replaceSync(text);
  for (const name of ['textContent', 'innerText', 'innerHTML']) Object.defineProperty(element, name, { set });
  return element;
}
