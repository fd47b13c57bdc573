interface Annotated {
  metadata?: { annotations?: Record<string, string> };
}

/** Takes an annotation away and returns what it said. */
export function takeAnnotation(object: Annotated, key: string): string | undefined {
  const annotations = object.metadata?.annotations;
  if (annotations === undefined || !Object.hasOwn(annotations, key)) return undefined;
  const value = annotations[key];
  delete annotations[key];
  return value;
}

/** Sets an annotation; undefined sets none. */
export function putAnnotation(object: Annotated, key: string, value: string | undefined): void {
  if (value === undefined) return;
  const metadata = (object.metadata ??= {});
  const annotations = (metadata.annotations ??= {});
  annotations[key] = value;
}

/** Whole numbers of any size, as annotations write them; undefined for other texts. */
export function readInteger(text: string | undefined): number | bigint | undefined {
  if (text === undefined || !/^-?\d{1,19}$/.test(text)) return undefined;
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : BigInt(text);
}
