import type { ServerPlace } from '../../workspace/navigation/read-places.ts';
import { readCalls, readHover, readPlaces, readServerSymbols } from '../../workspace/navigation/read-places.ts';
import { cutLine } from '../../workspace/truncation.ts';
import type { ToolCall } from '../tool.ts';
import type { Said } from './ask-at.ts';
import { locatePlaces } from './located-places.ts';
import { PLACE_OPERATIONS, type SymbolOperation } from './operations.ts';
import { placesText } from './places-text.ts';
import { kindName } from './symbol-kinds.ts';

const MAX_HOVER = 4000;

interface Telling {
  readonly call: ToolCall;
  readonly server: string;
  /** The file that was asked about. */
  readonly shown: string;
}

/** What a server said, for a model; `total`: how many places. */
export async function answerText(
  operation: SymbolOperation,
  said: Said,
  telling: Telling,
): Promise<{ readonly text: string; readonly total: number }> {
  if (operation === 'hover') return hoverText(said, telling);
  const noun = nounOf(operation);
  const located = await locatePlaces(telling.call, placesOf(operation, said.reply), said);
  const total = located.places.length;
  if (total === 0 && located.denied === 0) return { text: noneText(noun, said, telling), total };
  return { text: placesText(located, noun), total };
}

function hoverText(said: Said, telling: Telling): { readonly text: string; readonly total: number } {
  const text = readHover(said.reply);
  if (text === '') return { text: noneText('documentation', said, telling), total: 0 };
  const cut = cutLine(text, MAX_HOVER);
  return { text: `${placeOf(said, telling)} ${said.spot.word}\n${cut.text}`, total: 1 };
}

/** An absence is the server's word, and it is said whose. */
function noneText(noun: string, said: Said, telling: Telling): string {
  return `no ${noun} for ${said.spot.word} (${placeOf(said, telling)}), says ${telling.server}`;
}

function placeOf({ document, spot }: Said, { shown }: Telling): string {
  const { line, character } = document.positionAt(spot.offset);
  return `${shown}:${line + 1}:${character + 1}`;
}

function placesOf(operation: Exclude<SymbolOperation, 'hover'>, reply: unknown): readonly ServerPlace[] {
  switch (operation) {
    case 'goToDefinition':
    case 'findReferences':
    case 'goToImplementation':
    case 'typeDefinition':
      return readPlaces(reply);
    case 'prepareCallHierarchy':
      return readServerSymbols(reply).map(({ uri, range, kind }) => ({ uri, range, remark: kindName(kind) }));
    case 'incomingCalls':
      return readCalls(reply).flatMap(({ symbol, ranges }) =>
        ranges.map((range) => ({ uri: symbol.uri, range, remark: callerRemark(symbol) })),
      );
    case 'outgoingCalls':
      return readCalls(reply).map(({ symbol, ranges }) => {
        const lines = [...new Set(ranges.map(({ start }) => `L${start.line + 1}`))];
        return { uri: symbol.uri, range: symbol.range, remark: `${symbol.name}, called at ${lines.join(', ')}` };
      });
  }
}

/** A call outside of everything is made by the file itself. */
function callerRemark({ kind, name }: { readonly kind: number; readonly name: string }): string {
  return kind <= 2 ? 'top level' : `in ${name}`;
}

function nounOf(operation: Exclude<SymbolOperation, 'hover'>): string {
  switch (operation) {
    case 'goToDefinition':
    case 'findReferences':
    case 'goToImplementation':
    case 'typeDefinition':
      return PLACE_OPERATIONS[operation].noun;
    case 'prepareCallHierarchy':
      return 'callable symbol';
    case 'incomingCalls':
      return 'call';
    case 'outgoingCalls':
      return 'called symbol';
  }
}
