import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  type VirtualItem,
  Virtualizer,
} from '@tanstack/virtual-core';
import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useReducer, useState } from 'preact/hooks';

export interface VirtualOptions {
  count: number;
  rowPx: number;
  scroller: RefObject<HTMLElement | null>;
}

/** Only the rows that are in view are drawn. */
export function useVirtual({ count, rowPx, scroller }: VirtualOptions) {
  const [, redraw] = useReducer((n: number) => n + 1, 0);
  const options = {
    count,
    estimateSize: () => rowPx,
    getScrollElement: () => scroller.current,
    observeElementRect,
    observeElementOffset,
    scrollToFn: elementScroll,
    onChange: () => redraw(undefined as never),
    overscan: 6,
  };
  const [virtual] = useState(() => new Virtualizer<HTMLElement, HTMLElement>(options));
  virtual.setOptions({ ...virtual.options, ...options });
  useEffect(() => virtual._didMount(), [virtual]);
  useLayoutEffect(() => {
    virtual._willUpdate();
  });
  return { items: virtual.getVirtualItems() as VirtualItem[], totalPx: virtual.getTotalSize(), virtual };
}
