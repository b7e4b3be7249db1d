import type { PlanEdit } from './edit-planner.ts';
import type { Session } from './session.ts';

/** What a plan is made with: who asks, and what plans the edits that it is made of. */
export interface Planning {
  readonly session: Session;
  readonly planEdit: PlanEdit;
}
