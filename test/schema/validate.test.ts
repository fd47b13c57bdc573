import { describe, expect, it } from "vitest";
import { registry } from "../../generated/registry.ts";
import { createRuleCompiler } from "../../runtime/schema/cel-rules.ts";
import { createSchemas } from "../../runtime/schema/schemas.ts";
import { librarySource } from "../fixtures/library-tables.ts";

const book = createSchemas(librarySource).of("library/v1.Book");
const make = (spec: object) => book.decode({ spec: { title: "Title", ...spec } });
const errors = (spec: object) => book.validate(make(spec)).map(({ field, message }) => `${field}: ${message}`);

describe("markers are validated with the messages of Kubernetes", () => {
  it("a valid object has no errors", () => {
    const good = { pages: 3, isbn: "1-2", genre: "Essay", authors: [{ name: "a" }], tags: ["x"], contact: "a-b" };
    expect(errors(good)).toEqual([]);
  });

  it.each([
    [{ title: "" }, "spec.title: Required value"],
    [{ title: "A" }, 'spec.title: Invalid value: "A": must be at least 2 characters long'],
    [{ title: "A very long title" }, "spec.title: Too long: may not be more than 10 characters"],
    [{ pages: 0 }, "spec.pages: Invalid value: 0: must be greater than or equal to 1"],
    [{ pages: 5001 }, "spec.pages: Invalid value: 5001: must be less than or equal to 5000"],
    [{ isbn: "abc" }, `spec.isbn: Invalid value: "abc": must match the regular expression '^[0-9-]+$'`],
    [{ genre: "Odd" }, 'spec.genre: Unsupported value: "Odd": supported values: "Essay", "Novel"'],
    [{ tags: ["x", "y", "x"] }, 'spec.tags[2]: Duplicate value: "x"'],
    [{ authors: [{ name: "a" }, { name: "a" }] }, 'spec.authors[1]: Duplicate value: {"name":"a"}'],
    [{ authors: [{}] }, "spec.authors[0].name: Required value"],
    [
      { authors: ["a", "b", "c", "d"].map((name) => ({ name })) },
      "spec.authors: Too many: 4: must have at most 3 items",
    ],
    [{ cover: { colour: "grey" } }, 'spec.cover.colour: Unsupported value: "grey": supported values: "blue", "red"'],
    [
      { rooms: { hall: { colour: "grey" } } },
      'spec.rooms[hall].colour: Unsupported value: "grey": supported values: "blue", "red"',
    ],
    [{ rooms: { a: {}, b: {}, c: {} } }, "spec.rooms: Too many: 3: must have at most 2 items"],
  ])("%j", (spec, expected) => {
    expect(errors(spec)).toEqual([expected]);
  });

  it("counts characters, not bytes or UTF-16 units, as OpenAPI does", () => {
    expect(errors({ title: "é".repeat(10) })).toEqual([]);
    expect(errors({ title: "😀".repeat(10) })).toEqual([]);
    expect(errors({ title: "😀".repeat(11) })).toEqual(["spec.title: Too long: may not be more than 10 characters"]);
  });

  it("names what a format is about", () => {
    expect(errors({ contact: "A_b" })[0]).toMatch(
      /^spec\.contact: Invalid value: "A_b": a lowercase RFC 1123 label must consist of/,
    );
  });

  it("validates recursive types", () => {
    expect(errors({ sequels: [{ title: "Next", sequels: [{ title: "" }] }] })).toEqual([
      "spec.sequels[0].sequels[0].title: Required value",
    ]);
  });
});

describe("fields with names that all objects inherit", () => {
  const fields = [
    { name: "constructor", type: "string", required: true, always: true, tracked: true, number: 1 },
    { name: "toString", type: "boolean", tracked: true, default: true, number: 2 },
    { name: "valueOf", type: "string", tracked: true, immutable: true, number: 3 },
  ];
  const source = {
    module: () => ({ module: "odd/v1", group: "odd.example.com", version: "v1", types: { Odd: { fields } } }),
  };
  const odd = createSchemas(source as never).of("odd/v1.Odd");

  it("get defaults, and are required and immutable as others are", () => {
    const object = odd.decode({});
    odd.applyDefaults(object);
    expect(Object.entries(object)).toEqual([
      ["constructor", null],
      ["toString", true],
    ]);
    expect(odd.validate(object)).toMatchObject([{ field: "constructor", reason: "FieldValueRequired" }]);
    const [before, after] = [{ constructor: "a" }, { constructor: "a", valueOf: "b" }];
    expect(odd.validateUpdate(before as never, before as never)).toEqual([]);
    expect(odd.validateUpdate(after as never, before as never)).toMatchObject([{ field: "valueOf" }]);
  });
});

