interface Rule {
  required: string[];
  optional: string[];
  inside: string[];
}

const reruns = ['flakyFailure', 'flakyError', 'rerunFailure', 'rerunError'];

/** What Jenkins (junit-10) takes, as far as we use it. */
const rules: Record<string, Rule> = {
  testsuites: { required: [], optional: ['name', 'time', 'tests', 'failures', 'errors'], inside: [''] },
  testsuite: {
    required: ['name', 'tests', 'failures', 'errors'],
    optional: ['time', 'skipped', 'timestamp', 'hostname', 'id', 'package'],
    inside: ['testsuites', ''],
  },
  properties: { required: [], optional: [], inside: ['testsuite'] },
  property: { required: ['name', 'value'], optional: [], inside: ['properties'] },
  testcase: { required: ['name'], optional: ['time', 'classname'], inside: ['testsuite'] },
  failure: { required: [], optional: ['type', 'message'], inside: ['testcase'] },
  error: { required: [], optional: ['type', 'message'], inside: ['testcase'] },
  ...Object.fromEntries(
    reruns.map((name) => [name, { required: ['type'], optional: ['message'], inside: ['testcase'] }]),
  ),
  stackTrace: { required: [], optional: [], inside: reruns },
  'system-out': { required: [], optional: [], inside: ['testcase', 'testsuite', ...reruns] },
};

const tag = /<(\/?)([\w-]+)((?:\s+[\w-]+="[^"<]*")*)\s*(\/?)>/g;

/** Everything in a document that breaks a rule; it is known to be well-formed. */
export function breaches(xml: string): string[] {
  const found: string[] = [];
  const open: string[] = [];
  for (const [, closing, name = '', list = '', empty] of xml.matchAll(tag)) {
    if (closing === '/') {
      open.pop();
      continue;
    }
    const rule = rules[name];
    const parent = open.at(-1) ?? '';
    const attributes = new Map(
      [...list.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, value]),
    );
    if (rule === undefined) found.push(`${name} is no element`);
    else {
      if (!rule.inside.includes(parent)) found.push(`${name} in ${parent}`);
      const known = [...rule.required, ...rule.optional];
      found.push(
        ...[...attributes.keys()].filter((key) => !known.includes(key)).map((key) => `${name} has ${key}`),
      );
      found.push(
        ...rule.required.filter((key) => !attributes.has(key)).map((key) => `${name} has no ${key}`),
      );
      const time = attributes.get('time') ?? '0';
      if (!/^\d*(?:\.\d*)?$/.test(time)) found.push(`time of ${name} is ${time}`);
    }
    if (empty !== '/') open.push(name);
  }
  return found;
}
