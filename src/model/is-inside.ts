/** Whether a path is a directory or lies below it; both absolute, without links. */
export function isInside(path: string, dir: string): boolean {
  return path === dir || path.startsWith(dir === '/' ? '/' : `${dir}/`);
}
