declare module 'pidusage' {
  export default function pidusage(pids: number[]): Promise<unknown>;
}
