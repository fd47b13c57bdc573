import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { registry as kubernetes } from "../../generated/registry.ts";
import { migrateStorageCommand } from "../../runtime/cli/migrate-storage.ts";
import type { ApiRegistry } from "../../runtime/contract/api-registry.ts";
import { joinRegistries } from "../../runtime/registry/join-registries.ts";
import { openEmbeddedStore } from "../../runtime/store/embedded/open-embedded-store.ts";
import { storedJsonText } from "../../runtime/store/value/stored-json.ts";
import { type BookParts, bookDefinition, bookRegistry } from "../fixtures/book-registry.ts";
import type { Parsed } from "../fixtures/plane-client.ts";
import { servePlaneInTest } from "../fixtures/serve-plane.ts";
import { temporaryDirectory } from "../store/temporary-directory.ts";

const BOOKS = "/apis/library.example.com/v1/namespaces/default/books";
const OLD = bookDefinition("");
const NEW = OLD.replace("binding?: string", 'binding?: string & Default<"Soft">; copies?: Int32 & Default<1>');
const HOOKS = "api-definitions/library/v1/book.hooks.ts";

const generated = mkdtempSync(join(tmpdir(), "typeplane-books-"));
afterAll(() => rmSync(generated, { recursive: true, force: true }));

function registryOf(definition: string, parts: Omit<BookParts, "folder"> = {}): ApiRegistry {
  return bookRegistry(definition, { folder: mkdtempSync(join(generated, "project-")), ...parts });
}

function book(name: string, spec: object): object {
  return { apiVersion: "library.example.com/v1", kind: "Book", metadata: { name, labels: { of: name } }, spec };
}

const serve = (directory: string, kinds: ApiRegistry) => servePlaneInTest({ directory, kinds });

/** A data directory with books that an earlier version of the definitions stored. */
async function storedBooks(kinds: ApiRegistry, specs: Readonly<Record<string, object>>): Promise<string> {
  const directory = temporaryDirectory();
  const { call, stop } = await serve(directory, kinds);
  for (const [name, spec] of Object.entries(specs))
    expect((await call("POST", BOOKS, { body: book(name, spec) })).status).toBe(201);
  await stop();
  return directory;
}

/** The JSON of stored books, by name. */
async function storedTexts(directory: string): Promise<Record<string, string>> {
  const store = await openEmbeddedStore(join(directory, "data"));
  try {
    const prefix = "/registry/library.example.com/books/default/";
    const { entries } = await store.range({ prefix });
    return Object.fromEntries(
      entries.map(({ key, value }) => [key.slice(prefix.length), Buffer.from(storedJsonText(value) ?? []).toString()]),
    );
  } finally {
    await store.close();
  }
}

async function migrate(directory: string, kinds: ApiRegistry): Promise<string> {
  let text = "";
  const out = (part: string): void => void (text += part);
  const args = [`--data-dir=${join(directory, "data")}`];
  expect(await migrateStorageCommand(args, { stdin: () => "", out, err: out }, joinRegistries(kubernetes, kinds))).toBe(
    0,
  );
  return text;
}

const specsOf = (items: readonly Parsed[]): Record<string, unknown> =>
  Object.fromEntries(items.map(({ metadata, spec }) => [metadata.name, spec]));

