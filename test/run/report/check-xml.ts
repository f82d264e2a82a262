import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findTool } from '../../support/find-tool.js';

const xmllint = findTool('xmllint');
const python = findTool('python3');
const checkMsMax = 30_000;

const parseAll = `import sys, xml.dom.minidom
for name in sys.argv[1:]: xml.dom.minidom.parse(name)`;

/** What checks XML here; null: nothing does. */
export const xmlChecker = xmllint !== null ? 'xmllint' : python !== null ? 'python3' : null;

/** Throws unless every document is well-formed, says a real parser. */
export function checkXml(documents: readonly string[]): void {
  const dir = mkdtempSync(join(tmpdir(), 'unstuck-xml-'));
  try {
    const files = documents.map((text, index) => {
      const file = join(dir, `${index}.xml`);
      writeFileSync(file, text);
      return file;
    });
    const [program, args] =
      xmllint !== null ? [xmllint, ['--noout', ...files]] : [python ?? '', ['-c', parseAll, ...files]];
    execFileSync(program, args, { timeout: checkMsMax, stdio: ['ignore', 'ignore', 'pipe'] });
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

const readBack = `import sys, json, xml.dom.minidom
case = xml.dom.minidom.parse(sys.stdin.buffer).getElementsByTagName('testcase')[0]
text = lambda name: [''.join(n.data for n in e.childNodes) for e in case.getElementsByTagName(name)]
attribute = lambda e: {k: v for k, v in e.attributes.items()}
found = [attribute(e) for name in ('failure', 'error') for e in case.getElementsByTagName(name)]
print(json.dumps({'case': attribute(case), 'found': found, 'out': text('system-out'), 'body': text('failure') + text('error')}))`;

export interface ParsedCase {
  case: Record<string, string>;
  found: Record<string, string>[];
  out: string[];
  body: string[];
}

export const canReadXml = python !== null;

/** What a parser gets out of the one test case. */
export function readXml(document: string): ParsedCase {
  const output = execFileSync(python ?? '', ['-c', readBack], { input: document, timeout: checkMsMax });
  return JSON.parse(output.toString('utf8')) as ParsedCase;
}
