export interface Offered {
  /** There are buttons to stop the run and parts of it. */
  stop: boolean;
  /** There is a field for an answer. */
  answer: boolean;
  /** Its id as `HOST/ID`, where its pids mean nothing; absent: it is a run of this machine. */
  elsewhere?: string;
}

const part = /(stop that (?:part only|process)): kill \d+/g;
const whole = /(stop (?:it|the whole process)(?:, [^:]*)?): kill \d+/g;

/** What to do about a run, with the buttons of the page in place of commands. */
export function nextWords(recommendation: string, { stop, answer, elsewhere }: Offered): string {
  const asked = answer
    ? recommendation.replace(/answer it on \/dev\/\S*\w/g, 'answer it here')
    : recommendation;
  if (stop)
    return asked.replace(part, '$1 (“Stop this part …” in the graph)').replace(whole, '$1 (“Stop …”)');
  if (elsewhere === undefined) return asked;
  return asked.replace(part, '$1').replace(/\bkill \d+/g, () => `unstuck kill ${elsewhere}`);
}
