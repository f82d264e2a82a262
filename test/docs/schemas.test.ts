import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { operations } from '../../src/control/operations/table.js';

const place = new URL('../../docs/schemas/', import.meta.url).pathname;

/** As GET /v1/operations of the daemon gives it. */
function schemaOf({ name, summary, input, output }: (typeof operations)[keyof typeof operations]): string {
  const content = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: name,
    description: summary,
    $defs: {
      input: z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }),
      output: z.toJSONSchema(output, { unrepresentable: 'any' }),
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

  it('has no schema of an operation that does not exist', () => {
    const names = Object.values(operations).map(({ name }) => `${name}.json`);
    expect(
      readdirSync(place)
        .filter((file) => file.endsWith('.json'))
        .sort(),
    ).toEqual(names.sort());
  });
});
