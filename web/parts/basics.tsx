import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { ListedRun } from '../../src/model/operations/outputs.js';
import { CallError } from '../api.js';
import { lookOf, shown, type Tone } from '../words.js';

/** The state of a run, by word and by colour. */
export function Badge({ tone, children }: { tone: Tone; children: ComponentChildren }) {
  return (
    <span class={`badge ${tone}`}>
      <i aria-hidden="true" />
      {children}
    </span>
  );
}

export function RunBadge({ run }: { run: ListedRun }) {
  const { word, tone } = lookOf(run);
  return <Badge tone={tone}>{word}</Badge>;
}

/** A small line of numbers, oldest first. */
export function Spark({ values, most, label }: { values: readonly number[]; most: number; label: string }) {
  const [width, height] = [88, 20];
  if (values.length < 2) return <span class="spark none" />;
  const top = Math.max(most, ...values) || 1;
  const points = values.map((value, index) => {
    const x = (index / (values.length - 1)) * width;
    return `${x.toFixed(1)},${(height - 1 - (value / top) * (height - 3)).toFixed(1)}`;
  });
  return (
    <svg
      class="spark"
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={label}
      preserveAspectRatio="none"
    >
      <polygon points={`0,${height} ${points.join(' ')} ${width},${height}`} />
      <polyline points={points.join(' ')} />
    </svg>
  );
}

export function Failed({ error }: { error: unknown }) {
  const { message, hint } = error instanceof CallError ? error : { message: String(error), hint: '' };
  return (
    <p class="failed" role="alert">
      {shown(message)}
      {hint !== '' && <span class="hint"> {shown(hint)}</span>}
    </p>
  );
}

export interface DialogProps {
  title: string;
  onClose(): void;
  children: ComponentChildren;
  wide?: boolean;
}

/** A modal window: Esc closes it, and the keyboard stays inside. */
export function Dialog({ title, onClose, children, wide = false }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    ref.current?.showModal();
    return () => before?.focus?.();
  }, []);
  return (
    <dialog
      ref={ref}
      class={wide ? 'wide' : ''}
      aria-label={title}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <header>
        <h2>{title}</h2>
        <button type="button" class="quiet" onClick={onClose} aria-label="Close">
          ✕
        </button>
      </header>
      {children}
    </dialog>
  );
}

export function Empty({ children }: { children: ComponentChildren }) {
  return <p class="empty">{children}</p>;
}

/** A name and a value, in a list of them. */
export function Fact({ name, children, mono = false }: { name: string; children: string; mono?: boolean }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd class={mono ? 'mono' : ''} title={shown(children)}>
        {shown(children)}
      </dd>
    </div>
  );
}
