/**
 * Counts the elements that `work` visits: iterations over lists, sets and maps, and the elements that `includes`, `find`, `filter`, `slice`,
 * `Object.keys` and similar methods traverse. Unlike time, the count is the same on every machine and in every run. Loops with an index
 * variable and characters of strings are not counted. The first call replaces the built-in methods for the life of the process, because V8
 * discards compiled code whenever they change.
 */
export function countVisits(work: () => void): number {
  if (!isInstalled) replaceMethods();
  const before = visits;
  work();
  return visits - before;
}

let visits = 0;
let isInstalled = false;

function replaceMethods(): void {
  isInstalled = true;
  const replace = <T extends object>(owner: T, name: keyof T, make: (original: never) => unknown): void => {
    const original = owner[name];
    const descriptor = Object.getOwnPropertyDescriptor(owner, name) as PropertyDescriptor;
    Object.defineProperty(owner, name, { ...descriptor, value: make(original as never) });
  };
  type Method = (this: ArrayLike<unknown>, ...given: unknown[]) => unknown;

  for (const prototype of ITERATORS) {
    replace(prototype, "next", (next: () => IteratorResult<unknown>) => {
      return function (this: Iterator<unknown>) {
        visits++;
        return next.call(this);
      };
    });
  }
  for (const name of SEARCHES) {
    replace(Array.prototype, name, (search: Method) => {
      return function (this: ArrayLike<unknown>, ...given: unknown[]) {
        const found = search.apply(this, given);
        visits +=
          typeof found === "number" && found >= 0 ? found + 1 : found === true ? indexIn(this, given) : this.length;
        return found;
      };
    });
  }
  for (const name of CALLS) {
    replace(Array.prototype, name, (method: Method) => {
      return function (this: ArrayLike<unknown>, call: unknown, ...rest: unknown[]) {
        if (typeof call !== "function") return method.call(this, call, ...rest);
        return method.call(
          this,
          function (this: unknown, ...given: unknown[]) {
            visits++;
            return Reflect.apply(call, this, given);
          },
          ...rest,
        );
      };
    });
  }
  for (const name of COPIES) {
    replace(Array.prototype, name, (copy: Method) => {
      return function (this: ArrayLike<unknown>, ...given: unknown[]) {
        const copied = copy.apply(this, given);
        visits += (copied as ArrayLike<unknown>).length;
        return copied;
      };
    });
  }
  for (const name of LISTINGS) {
    replace(Object, name, (list: (object: object) => unknown[]) => (object: object) => {
      const listed = list(object);
      visits += listed.length;
      return listed;
    });
  }
}

/** Returns how many elements `includes` has traversed. */
function indexIn(list: ArrayLike<unknown>, [wanted]: readonly unknown[]): number {
  for (let i = 0; i < list.length; i++) if (list[i] === wanted) return i + 1;
  return list.length;
}

const ITERATORS = [[].values(), new Set().values(), new Map().entries()].map(
  (iterator) => Object.getPrototypeOf(iterator) as Iterator<unknown>,
);
const SEARCHES = ["includes", "indexOf", "lastIndexOf"] as const;
const CALLS = [
  "find",
  "findIndex",
  "findLast",
  "some",
  "every",
  "filter",
  "map",
  "flatMap",
  "forEach",
  "reduce",
] as const;
const COPIES = ["slice", "concat", "toSorted", "splice"] as const;
const LISTINGS = ["keys", "values", "entries"] as const;
