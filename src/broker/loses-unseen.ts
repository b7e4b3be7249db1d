import type { PlannedFile } from './change-request.ts';

/** Whether something goes that nobody has but the file: then it goes only once it is kept. */
export function losesUnseen(plan: PlannedFile): boolean {
  switch (plan.op) {
    case 'write':
      return plan.isBlind === true;
    case 'remove':
      return true;
    case 'move':
      return false;
  }
}
