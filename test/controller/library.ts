import type { CustomResourceDefinition } from "../../api-definitions/apiextensions/v1/custom-resource-definition.ts";
import type { Namespaced } from "../../api-definitions/meta/v1/type-meta.ts";
import { kind } from "../../api-definitions/vocabulary.ts";
import type { Client } from "../../runtime/client.ts";
import { type ResourceToken, resourceToken } from "../../runtime/contract/resource-token.ts";

/** A kind of a project, for tests of controllers. */
export interface Book extends Namespaced {
  spec: { title: string; secret?: string };
  status?: { observed?: string; count?: number };
}

export const book = kind<Book>({ plural: "books", subresources: { status: true } });

const group = "library.example.com";
resourceToken<Book>({ group, version: "v1", kind: "Book", resource: "books", namespaced: true }, book);

const definitions: ResourceToken<CustomResourceDefinition> = {
  group: "apiextensions.k8s.io",
  version: "v1",
  kind: "CustomResourceDefinition",
  resource: "customresourcedefinitions",
  namespaced: false,
};

/** Resolves when the server serves books. */
export async function serveBooks(client: Client): Promise<void> {
  const schema = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  await client.of(definitions).create({
    metadata: { name: `books.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { plural: "books", singular: "book", kind: "Book", listKind: "BookList" },
      versions: [
        { name: "v1", served: true, storage: true, subresources: { status: {} }, schema: { openAPIV3Schema: schema } },
      ],
    },
  });
  const isServed = () =>
    client
      .of(book)
      .list()
      .all()
      .then(
        () => true,
        () => false,
      );
  while (!(await isServed())) await new Promise((resolve) => setTimeout(resolve, 5));
}
