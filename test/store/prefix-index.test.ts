import fc from "fast-check";
import { expect, it } from "vitest";
import { PrefixIndex } from "../../runtime/store/embedded/prefix-index.ts";

const keys = fc.string({ unit: fc.constantFrom("/", "a", "b"), maxLength: 8 });

it("finds the same items as a scan of all prefixes, each once, while items are added and removed", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(keys, fc.boolean())), fc.array(keys), (changes, asked) => {
      const index = new PrefixIndex<object>();
      const kept: { prefix: string; item: object }[] = [];
      for (const [prefix, isRemoval] of changes) {
        const at = isRemoval ? kept.findIndex((each) => each.prefix === prefix) : -1;
        const [gone] = at < 0 ? [] : kept.splice(at, 1);
        if (gone !== undefined) index.delete(prefix, gone.item);
        else {
          kept.push({ prefix, item: { prefix } });
          index.add(prefix, kept.at(-1)!.item);
        }
      }
      for (const key of asked) {
        const found: object[] = [];
        index.find(key, (item) => found.push(item));
        const expected = kept.filter(({ prefix }) => key.startsWith(prefix)).map(({ item }) => item);
        expect(found).toHaveLength(expected.length);
        expect(new Set(found)).toEqual(new Set(expected));
      }
    }),
  );
});
