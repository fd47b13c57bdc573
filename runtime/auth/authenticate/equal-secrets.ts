import { timingSafeEqual } from "node:crypto";

/** Compares two secrets in constant time: the duration does not depend on the position of the first difference. */
export function equalSecrets(held: string, shown: string): boolean {
  const [a, b] = [Buffer.from(held), Buffer.from(shown)];
  return a.length === b.length && timingSafeEqual(a, b);
}
