import type { RunReport } from '../../model/run/run.js';
import { jsonText } from '../../text/json-text.js';

export function renderJson(report: RunReport): string {
  return `${jsonText(report, 2)}\n`;
}