describe("objects that were stored before their kind got a default", () => {
  const now = registryOf(NEW);
  const before = registryOf(OLD);
  const STORED = { a: { title: "A" }, b: { title: "B", binding: "Hard" } };
  const SHOWN = { a: { title: "A", binding: "Soft", copies: 1 }, b: { title: "B", binding: "Hard", copies: 1 } };

  it("are read with it, as JSON, protobuf and tables, and nothing is written", async () => {
    const directory = await storedBooks(before, STORED);
    const texts = await storedTexts(directory);
    const { call, stop } = await serve(directory, now);
    const { items } = (await call("GET", BOOKS)).body;
    expect(specsOf(items)).toEqual(SHOWN);
    expect((await call("GET", `${BOOKS}/a`)).body).toEqual({
      apiVersion: "library.example.com/v1",
      kind: "Book",
      ...items[0],
    });
    const Accept = "application/json;as=Table;v=v1;g=meta.k8s.io";
    const { rows } = (await call("GET", BOOKS, { headers: { Accept } })).body;
    expect(rows.map(({ cells }: Parsed) => cells)).toEqual(
      [["Soft"], ["Hard"]].map((cells) => expect.arrayContaining(cells)),
    );
    const protobuf = await call("GET", `${BOOKS}/a`, { headers: { Accept: "application/vnd.kubernetes.protobuf" } });
    expect(protobuf.headers["content-type"]).toBe("application/vnd.kubernetes.protobuf");
    expect(protobuf.bytes.includes("Soft")).toBe(true);
    await stop();
    expect(await storedTexts(directory)).toEqual(texts);
  });

  it("are selected by it, and watched with it", async () => {
    const directory = await storedBooks(before, STORED);
    const { call } = await serve(directory, now);
    const select = async (selector: string): Promise<string[]> =>
      (await call("GET", `${BOOKS}?fieldSelector=${selector}`)).body.items.map(({ metadata }: Parsed) => metadata.name);
    expect(await select("spec.binding=Soft")).toEqual(["a"]);
    expect(await select("spec.binding=Hard")).toEqual(["b"]);
    expect(await select("spec.binding=")).toEqual([]);
    const { metadata } = (await call("GET", BOOKS)).body;
    await call("DELETE", `${BOOKS}/a`);
    const watch = async (query: string): Promise<Parsed[]> =>
      (await call("GET", `${BOOKS}?watch=1&timeoutSeconds=1&${query}`)).text
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line));
    const [deleted] = await watch(`resourceVersion=${metadata.resourceVersion}&fieldSelector=spec.binding%3DSoft`);
    expect([deleted.type, deleted.object.spec]).toEqual(["DELETED", SHOWN.a]);
    const [added] = await watch("resourceVersion=0");
    expect([added.type, added.object.spec]).toEqual(["ADDED", SHOWN.b]);
  });

  it("are written with it by the first update, even if that changes nothing, and not again", async () => {
    const directory = await storedBooks(before, STORED);
    const { call, stop } = await serve(directory, now);
    const { body } = await call("GET", `${BOOKS}/a`);
    const first = (await call("PUT", `${BOOKS}/a`, { body })).body;
    expect(first.spec).toEqual(SHOWN.a);
    expect(first.metadata.resourceVersion).not.toBe(body.metadata.resourceVersion);
    const second = (await call("PUT", `${BOOKS}/a`, { body: first })).body;
    expect(second).toEqual(first);
    await stop();
    expect((await storedTexts(directory)).a).toContain('"binding":"Soft","copies":1');
  });

  it("get no owner of the default from an apply of something else", async () => {
    const directory = await storedBooks(before, STORED);
    const { call } = await serve(directory, now);
    const type = "application/apply-patch+yaml";
    const body = book("a", { title: "A" });
    const applied = (await call("PATCH", `${BOOKS}/a?fieldManager=me`, { type, body })).body;
    expect(applied.spec).toEqual(SHOWN.a);
    const mine = applied.metadata.managedFields.find(({ manager }: Parsed) => manager === "me");
    expect(mine.fieldsV1["f:spec"]).toEqual({ "f:title": {} });
    const other = book("a", { binding: "Soft" });
    expect((await call("PATCH", `${BOOKS}/a?fieldManager=you`, { type, body: other })).status).toBe(200);
  });

  it("are rewritten by migrate-storage, once", async () => {
    const directory = await storedBooks(before, STORED);
    expect(await migrate(directory, now)).toMatch(/^books.library.example.com: 2 of 2 rewritten\n2 objects/);
    const texts = await storedTexts(directory);
    expect(texts.a).toContain('"binding":"Soft","copies":1');
    expect(await migrate(directory, now)).toMatch(/^0 objects rewritten/);
    const { call } = await serve(directory, now);
    expect(specsOf((await call("GET", BOOKS)).body.items)).toEqual(SHOWN);
  });

  it("are read with a default that a hook computes", async () => {
    const directory = await storedBooks(before, STORED);
    const code = 'export const hooks = { default: ({ spec }) => { spec.binding ??= spec.title + "bound"; } };';
    const computing = registryOf(OLD, {
      files: { [HOOKS]: code },
      hooks: {
        "library/v1.Book": async () => ({
          default: ({ spec }: Parsed) => {
            spec.binding ??= `${spec.title}bound`;
          },
        }),
      },
    });
    const { call } = await serve(directory, computing);
    expect(specsOf((await call("GET", BOOKS)).body.items)).toEqual({
      a: { title: "A", binding: "Abound" },
      b: STORED.b,
    });
  });

  it("are served by the earlier version of the definitions after the later one wrote them", async () => {
    const directory = await storedBooks(now, STORED);
    const { call } = await serve(directory, before);
    const { items } = (await call("GET", BOOKS)).body;
    expect(items.map(({ spec }: Parsed) => spec.binding)).toEqual(["Soft", "Hard"]);
  });
});

it("an object that does not fit its changed type is shown as it is stored", async () => {
  const directory = await storedBooks(registryOf(bookDefinition("copies?: string")), { a: { copies: "many" } });
  const { call } = await serve(directory, registryOf(bookDefinition("copies?: Int32 & Default<1>")));
  const { status, body } = await call("GET", `${BOOKS}/a`);
  expect([status, body.spec]).toEqual([200, { copies: "many" }]);
  const repaired = await call("PUT", `${BOOKS}/a`, { body: { ...body, spec: { copies: 2 } } });
  expect([repaired.status, repaired.body.spec]).toEqual([200, { copies: 2 }]);
});

it("an object with a field that was removed from its kind is shown with it, and with new defaults", async () => {
  const stored = { a: { title: "A", colour: "red" } };
  const directory = await storedBooks(registryOf(bookDefinition("colour?: string")), stored);
  const { call } = await serve(directory, registryOf(NEW));
  expect((await call("GET", `${BOOKS}/a`)).body.spec).toEqual({ ...stored.a, binding: "Soft", copies: 1 });
});

it("an object that is written in another version is stored with the defaults of the stored one", async () => {
  const files = {
    "api-definitions/library/v1beta1/book.ts": OLD,
    "api-definitions/library/conversions.ts": `import { conversion } from "typeplane/vocabulary";
import type { Book } from "./v1/book.ts";
import type { Book as BookV1beta1 } from "./v1beta1/book.ts";
export const bookV1beta1 = conversion<BookV1beta1, Book>({});`,
  };
  const { call } = await serve(temporaryDirectory(), registryOf(NEW, { files }));
  const body = { ...book("a", { title: "A" }), apiVersion: "library.example.com/v1beta1" };
  expect((await call("POST", BOOKS.replace("/v1/", "/v1beta1/"), { body })).status).toBe(201);
  expect((await call("GET", `${BOOKS}/a`)).body.spec).toEqual({ title: "A", binding: "Soft", copies: 1 });
});
