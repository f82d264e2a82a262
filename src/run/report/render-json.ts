import { jsonText } from '../../text/json-text.js';
import type { RunReport } from '../../model/run/run.js';

export function renderJson(report: RunReport): string {
  return `${jsonText(report, 2)}\n`;
}