describe("objects without a schema", () => {
  it("are objects, and have as many fields as declared", () => {
    expect(errors({ extra: { a: 1 } })).toEqual([]);
    expect(errors({ extra: ["a"] })).toEqual(['spec.extra: Invalid value: ["a"]: must be an object']);
    expect(errors({ extra: 5 })).toEqual(["spec.extra: Invalid value: 5: must be an object"]);
    const fields = [{ name: "extra", type: "rawObject", tracked: true, maxProperties: 1 }];
    const types = { Shelf: { fields } };
    const source = { module: () => ({ module: "shelves/v1", group: "shelves.example.com", version: "v1", types }) };
    const shelf = createSchemas(source as never).of("shelves/v1.Shelf");
    expect(shelf.validate({ extra: { a: 1, b: 2 } })).toMatchObject([{ field: "extra", reason: "FieldValueTooMany" }]);
  });
});

describe("objects within objects", () => {
  const types = {
    Slot: { fields: [{ name: "object", type: "rawObject", embeddedObject: true, tracked: true, number: 1 }] },
  };
  const kubernetes = registry.createTypeSource();
  const slots = { module: "slots/v1", group: "slots.example.com", version: "v1", types };
  const source = { module: (name: string) => (name === "slots/v1" ? slots : kubernetes.module(name)) };
  const slot = createSchemas(source as never).of("slots/v1.Slot");

  it.each([
    [{ apiVersion: "v1", kind: "Pod", metadata: { name: "a" }, spec: { any: 1 } }, []],
    [{}, ["object.apiVersion: Required value: must not be empty", "object.kind: Required value: must not be empty"]],
    [
      { apiVersion: "a/b/c", kind: "Pod" },
      ['object.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c'],
    ],
    [
      { apiVersion: "v1", kind: "Pod", metadata: { labels: { a: "-" } } },
      [/^object\.metadata\.labels: Invalid value: "-"/],
    ],
    [{ apiVersion: "v1", kind: "Pod", metadata: 5 }, [/^object\.metadata: Invalid value: 5/]],
  ])("%j", (object, expected) => {
    const found = slot.validate(slot.decode({ object })).map(({ field, message }) => `${field}: ${message}`);
    expect(found).toEqual(expected.map((each) => (typeof each === "string" ? each : expect.stringMatching(each))));
  });
});

describe("types that refer to themselves and to each other", () => {
  const schemaOf = (leaf: object) => {
    const types = {
      Tree: {
        fields: [
          { name: "left", type: "trees/v1.Tree" },
          { name: "branch", type: "trees/v1.Branch" },
          { name: "size", type: "int32", minimum: 0 },
        ],
      },
      Branch: {
        fields: [
          { name: "next", type: { map: "trees/v1.Branch" } },
          { name: "twigs", type: { list: "trees/v1.Twig" } },
        ],
      },
      Twig: {
        fields: [
          { name: "branch", type: "trees/v1.Branch" },
          { name: "twig", type: "trees/v1.Twig" },
          { name: "leaf", type: "string", ...leaf },
        ],
      },
    };
    const source = { module: () => ({ module: "trees/v1", group: "trees.example.com", version: "v1", types }) };
    return createSchemas(source as never).of("trees/v1.Tree");
  };

  it("are not walked if nothing is declared in them", () => {
    const branch = {
      get next(): never {
        throw new Error("was read");
      },
    };
    expect(schemaOf({}).validate({ size: 1, branch } as never)).toEqual([]);
  });

  it("are walked to what is declared in one of them", () => {
    const twigs = [{ twig: { branch: { next: { a: { twigs: [{ leaf: "green" }] } } } } }];
    const errors = schemaOf({ maxLength: 3 }).validate({ left: { size: -1 }, branch: { twigs } } as never);
    expect(errors.map(({ field }) => field)).toEqual([
      "left.size",
      "branch.twigs[0].twig.branch.next[a].twigs[0].leaf",
    ]);
  });
});

describe("updates", () => {
  it("must not change immutable fields", () => {
    const old = make({ isbn: "1" });
    expect(book.validateUpdate(make({ isbn: "1" }), old)).toEqual([]);
    expect(book.validateUpdate(make({ isbn: "2" }), old)).toMatchObject([
      { field: "spec.isbn", reason: "FieldValueInvalid", message: 'Invalid value: "2": field is immutable' },
    ]);
    expect(book.validateUpdate(make({}), old)).toHaveLength(1);
  });

  it("compare an entry of a map with none if its key is new, whatever the key", () => {
    const types = {
      House: { fields: [{ name: "rooms", type: { map: "houses/v1.Room" } }] },
      Room: { fields: [{ name: "colour", type: "string", immutable: true }] },
    };
    const source = { module: () => ({ module: "houses/v1", group: "houses.example.com", version: "v1", types }) };
    const house = createSchemas(source as never).of("houses/v1.House");
    const rooms = { constructor: { colour: "red" }, toString: { colour: "blue" } };
    expect(house.validateUpdate({ rooms }, { rooms: {} })).toEqual([]);
    expect(house.validateUpdate({ rooms }, { rooms: { ...rooms, toString: { colour: "red" } } })).toMatchObject([
      { field: "rooms[toString].colour", message: 'Invalid value: "blue": field is immutable' },
    ]);
  });
});

