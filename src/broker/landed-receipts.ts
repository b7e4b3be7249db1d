import type { Session } from './session.ts';

const landed = new WeakMap<object, string[]>();

/** Remembers a change that this session can undo. */
export function noteLanded(session: Session, receipt: string): void {
  landed.set(session.memory, [...landedOf(session), receipt]);
}

/** The session's last change that was not undone. */
export function lastLanded(session: Session): string | undefined {
  return landedOf(session).at(-1);
}

/** A change that was undone is not the last one any more. */
export function forgetLanded(session: Session, receipt: string): void {
  landed.set(
    session.memory,
    landedOf(session).filter((each) => each !== receipt),
  );
}

function landedOf(session: Session): readonly string[] {
  return landed.get(session.memory) ?? [];
}
