import type { EditPlan, EditRequest } from './edit-plan.ts';
import { Budget } from './match/budget.ts';
import { planEdit, tryPlanEdit } from './plan-edit.ts';

/** `planEdit`, wherever it runs. The budget is charged as if it ran here. */
export type PlanEdit = (text: string, request: EditRequest, budget?: Budget) => Promise<EditPlan>;

/** Plans edits on another thread, so that calls are answered on this one meanwhile. */
export interface EditPlanner {
  /** Rejects with the signal's reason where it is aborted. */
  plan(task: PlanTask, signal?: AbortSignal): Promise<PlanAnswer>;
  /** Ends the thread. */
  close(): Promise<void>;
}

/** All that a plan depends on, as data. */
export interface PlanTask {
  readonly text: string;
  readonly request: EditRequest;
  /** What it may cost, in steps. */
  readonly most: number;
}

/** A plan, and how many steps of the budget it took. */
export interface PlanAnswer {
  readonly plan: EditPlan;
  readonly spent: number;
}

/** What is planned within so many steps, about 20 ms, is planned at once: a thread would take longer to be asked. */
const STEPS_AT_ONCE = 200_000;

/** Plans on this thread, for as many steps as the budget has. */
export const planHere: PlanEdit = async (text, request, budget) => planEdit(text, request, budget);

/** Plans small edits here, at once, and what turns out not to be small with the planner. */
export function planWith(planner: EditPlanner | undefined, signal: AbortSignal | undefined): PlanEdit {
  if (!planner) return planHere;
  return async (text, request, budget = new Budget()) => {
    if (budget.left <= STEPS_AT_ONCE) return planEdit(text, request, budget);
    const few = new Budget(STEPS_AT_ONCE);
    const small = tryPlanEdit(text, request, few);
    if (small) {
      budget.spend(few.spent);
      return small;
    }
    const { plan, spent } = await planner.plan({ text, request, most: budget.left }, signal);
    budget.spend(spent);
    return plan;
  };
}

/** What the other thread runs. Pure. */
export function answerTask({ text, request, most }: PlanTask): PlanAnswer {
  const budget = new Budget(most);
  return { plan: planEdit(text, request, budget), spent: budget.spent };
}
