import type { Toleration } from "../../api-definitions/core/v1/scheduling.ts";

/** The part of a toleration that decides which taints it tolerates, as one string: key, operator with value, and effect. */
type Scope = string;

/** Matches any key, value or effect. */
const ANY = "*";

/** A set of tolerations. Determines in constant time whether one member tolerates everything that another toleration does. */
class Coverage {
  /** The longest tolerationSeconds of each scope. */
  readonly #seconds = new Map<Scope, number>();
  readonly #members = new Set<string>();

  constructor(tolerations: readonly Toleration[] = []) {
    for (const one of tolerations) this.add(one);
  }

  add(one: Toleration): void {
    const scope = scopeOf(one);
    this.#seconds.set(scope, Math.max(this.#seconds.get(scope) ?? 0, secondsOf(one)));
    this.#members.add(textOf(one));
  }

  covers(one: Toleration): boolean {
    return this.#members.has(textOf(one)) || this.coversFromOther(one);
  }

  /** Whether a member covers the toleration and is not equal to it. */
  coversFromOther(one: Toleration): boolean {
    const own = scopeOf(one);
    const needed = one.tolerationSeconds ?? Number.POSITIVE_INFINITY;
    return widerScopes(one).some((scope) => {
      const seconds = this.#seconds.get(scope);
      return seconds !== undefined && seconds >= needed && (scope !== own || seconds > secondsOf(one));
    });
  }
}

/** Joins both lists without tolerations that another one covers. Among equal ones, the first is kept. */
export function mergeTolerations(first: readonly Toleration[], second: readonly Toleration[]): Toleration[] {
  const all = [...first, ...second];
  const later = new Coverage();
  const isCoveredLater: boolean[] = [];
  for (const [index, one] of [...all.entries()].reverse()) {
    isCoveredLater[index] = later.coversFromOther(one);
    later.add(one);
  }
  const merged = new Coverage();
  return all.filter((one, index) => {
    if (merged.covers(one) || isCoveredLater[index] === true) return false;
    merged.add(one);
    return true;
  });
}

/** Whether each toleration is covered by an allowed one. */
export function areTolerationsAllowed(tolerations: readonly Toleration[], allowed: readonly Toleration[]): boolean {
  const coverage = new Coverage(allowed);
  return tolerations.every((one) => coverage.covers(one));
}

function scopeOf({ key, operator, value, effect }: Toleration): Scope {
  const exists = operator === "Exists";
  return joinScope(
    exists && !key ? ANY : `=${key ?? ""}`,
    exists ? ANY : `${operator ?? ""}=${value ?? ""}`,
    effect || ANY,
  );
}

/** Returns the scopes that include the scope of a toleration. */
function widerScopes({ key = "", operator, value = "", effect }: Toleration): Scope[] {
  const values = operator === "Equal" ? [ANY, `=${value}`, `Equal=${value}`] : [ANY];
  const effects = effect ? [ANY, effect] : [ANY];
  return [ANY, `=${key}`].flatMap((wide) => values.flatMap((some) => effects.map((one) => joinScope(wide, some, one))));
}

function joinScope(key: string, value: string, effect: string): Scope {
  return `${key}\0${value}\0${effect}`;
}

function secondsOf({ effect, tolerationSeconds }: Toleration): number {
  return effect === "NoExecute" ? (tolerationSeconds ?? Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY;
}

function textOf({ key, operator, value, effect, tolerationSeconds }: Toleration): string {
  return JSON.stringify([key ?? "", operator ?? "", value ?? "", effect ?? "", tolerationSeconds]);
}
