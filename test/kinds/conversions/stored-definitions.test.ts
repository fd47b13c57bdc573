import { expect, it } from "vitest";
import { canonical, converterOf } from "./converters.ts";

const OLD = "apiextensions/v1beta1.CustomResourceDefinition";
const NEW = "apiextensions/v1.CustomResourceDefinition";

const names = { plural: "books", singular: "book", kind: "Book", listKind: "BookList" };
const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
const shared = { group: "library.example.com", scope: "Namespaced", names, conversion: { strategy: "None" } };

/** What kube-apiserver stores in etcd for a definition that was created as v1. */
const theirs = canonical(OLD, {
  metadata: { name: "books.library.example.com" },
  spec: {
    ...shared,
    version: "v1",
    versions: [{ name: "v1", served: true, storage: true }],
    validation: schema,
    preserveUnknownFields: false,
  },
});
const ours = canonical(NEW, {
  metadata: { name: "books.library.example.com" },
  spec: { ...shared, versions: [{ name: "v1", served: true, storage: true, schema }] },
});

it("reads definitions that kube-apiserver stored without conversion annotations", async () => {
  const converter = await converterOf(OLD);
  expect(converter.toHub(theirs)).toEqual({ ...ours, status: expect.anything() });
  expect(converter.toHub(theirs).metadata).toEqual({ name: "books.library.example.com", creationTimestamp: null });
});

it("sets preserveUnknownFields to false in v1beta1, where the default is true", async () => {
  const converter = await converterOf(OLD);
  expect(converter.fromHub(ours).spec).toMatchObject({ preserveUnknownFields: false, version: "v1" });
  const keeping = { ...ours, spec: { ...(ours.spec as object), preserveUnknownFields: true } };
  expect(converter.fromHub(keeping).spec).toMatchObject({ preserveUnknownFields: true });
});
