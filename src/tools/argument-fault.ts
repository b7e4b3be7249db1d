import type { z } from 'zod';

/** What a schema has against a value, in words: `is [], and takes at least 1 item`. */
export function argumentFault(issue: z.core.$ZodIssue, shown: string): string {
  switch (issue.code) {
    case 'invalid_type':
      return `is ${shown}, not ${kindOf(issue.expected)}`;
    case 'too_small':
      return `is ${shown}, and takes ${boundOf('at least', issue.minimum, issue.origin)}`;
    case 'too_big':
      return `is ${shown}, and takes ${boundOf('at most', issue.maximum, issue.origin)}`;
    case 'invalid_value':
      return `is ${shown}, and takes one of ${issue.values.map(String).join(', ')}`;
    case 'unrecognized_keys':
    case 'invalid_format':
    case 'not_multiple_of':
    case 'invalid_union':
    case 'invalid_key':
    case 'invalid_element':
    case 'custom':
      return `is ${shown}: ${issue.message.replace(/^Invalid input: /, '')}`;
  }
}

function kindOf(expected: string): string {
  if (expected === 'int') return 'a whole number';
  return /^[aeio]/.test(expected) ? `an ${expected}` : `a ${expected}`;
}

function boundOf(which: string, bound: number | bigint, origin: string): string {
  const unit = origin === 'array' ? ' item' : origin === 'string' ? ' character' : '';
  return `${which} ${bound}${unit === '' || Number(bound) === 1 ? unit : `${unit}s`}`;
}
