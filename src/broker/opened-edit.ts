import type { EditRequest } from './edit-plan.ts';
import type { Budget } from './match/budget.ts';
import { syntaxOf } from './match/syntax.ts';
import type { Strings } from './match/variants.ts';
import { Searched } from './searched.ts';

/** A request and the text that it is asked of, both without a byte order mark. */
export interface OpenedEdit {
  /** The text with its mark. */
  readonly whole: string;
  /** The length of the mark. */
  readonly mark: number;
  readonly searched: Searched;
  readonly strings: Strings;
  readonly path: string | undefined;
  readonly replaceAll: boolean;
}

/** Makes a text ready to be searched. A byte order mark is no part of what is searched. */
export function openEdit(whole: string, request: EditRequest, budget: Budget): OpenedEdit {
  const { oldString, newString, replaceAll, path } = request;
  const mark = whole.startsWith('\ufeff') ? 1 : 0;
  const searched = new Searched(whole.slice(mark), syntaxOf(path), budget);
  return {
    whole,
    mark,
    searched,
    strings: { oldString: withoutMark(oldString), newString: withoutMark(newString) },
    path,
    replaceAll,
  };
}

const withoutMark = (text: string): string => (text.startsWith('\ufeff') ? text.slice(1) : text);