describe("rules", () => {
  it("are compiled once per type and can use the old value", () => {
    const seen: unknown[] = [];
    let compiled = 0;
    const schemas = createSchemas(librarySource, {
      compileRules: (_shape, rules) => {
        compiled++;
        return (value, old) => {
          seen.push([value, old]);
          return [{ field: "pages", reason: "FieldValueInvalid", message: `failed: ${rules[0]?.message}` }];
        };
      },
    });
    const schema = schemas.of("library/v1.Book");
    const object = make({ pages: 1 });
    expect(schema.validate(object)).toMatchObject([{ field: "spec.pages", message: "failed: essays are short" }]);
    schema.validateUpdate(object, object);
    expect(compiled).toBe(1);
    expect(seen).toEqual([
      [object.spec, undefined],
      [object.spec, object.spec],
    ]);
  });
});

describe("CEL rules", () => {
  const schema = createSchemas(librarySource, { compileRules: createRuleCompiler() }).of("library/v1.Book");

  it("report the path of the type that declares them", () => {
    expect(schema.validate(make({ pages: 1 }))).toEqual([]);
    const errors = schema.validate(make({ pages: 7, sequels: [{ title: "Next", pages: 4 }], genre: "Essay" }));
    expect(errors).toMatchObject([
      { field: "spec", reason: "FieldValueInvalid", message: 'Invalid value: "object": essays are short' },
    ]);
  });

  it("apply to a field that declares them, too", () => {
    const types = {
      Box: {
        fields: [{ name: "spec", type: "boxes/v1.BoxSpec", rules: [{ rule: "self.size > 1", message: "too small" }] }],
      },
      BoxSpec: {
        fields: [{ name: "size", type: "int32", required: true }],
        rules: [{ rule: "self.size > 0", message: "empty" }],
      },
    } as const;
    const source = { module: () => ({ module: "boxes/v1", group: "boxes.example.com", version: "v1", types }) };
    const box = createSchemas(source as never, { compileRules: createRuleCompiler() }).of("boxes/v1.Box");
    const messages = (size: number) =>
      box.validate({ spec: { size } } as never).map(({ message }) => message.split(": ").at(-1));
    expect(messages(2)).toEqual([]);
    expect(messages(1)).toEqual(["too small"]);
    expect(messages(0)).toEqual(["empty", "too small"]);
  });

  it("compare with the value before on updates only", () => {
    const old = make({ pages: 2, copies: 5 });
    expect(schema.validate(make({ pages: 2, copies: 3 }))).toEqual([]);
    expect(schema.validateUpdate(make({ pages: 2, copies: 3 }), old)).toMatchObject([
      {
        field: "spec",
        message: 'Invalid value: "object": failed rule: !has(oldSelf.copies) || self.copies >= oldSelf.copies',
      },
    ]);
  });
});

describe("rules and keywords of a named type", () => {
  const types = {
    Size: { is: "int32", rules: [{ rule: "self > 0", message: "above 0" }], schema: { multipleOf: 2 } },
    Even: { is: "sizes/v1.Size", rules: [{ rule: "self < 100", message: "below 100" }] },
    Inner: { fields: [{ name: "a", type: "int32" }], rules: [{ rule: "self.a > 0", message: "inner" }] },
    Outer: { is: "sizes/v1.Inner", rules: [{ rule: "self.a > 1", message: "outer" }] },
    Root: {
      fields: [
        {
          name: "size",
          type: "sizes/v1.Even",
          rules: [{ rule: "self != 50", message: "not 50" }],
          schema: { not: { enum: [8] } },
        },
        { name: "sizes", type: { list: "sizes/v1.Even" } },
        { name: "outer", type: "sizes/v1.Outer", rules: [{ rule: "self.a > 2", message: "place" }] },
      ],
    },
  };
  const source = { module: () => ({ module: "sizes/v1", group: "sizes.example.com", version: "v1", types }) };
  const root = createSchemas(source as never, { compileRules: createRuleCompiler() }).of("sizes/v1.Root");
  const said = (object: object) => root.validate(object as never).map(({ message }) => message.split(": ").at(-1));

  it("hold beside those of other names of the type and of the place", () => {
    expect(said({ size: 10 })).toEqual([]);
    expect(said({ size: -2 })).toEqual(["above 0"]);
    expect(said({ size: 102 })).toEqual(["below 100"]);
    expect(said({ size: 50 })).toEqual(["not 50"]);
    expect(said({ sizes: [-2, 102] })).toEqual(["above 0", "below 100"]);
  });

  it("are checked once for a struct", () => {
    expect(said({ outer: { a: 0 } }).sort()).toEqual(["inner", "outer", "place"]);
    expect(said({ outer: { a: 2 } })).toEqual(["place"]);
  });
});

describe("defaults", () => {
  it("are set for unset fields only, also inside lists", () => {
    const object = make({ pages: 0, authors: [{ name: "a" }, { name: "b", born: 1800 }], sequels: [{ title: "x" }] });
    book.applyDefaults(object);
    expect(object.spec).toMatchObject({
      pages: 0,
      genre: "Novel",
      authors: [
        { name: "a", born: 1900 },
        { name: "b", born: 1800 },
      ],
      sequels: [{ pages: 100, genre: "Novel" }],
    });
    const again = structuredClone(object);
    book.applyDefaults(again);
    expect(again).toEqual(object);
  });
});
