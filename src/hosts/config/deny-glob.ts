import type * as z from 'zod';
import { globFault } from './glob-fault.ts';

/** Checks a glob of a deny list, wherever one is given: one that is not understood would deny nothing. */
export const denyGlob: z.core.CheckFn<string> = (context) => {
  const fault = globFault(context.value);
  if (fault !== undefined) context.issues.push({ code: 'custom', message: fault, input: context.value });
};
