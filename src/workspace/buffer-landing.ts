import { applySpanEdits, type Span, type SpanEdit } from './span.ts';

/**
 * What became of edits that an editor was asked for. `typed`: the buffer moved on elsewhere, so an editor that keeps to
 * versions drops them. `unclear`: the buffer changed at their place and never showed them exactly.
 */
export type Landing = 'seen' | 'typed' | 'closed' | 'refused' | 'absent' | 'unclear';

/** Follows a buffer from the text that edits were planned on until it shows them, or until it is plain that it won't. */
export interface BufferLanding {
  readonly outcome: Promise<Landing>;
  /** The buffer changed; the steps follow each other, each speaks of the text after the one before. */
  changed(steps: readonly SpanEdit[]): void;
  closed(): void;
  /** The editor said that it did not make them. */
  refused(): void;
}

/** @param plan `edits` speak of offsets in `base`; after `landingMs` without them they are `absent`, or `unclear` */
export function followLanding(plan: {
  readonly base: string;
  readonly edits: readonly SpanEdit[];
  readonly landingMs: number;
}): BufferLanding {
  const expected = applySpanEdits(plan.base, plan.edits);
  let text = plan.base;
  let places: readonly Span[] = plan.edits;
  let isTouched = false;
  let settle = (_landing: Landing): void => undefined;
  const outcome = new Promise<Landing>((resolve) => {
    settle = resolve;
  });
  const timer = setTimeout(() => settle(isTouched ? 'unclear' : 'absent'), plan.landingMs);
  void outcome.then(() => clearTimeout(timer));
  return {
    outcome,
    changed(steps) {
      for (const step of steps) {
        isTouched ||= places.some((place) => touches(place, step));
        places = places.map((place) => movedBy(place, step));
        text = applySpanEdits(text, [step]);
        // What is typed after it, in the same message or a later one, does not hide it.
        if (text === expected) return settle('seen');
      }
      if (!isTouched) settle('typed');
    },
    closed: () => settle('closed'),
    refused: () => settle('refused'),
  };
}

/** Whether a change reaches a place or ends beside it. */
function touches(place: Span, step: SpanEdit): boolean {
  return step.start <= place.end && step.end >= place.start;
}

function movedBy(place: Span, step: SpanEdit): Span {
  const grown = step.newText.length - (step.end - step.start);
  if (step.end < place.start) return { start: place.start + grown, end: place.end + grown };
  if (step.start > place.end) return place;
  // A change at the place widens it.
  return {
    start: Math.min(place.start, step.start),
    end: Math.max(place.end + grown, step.start + step.newText.length),
  };
}
