import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { operations } from '../../src/control/operations/table.js';
import { checkPublished } from '../support/published-schema.js';
import { watchEvent } from '../support/watch-event.js';

const place = new URL('../../docs/schemas/', import.meta.url).pathname;

const draft = 'https://json-schema.org/draft/2020-12/schema';
/** What the command line adds to each answer. */
const version = { type: 'integer', description: 'of the form of all JSON answers of the command line' };

/** Fields may be added to an answer without a new version. */
function openSchema(output: z.ZodMiniType): object {
  const schema = z.toJSONSchema(output, {
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  });
  return { ...schema, properties: { version, ...schema.properties } };
}

/** As GET /v1/operations of the daemon gives it, but for fields that may be added. */
function schemaOf({ name, summary, input, output }: (typeof operations)[keyof typeof operations]): string {
  const content = {
    $schema: draft,
    title: name,
    description: summary,
    $defs: {
      input: z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }),
      output: openSchema(output),
    },
    $ref: '#/$defs/output',
  };
  return `${JSON.stringify(content, null, 2)}\n`;
}

describe('docs/schemas', () => {
  it.each(Object.values(operations).map((operation) => [operation.name, operation] as const))(
    'has the schema of %s',
    async (name, operation) => {
      await expect(schemaOf(operation)).toMatchFileSnapshot(`${place}${name}.json`);
    },
  );

  it('has the schema of a line of watch --json', async () => {
    const title = { title: 'watch', description: 'one line of unstuck watch --json' };
    const content = { $schema: draft, ...title, ...z.toJSONSchema(watchEvent, { io: 'input' }) };
    await expect(`${JSON.stringify(content, null, 2)}\n`).toMatchFileSnapshot(`${place}watch.json`);
  });

  it('finds a document that is not as published', () => {
    const paused = { version: 1, id: 'run_1', paused: true, changed: true };
    expect(() => checkPublished(['pause', 'api'], paused)).not.toThrow();
    expect(() => checkPublished(['pause', 'api'], { ...paused, later: 1 })).not.toThrow();
    expect(() => checkPublished(['pause', 'api'], { ...paused, paused: 'yes' })).toThrow(/paused/);
    expect(() => checkPublished(['watch'], { at: 'now', pid: 1, kind: 'started' })).toThrow();
  });

  it('has no schema of anything else', () => {
    const names = [...Object.values(operations).map(({ name }) => `${name}.json`), 'watch.json'];
    expect(
      readdirSync(place)
        .filter((file) => file.endsWith('.json'))
        .sort(),
    ).toEqual(names.sort());
  });
});
