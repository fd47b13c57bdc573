interface Annotated {
  metadata?: { annotations?: Record<string, string> };
}

/** Removes an annotation and returns its value. */
export function takeAnnotation(object: Annotated, key: string): string | undefined {
  const annotations = object.metadata?.annotations;
  if (annotations === undefined || !Object.hasOwn(annotations, key)) return undefined;
  const value = annotations[key];
  delete annotations[key];
  return value;
}

/** Sets an annotation unless the value is undefined. */
export function putAnnotation(object: Annotated, key: string, value: string | undefined): void {
  if (value === undefined) return;
  const metadata = (object.metadata ??= {});
  const annotations = (metadata.annotations ??= {});
  annotations[key] = value;
}

/** Parses an integer of up to 19 digits in an annotation; returns undefined for any other string. */
export function readInteger(text: string | undefined): number | bigint | undefined {
  if (text === undefined || !/^-?\d{1,19}$/.test(text)) return undefined;
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : BigInt(text);
}
