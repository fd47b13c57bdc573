export async function scaffold(_root: string, _version?: string, _kind?: string): Promise<number> {
  return 0;
}
