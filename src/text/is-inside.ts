/** Whether `path` is `dir` or lies below it; both absolute, without links. */
export function isInside(path: string, dir: string): boolean {
  return path === dir || path.startsWith(dir === '/' ? '/' : `${dir}/`);
}
