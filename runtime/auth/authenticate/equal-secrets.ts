import { timingSafeEqual } from "node:crypto";

/** Whether two secrets are equal, in a time that does not depend on where they differ. */
export function equalSecrets(held: string, shown: string): boolean {
  const [a, b] = [Buffer.from(held), Buffer.from(shown)];
  return a.length === b.length && timingSafeEqual(a, b);
}
