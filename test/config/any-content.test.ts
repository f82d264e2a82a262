import { fc, test as property } from '@fast-check/vitest';
import { beforeEach, describe, expect } from 'vitest';
import { options } from '../../src/config/options.js';
import { Failure } from '../../src/model/failure.js';
import { makeScratch, type Scratch } from './scratch-project.js';
import { validValues } from './valid-values.js';

const content = fc.dictionary(
  fc.oneof(fc.constantFrom(...options.map(({ key }) => key)), fc.string(), fc.constant('__proto__')),
  fc.oneof(fc.jsonValue(), fc.constantFrom(...options.flatMap(validValues))),
  { maxKeys: 6 },
);

const good = fc
  .subarray([...options.filter(({ key }) => !['sample', 'activityWindow', 'projectFile'].includes(key))])
  .map((rows) => Object.fromEntries(rows.map((row) => [row.key, validValues(row)[0]])));

/** Every try writes two files. */
const timeoutMs = 60_000;

let scratch: Scratch;

function resolve(env: NodeJS.ProcessEnv): 'settings' | 'refused' {
  try {
    expect(scratch.resolve({}, env).origins.length).toBe(options.length);
    return 'settings';
  } catch (error) {
    expect(error).toBeInstanceOf(Failure);
    expect(error).toMatchObject({ code: 'bad-config', message: expect.stringMatching(/./) });
    return 'refused';
  }
}

describe('whatever the files hold, there are settings or a Failure', () => {
  beforeEach(() => {
    scratch = makeScratch();
  });

  property.prop([fc.oneof(fc.jsonValue(), content), content, fc.string()], { numRuns: 200 })(
    'for any JSON',
    (project, user, text) => {
      scratch.writeProject(JSON.stringify(project));
      scratch.writeUser(JSON.stringify(user));
      const env = { UNSTUCK_PHASE: text, UNSTUCK_REPORT: text, UNSTUCK_PROJECT_FILE: text };
      resolve(env);
    },
    timeoutMs,
  );

  property.prop([good, good])(
    'valid JSON is accepted',
    (project, user) => {
      scratch.writeProject(project);
      scratch.writeUser(user);
      expect(resolve({})).toBe('settings');
    },
    timeoutMs,
  );

  property.prop([fc.uint8Array({ maxLength: 200 })])(
    'for any bytes',
    (bytes) => {
      scratch.writeProject(Buffer.from(bytes).toString('latin1'));
      resolve({});
    },
    timeoutMs,
  );
});
