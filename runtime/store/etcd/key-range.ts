/** The range of keys that start with a prefix and come after another key, in etcd's form: from `key` up to, but not including, `range_end`. */
export function keyRange(prefix: string, startAfter?: string): { key: Buffer; range_end: Buffer } {
  const start = startAfter !== undefined && startAfter >= prefix ? Buffer.from(`${startAfter}\0`) : Buffer.from(prefix);
  const end = Buffer.from(prefix);
  // UTF-8 contains no byte 0xff, so the last byte can always be incremented.
  end[end.length - 1] = (end[end.length - 1] ?? 0) + 1;
  return { key: start, range_end: end };
}
