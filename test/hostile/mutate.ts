import { HOSTILE_NAMES } from "./hostile-strings.ts";
import type { Random } from "./random.ts";

const HOSTILE_NUMBERS = [0, -0, -1, 1, 2 ** 31, -(2 ** 31) - 1, 2 ** 53, 1e21, 1e-7, 5e-324, 1.5, 0.1];

/** Returns a scalar that a field may not expect. */
export function hostileScalar(random: Random): unknown {
  return random.one<unknown>(
    () => random.hostileString(),
    () => random.hostileString(),
    () => random.hostileName(),
    () => random.pick(HOSTILE_NUMBERS),
    () => null,
    () => random.chance(0.5),
  );
}

/** Returns a value of any shape. `depth` limits its nesting, except for values that are intentionally deep. */
export function hostileValue(random: Random, depth = 3): unknown {
  if (depth <= 0 || random.chance(0.5)) return hostileScalar(random);
  return random.one<unknown>(
    () => random.times(4, () => hostileValue(random, depth - 1)),
    () => hostileMap(random, depth - 1),
    () => hostileMap(random, depth - 1),
    () => deepValue(random),
    () => {
      const one = random.chance(0.5) ? hostileScalar(random) : hostileMap(random, 0);
      return Array.from({ length: random.length(300) }, () => one);
    },
  );
}

function hostileMap(random: Random, depth: number): Record<string, unknown> {
  const map: Record<string, unknown> = {};
  for (const [key, value] of random.times(4, () => [hostileKey(random), hostileValue(random, depth)] as const)) {
    Object.defineProperty(map, key, { value, enumerable: true, configurable: true, writable: true });
  }
  return map;
}

function hostileKey(random: Random): string {
  return random.chance(0.5) ? random.pick(HOSTILE_NAMES) : random.hostileString(500);
}

function deepValue(random: Random): unknown {
  let value: unknown = hostileScalar(random);
  const depth = random.pick([5, 20, 99, 120, 400]) + random.length(3000);
  const inList = random.chance(0.5);
  for (let level = 0; level < depth; level++) value = inList ? [value] : { a: value };
  return value;
}

/** Returns a copy with one to three changes: a value removed, duplicated, renamed or of another type. */
export function mutate(random: Random, object: unknown): unknown {
  let value = object;
  for (let times = 1 + random.int(3); times > 0; times--) value = mutateOnce(random, value);
  return value;
}

function mutateOnce(random: Random, value: unknown): unknown {
  const isTree = typeof value === "object" && value !== null;
  if (!isTree || random.chance(0.12)) return random.chance(0.7) ? hostileScalar(random) : hostileValue(random);
  if (Array.isArray(value)) {
    if (value.length === 0 || random.chance(0.2)) return [...value, hostileValue(random)];
    const at = random.int(value.length);
    const copy = [...(value as unknown[])];
    if (random.chance(0.2)) copy.splice(at, random.int(2), copy[at]);
    else copy[at] = mutateOnce(random, copy[at]);
    return copy;
  }
  const entries = Object.entries(value);
  const at = random.int(entries.length);
  const [key, child] = entries[at] ?? ["", undefined];
  const change = random.int(8);
  if (entries.length === 0 || change === 0) entries.push([hostileKey(random), hostileValue(random)]);
  else if (change === 1) entries.splice(at, 1);
  else if (change === 2) entries[at] = [hostileKey(random), child];
  else entries[at] = [key, mutateOnce(random, child)];
  return withEntries(entries);
}

/** Returns an object with these own keys, which may include `__proto__`. */
function withEntries(entries: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  for (const [key, value] of entries) {
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  }
  return object;
}

/** Returns the bytes with some changed, removed, duplicated or inserted. */
export function mutateBytes(random: Random, bytes: Buffer): Buffer {
  let changed: Buffer = bytes;
  for (let times = 1 + random.int(4); times > 0; times--) {
    const at = random.int(changed.length + 1);
    const length = random.int(Math.min(16, changed.length - at) + 1);
    const [before, after] = [changed.subarray(0, at), changed.subarray(at)];
    changed = random.one<Buffer>(
      () => before,
      () => Buffer.concat([before, after.subarray(length)]),
      () => Buffer.concat([before, after.subarray(0, length), after]),
      () => Buffer.concat([before, random.bytes(1 + random.int(4)), after]),
      () => Buffer.concat([before, Buffer.from(random.hostileString(2000)), after.subarray(length)]),
      () => Buffer.concat([before, random.bytes(length), after.subarray(length)]),
      () =>
        Buffer.concat([
          before,
          Buffer.alloc(random.length(20_000), length === 0 ? 91 : after.subarray(0, length)),
          after,
        ]),
    );
  }
  return changed;
}
