import { jsonText } from '../../model/json-text.js';
import type { RunReport } from '../../model/run.js';

export function renderJson(report: RunReport): string {
  return `${jsonText(report, 2)}\n`;
}
