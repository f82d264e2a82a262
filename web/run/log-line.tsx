import { stretchesOf } from '../ansi.js';

interface LineProps {
  number: number;
  raw: string | undefined;
  isMarked: boolean;
  search: string;
}

/** One line of output, with its colours. */
export function Line({ number, raw, isMarked, search }: LineProps) {
  return (
    <div class={`line${isMarked ? ' marked' : ''}`} data-line={number}>
      <span class="number" aria-hidden="true">
        {number + 1}
      </span>
      <span class="text">
        {raw === undefined
          ? '…'
          : stretchesOf(raw).map(({ text, style }, index) => (
              <span key={index} class={style}>
                {isMarked && search !== '' ? highlighted(text, search) : text}
              </span>
            ))}
      </span>
    </div>
  );
}

function highlighted(text: string, search: string) {
  const at = text.toLowerCase().indexOf(search.toLowerCase());
  if (at === -1) return text;
  const end = at + search.length;
  return [text.slice(0, at), <mark key="hit">{text.slice(at, end)}</mark>, text.slice(end)];
}
