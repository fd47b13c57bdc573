/** The keys that start with a prefix and come after another key, as etcd wants them: from `key` up to `range_end`. */
export function keyRange(prefix: string, startAfter?: string): { key: Buffer; range_end: Buffer } {
  const start = startAfter !== undefined && startAfter >= prefix ? Buffer.from(`${startAfter}\0`) : Buffer.from(prefix);
  const end = Buffer.from(prefix);
  // No byte of UTF-8 text is 0xff, so the last one can always be counted up.
  end[end.length - 1] = (end[end.length - 1] ?? 0) + 1;
  return { key: start, range_end: end };
}
