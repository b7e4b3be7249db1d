import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseSettings } from '../../../src/hosts/config/parse-settings.ts';
import { SETTING_NAMES } from '../../../src/hosts/config/settings.ts';
import { UsageError } from '../../../src/hosts/usage-error.ts';

const FILE = '/p/emend.config.json';
const parse = (text: string) => parseSettings({ file: FILE, text });

function faultsOf(text: string, member?: string): readonly string[] {
  try {
    parseSettings({ file: FILE, text, ...(member !== undefined && { member }) });
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    expect(error.message).toMatch(/\nNothing was run: mend or remove the settings\.$/);
    return error.message.split('\n').slice(0, -1);
  }
  return [];
}

describe('settings', () => {
  test('may have comments and trailing commas', () => {
    const text = '// of the team\n{ "deny": ["*.pem",], /* why */ "snippet": "never", "$schema": "x" }\n';
    expect(parse(text)).toEqual({ deny: ['*.pem'], snippet: 'never', $schema: 'x' });
  });

  test.each([
    [
      'an unknown one, with what was meant',
      '{"snipet": "never"}',
      `${FILE}:1:12: there is no setting "snipet". Did you mean snippet?`,
    ],
    [
      'one like no other',
      '{\n  "zzzzzz": 1\n}',
      `${FILE}:2:13: there is no setting "zzzzzz". There are ${SETTING_NAMES.join(', ')}`,
    ],
    [
      'of a wrong kind',
      '{"waitCold": "3s"}',
      `${FILE}:1:14: waitCold is "3s". Give a whole number of milliseconds from 0 to 86400000`,
    ],
    [
      'none of its values',
      '{"snippet": "maybe"}',
      `${FILE}:1:13: snippet is "maybe". Give one of always, tolerant, never`,
    ],
    ['not on or off', '{"strictWrite": 1}', `${FILE}:1:17: strictWrite is 1. Give true or false`],
    [
      'out of its bounds',
      '{"loopFailures": 0}',
      `${FILE}:1:18: loopFailures is 0. Give a whole number of times from 1 to 1000000`,
    ],
    ['null', '{"model": null}', `${FILE}:1:11: model is null. Give the id of a model`],
    ['no list', '{"tools": "Read"}', `${FILE}:1:11: tools is "Read". Give a list of names of tools`],
    ['with a wrong member', '{"tools": ["Read", 3]}', `${FILE}:1:20: tools.1 is 3. Give names of tools`],
    [
      'a server of a wrong kind',
      '{"servers": {"x": 3}}',
      `${FILE}:1:19: servers.x is 3. Give "off", or an object with members of a server definition`,
    ],
    [
      'a glob that could take for ever',
      '{"deny": ["*a*a*a*a*b"]}',
      `${FILE}:1:11: deny.0 is "*a*a*a*a*b". Give at most 2 * between two /`,
    ],
    [
      'a glob with a group',
      '{"deny": ["+(a|a)"]}',
      `${FILE}:1:11: deny.0 is "+(a|a)". Groups like +(a|b) are not taken; give a list of globs, or {a,b}`,
    ],
    [
      'an exception',
      '{"deny": ["!a"]}',
      `${FILE}:1:11: deny.0 is "!a". There are no exceptions to a deny list; leave out the !`,
    ],
    ['a list of objects', '{"deny": [["a"]]}', `${FILE}:1:11: deny.0 is ["a"]. Give a glob`],
    ['a name that means more', '{"__proto__": {"unconfined": true}}', `${FILE}:1:2: "__proto__" is no name. Remove it`],
    ['the same inside', '{"servers": {"__proto__": "off"}}', `${FILE}:1:14: "__proto__" is no name. Remove it`],
    [
      'constructor',
      '{"constructor": 1}',
      `${FILE}:1:17: there is no setting "constructor". There are ${SETTING_NAMES.join(', ')}`,
    ],
    ['the same twice', '{"deny": ["a"],\n"deny": []}', `${FILE}:2:1: "deny" stands there twice. Leave one`],
    ['no object', '["deny"]', `${FILE}:1:1: settings are ["deny"]. Give an object`],
    ['no JSON', '{"deny": [}', `${FILE}:1:11: it is not JSON (ValueExpected)`],
    ['nothing', '', `${FILE}:1:1: it is not JSON (ValueExpected)`],
  ])('%s: the line, the value and what is right', (_what, text, expected) => {
    expect(faultsOf(text)).toEqual([expected]);
  });

  test('all mistakes are told at once, in their order, the first five of many', () => {
    const faults = faultsOf(
      '{\n"a1": 1,\n"snippet": 2,\n"b1": 3,\n"waitCold": -1,\n"model": 1,\n"idle": "x",\n"tools": 0 }',
    );
    expect(faults.map((fault) => /:(\d+):\d+: /.exec(fault)?.[1] ?? fault)).toEqual([
      '2',
      '3',
      '4',
      '5',
      '6',
      'and 2 more',
    ]);
  });

  test('nesting without end is told, not a crash', () => {
    expect(faultsOf('['.repeat(200_000))).toEqual([`${FILE}: it is nested too deeply`]);
  });

  test('whatever stands there, it is taken or told by a UsageError', () => {
    const json = fc
      .json()
      .chain((text) => fc.constantFrom(text, text.slice(0, -1), `{"deny":${text}}`, `{"servers":${text}}`));
    fc.assert(
      fc.property(fc.oneof(json, fc.string({ unit: 'binary' })), (text) => {
        faultsOf(text);
      }),
      { numRuns: 500, seed: 7 },
    );
  });
});

describe('the member of a manifest', () => {
  test.each([
    ['is taken', '{"name": "x", "emend": {"snippet": "never"}}', []],
    ['that is not there is nothing', '{"name": "emend", "dependencies": {"emend": "1.0.0"}}', []],
    [
      'that is told with its line',
      '{"emend": {\n"snipet": 1}}',
      [`${FILE}:2:11: there is no setting "snipet". Did you mean snippet?`],
    ],
    ['that is no object', '{"emend": "x"}', [`${FILE}:1:11: settings are "x". Give an object`]],
    [
      'that stands there twice',
      '{"emend": {"deny": ["a"]}, "emend": {}}',
      [`${FILE}: emend stands there 2 times. Leave one`],
    ],
    [
      'in a manifest that is broken: what it denies is not known',
      '{"name": , "emend": {"deny": ["a"]}}',
      [`${FILE}:1:10: it is not JSON (ValueExpected)`],
    ],
    ['that a broken manifest lacks is nothing: it is not ours to mend', '{"devDependencies": {"emend": "1"},', []],
  ])('%s', (_what, text, expected) => {
    expect(faultsOf(text, 'emend')).toEqual(expected);
  });
});
